import type { DrdaConnection } from '#drda/index.ts';
import type { Fingerprint } from '#engine-api/fingerprint.ts';
import { one } from '../connection/query.ts';
import { toError } from '../errors.ts';

const durability = ['derby.system.durability', 'derby.storage.fileSyncTransactionLog'];
const memory = ['derby.storage.pageCacheSize', 'derby.storage.pageSize'];
const other = [
  'derby.database.sqlAuthorization',
  'derby.database.collation',
  'derby.locks.waitTimeout',
  'derby.locks.deadlockTimeout',
  'derby.locks.escalationThreshold',
  'derby.storage.initialPages',
  'derby.language.statementCache.size',
  'DataDictionaryVersion',
];

/** Derby shows SQL the properties of the database, but not those of its process (derby.properties, -D). */
const defaultValue = 'as the server’s process has it';

/** Derby's reference manual, "Derby properties". */
export async function derbyFingerprint(connection: DrdaConnection): Promise<Fingerprint> {
  const unavailable: string[] = [];
  const { release, productId, securityMechanism } = connection.server;
  const version = /\d+(?:\.\d+)+/.exec(release)?.[0] ?? release;
  const properties = await databaseProperties(connection, [...durability, ...memory, ...other]);
  if (properties === null)
    unavailable.push(
      'Properties of the database: needs GRANT EXECUTE ON FUNCTION SYSCS_UTIL.SYSCS_GET_DATABASE_PROPERTY.',
    );
  const pick = (names: readonly string[]) =>
    Object.fromEntries(
      names.map((name) => [name, properties === null ? 'not shown' : (properties[name] ?? defaultValue)]),
    );
  if (!(await mayCheckpoint(connection)))
    unavailable.push(
      'A checkpoint before the clock: needs GRANT EXECUTE ON PROCEDURE SYSCS_UTIL.SYSCS_CHECKPOINT_DATABASE.',
    );
  return {
    product: `Apache Derby ${version}`,
    version,
    emulator: null,
    durability: pick(durability),
    memory: pick(memory),
    other: {
      ...pick(other),
      'default isolation': String(await one(connection, 'VALUES CURRENT ISOLATION')).trim(),
      'security mechanism': securityMechanism,
      // No right would show the value, so it is not listed as unavailable.
      'not shown by SQL':
        'properties of the server’s process (derby.properties, -D), JVM heap and garbage collection, page cache hits, log volume: see derby.log and JMX',
      build: `${productId} ${release}`,
    },
    unavailable,
  };
}

/** Null: the user has no right to read them. */
async function databaseProperties(connection: DrdaConnection, names: readonly string[]) {
  const values: Record<string, string> = {};
  try {
    for (const name of names) {
      const value = await one(connection, `VALUES SYSCS_UTIL.SYSCS_GET_DATABASE_PROPERTY('${name}')`);
      if (value !== null) values[name] = String(value);
    }
  } catch (error) {
    if (toError(error).kind !== 'permission') throw error;
    return null;
  }
  return values;
}

async function mayCheckpoint(connection: DrdaConnection): Promise<boolean> {
  try {
    // Derby checks rights when a statement is executed.
    await connection.execute('CALL SYSCS_UTIL.SYSCS_CHECKPOINT_DATABASE()', { commit: true });
    return true;
  } catch (error) {
    if (toError(error).kind !== 'permission') throw error;
    return false;
  }
}
