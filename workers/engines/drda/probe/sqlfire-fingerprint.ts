import type { DrdaConnection } from '#drda/index.ts';
import type { Fingerprint } from '#engine-api/fingerprint.ts';
import { identitiesOf } from '../../shared/identities.ts';
import { one, query } from '../connection/query.ts';
import { toError } from '../errors.ts';

/** Settings by name, from one column of SYS.MEMBERS with lines of name="value", in which the server masks passwords. */
function settings(text: string, names: readonly string[]): Readonly<Record<string, string>> {
  const all = new Map(
    [...text.matchAll(/^\s*([\w.-]+)="([^\n]*)"\s*$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  return Object.fromEntries(names.flatMap((name) => (all.get(name) ? [[name, all.get(name)!]] : [])));
}

/** True if the catalog is written to disk, which is the default (persist-dd=false turns it off). */
export async function keepsCatalog(connection: DrdaConnection): Promise<boolean> {
  const rows = await query(connection, 'SELECT BOOTPROPS FROM SYS.MEMBERS');
  return rows.every(([text]) => settings(String(text), ['persist-dd'])['persist-dd'] !== 'false');
}

/** The members of a distributed system, each with its host, process and port; together they are one server. */
export const memberIdentities = (connection: DrdaConnection): Promise<readonly string[]> =>
  identitiesOf([async () => (await query(connection, 'SELECT ID FROM SYS.MEMBERS')).map(([id]) => `member ${id}`)]);

const boot = ['persist-dd', 'table-default-partitioned', 'sys-disk-dir', 'route-query'];
const cluster = ['conserve-sockets', 'off-heap-memory-size', 'enable-time-statistics', 'locators', 'mcast-port'];
const java = ['java.version', 'java.vm.name', 'os.name', 'user.timezone'];

/** GemFire XD's manual, "SYS.MEMBERS" and "Configuration Properties". */
export async function memberFingerprint(connection: DrdaConnection): Promise<Fingerprint> {
  const unavailable: string[] = [];
  const { release, productId, securityMechanism } = connection.server;
  const members = await memberRows(connection);
  if (members === null) unavailable.push('Settings of members: needs the right to read SYS.MEMBERS.');
  const [first = ['', '', '']] = members ?? [];
  const [bootText, clusterText, systemText] = first.map(String) as [string, string, string];
  const found = settings(bootText, boot);
  const { product, version } = productOf(systemText, release);
  return {
    product,
    version,
    emulator: null,
    durability: {
      'default isolation': 'NONE: a rollback undoes nothing; several calls per commit set CS',
      'tables are kept': 'in memory, unless the table option persistent is sync or async',
      'data dictionary': found['persist-dd'] === 'false' ? 'in memory' : 'on disk',
    },
    memory: {
      'critical heap': await percentage(connection, 'SYS.GET_CRITICAL_HEAP_PERCENTAGE'),
      'eviction heap': await percentage(connection, 'SYS.GET_EVICTION_HEAP_PERCENTAGE'),
      ...settings(clusterText, ['off-heap-memory-size']),
    },
    other: {
      members: String(members?.length ?? 'not shown'),
      ...found,
      ...settings(clusterText, cluster),
      ...settings(systemText, java),
      'security mechanism': securityMechanism,
      // No right would show the value, so it is not listed as unavailable.
      'not shown by SQL':
        'JVM heap and garbage collection, statistics of members (puts, disk writes, network): see JMX and the statistics archive',
      build: `${productId} ${release}`,
    },
    unavailable,
  };
}

async function memberRows(connection: DrdaConnection) {
  try {
    return await query(connection, 'SELECT BOOTPROPS, GEMFIREPROPS, SYSTEMPROPS FROM SYS.MEMBERS');
  } catch (error) {
    if (toError(error).kind !== 'permission') throw error;
    return null;
  }
}

/**
 * The server reports only the version of the Derby from which it was made; the names of its jars have its own version.
 */
function productOf(systemProperties: string, release: string): Pick<Fingerprint, 'product' | 'version'> {
  const jar = /(snappydata-store|gemfirexd|sqlfire)(?:-[a-z]+)*-(\d+(?:\.\d+)+)\.jar/.exec(systemProperties);
  if (jar) return { product: `${jar[1]} ${jar[2]}`, version: jar[2]! };
  const version = /\d+(?:\.\d+)+/.exec(release)?.[0] ?? '0';
  return { product: `SQLFire family (Derby ${version})`, version };
}

/** The server reports 0 if there is none. */
async function percentage(connection: DrdaConnection, name: string): Promise<string> {
  const value = Number(await one(connection, `VALUES ${name}()`));
  return value === 0 ? 'none' : `${value} %`;
}
