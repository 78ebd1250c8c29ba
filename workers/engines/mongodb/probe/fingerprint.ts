import type { Document, MongoClient } from 'mongodb';
import type { Fingerprint } from '#engine-api/fingerprint.ts';
import type { ErrorData } from '#model/error.ts';
import { isLost, Refusals } from '../../shared/refusals.ts';
import type { MongoConfig } from '../config.ts';
import { tlsText } from '../connection/tls-text.ts';
import { toError } from '../errors.ts';

type Facts = Readonly<Record<string, string>>;

/** WiredTiger's leaf_page_max, of which MongoDB keeps the default; internal pages are smaller. */
const leafPageBytes = 32_768;

/**
 * Reads versions, settings and the target's own choices. Every user may read buildInfo and hello; the rest needs
 * rights.
 */
export async function fingerprint(client: MongoClient, config: MongoConfig): Promise<Fingerprint> {
  const admin = client.db('admin');
  const refusals = new Refusals<string>(toError, (kind) => !isLost(kind));
  const ask = async (what: string, command: Document): Promise<Document> => {
    const reason = ({ kind, message }: ErrorData) =>
      `${what}: ${message}${kind === 'permission' ? ' Needs the role clusterMonitor on admin (dyno grants TARGET).' : ''}`;
    return (await refusals.ask(what, () => admin.command(command), reason)) ?? {};
  };
  const build = await admin.command({ buildInfo: 1 });
  const hello = await admin.command({ hello: 1 });
  const isAlone = !hello.setName && hello.msg !== 'isdbgrid';
  const defaults = isAlone ? {} : await ask('Default read and write concern', { getDefaultRWConcern: 1 });
  const parameters = await ask('Parameters', {
    getParameter: 1,
    featureCompatibilityVersion: 1,
    journalCommitInterval: 1,
    transactionLifetimeLimitSeconds: 1,
  });
  const options = (await ask('Command line', { getCmdLineOpts: 1 })).parsed as Document | undefined;
  const status = await ask('Storage engine and cache', { serverStatus: 1, repl: 0 });
  const cacheBytes: unknown = status.wiredTiger?.cache?.['maximum bytes configured'];
  const replication = hello.setName ? await ask('Replica set', { replSetGetConfig: 1 }) : {};
  const rights = await rightsOf(client);
  const version = String(build.version);
  return {
    product: `${productOf(build)} ${version}`,
    version,
    emulator: emulatorOf(build),
    durability: texts({
      writeConcern: concernText(defaults.defaultWriteConcern),
      target: targetConcern(config),
      writeConcernMajorityJournal: replication.config?.writeConcernMajorityJournalDefault,
      // Since 6.1 there is always a journal.
      journal: options?.storage?.journal?.enabled ?? 'on',
      journalCommitIntervalMs: parameters.journalCommitInterval,
      persistent: status.storageEngine?.persistent,
      members: memberText(hello),
    }),
    memory: texts({
      wiredTigerCache: mib(cacheBytes),
      resident: status.mem?.resident === undefined ? undefined : `${status.mem.resident} MiB`,
    }),
    other: texts({
      storageEngine: status.storageEngine?.name,
      featureCompatibilityVersion: parameters.featureCompatibilityVersion?.version,
      topology: isAlone ? 'standalone' : hello.setName ? `replica set ${hello.setName}` : 'sharded cluster',
      readConcern: defaults.defaultReadConcern?.level,
      targetReadConcern: config.readConcernLevel === 'default' ? undefined : config.readConcernLevel,
      readPreference: config.readPreference,
      retryWrites: config.retryWrites,
      compressors: config.compressors || 'none',
      transactionLifetimeLimit: seconds(parameters.transactionLifetimeLimitSeconds),
      tls: tlsText(client),
      authorization: options?.security?.authorization,
      modules: Array.isArray(build.modules) && build.modules.length > 0 ? build.modules.join(', ') : 'community',
      allocator: build.allocator,
      build: build.gitVersion,
    }),
    ...(cacheBytes !== undefined && { cacheBytes: Number(cacheBytes) }),
    pageBytes: leafPageBytes,
    mayWrite: rights === null || rights.some(({ actions }) => actions.some((action) => writing.has(action))),
    unavailable: [...refusals.reasons, ...missingRights(rights)],
  };
}

/** The product: Percona's server names itself; every other server counts as MongoDB. */
const productOf = (build: Document): string =>
  build.psmdbVersion === undefined ? 'MongoDB' : 'Percona Server for MongoDB';

/** FerretDB answers MongoDB's protocol over PostgreSQL, and says so in buildInfo. */
function emulatorOf(build: Document): string | null {
  const ferret = build.ferretdb as { readonly version?: unknown } | undefined;
  return ferret === undefined ? null : `FerretDB ${String(ferret.version ?? '')} over PostgreSQL`;
}

const texts = (facts: Readonly<Record<string, unknown>>): Facts =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, String(value)]],
    ),
  );

const concernText = (concern: Document | undefined): string | undefined =>
  concern &&
  Object.entries(concern)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ');

function targetConcern({ w, journal, wtimeoutMs }: MongoConfig): string {
  const said = [
    w === null ? null : `w: ${w}`,
    journal === 'default' ? null : `j: ${journal}`,
    wtimeoutMs > 0 ? `wtimeout: ${wtimeoutMs}` : null,
  ].filter((one) => one !== null);
  return said.join(', ') || 'as the server’s default';
}

const memberText = ({ setName, hosts }: Document): string | undefined =>
  setName && Array.isArray(hosts) ? String(hosts.length) : undefined;

const mib = (bytes: unknown): string | undefined =>
  bytes === undefined ? undefined : `${Math.round(Number(bytes) / 2 ** 20)} MiB`;

const seconds = (value: unknown): string | undefined => (value === undefined ? undefined : `${String(value)} s`);

interface Right {
  readonly resource: Document;
  readonly actions: readonly string[];
}

/**
 * The rights of the user. Null: nobody has logged in, because the server has no authorization and everybody may do
 * everything.
 */
async function rightsOf(client: MongoClient): Promise<readonly Right[] | null> {
  const { authInfo } = await client.db('admin').command({ connectionStatus: 1, showPrivileges: true });
  return authInfo?.authenticatedUsers?.length ? (authInfo.authenticatedUserPrivileges as readonly Right[]) : null;
}

/** Actions that change something; manual, "Privilege Actions". Dyno's own fsync is not among them. */
const writing = new Set(
  (
    'anyAction insert update remove bypassDocumentValidation createCollection dropCollection dropDatabase createIndex ' +
    'dropIndex reIndex collMod convertToCapped renameCollectionSameDB emptycapped compact applyOps createUser ' +
    'createRole dropUser dropRole grantRole revokeRole changePassword setParameter shutdown'
  ).split(' '),
);

/** Rights whose lack would only show in the middle of a run. */
function missingRights(rights: readonly Right[] | null): readonly string[] {
  if (rights === null) return [];
  const actions = new Set(
    rights
      .filter(({ resource }) => resource.cluster === true || resource.anyResource === true)
      .flatMap((one) => one.actions),
  );
  return actions.has('fsync') || actions.has('anyAction')
    ? []
    : [
        'fsync before the clock: needs the action fsync on the cluster (dyno grants TARGET); sizes may lag up to a minute.',
      ];
}
