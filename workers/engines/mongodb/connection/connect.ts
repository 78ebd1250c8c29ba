import { MongoClient, type MongoClientOptions } from 'mongodb';
import type { StopSignal } from '#engine-api/stop-signal.ts';
import { DynoError } from '#model/error.ts';
import { limitLogin } from '../../shared/login-limit.ts';
import { checkedAs, pem } from '../../shared/tls.ts';
import { hostsOf, type MongoConfig } from '../config.ts';
import type { MongoOptions } from '../options.ts';
import { readConcernOf, writeConcernOf } from './concerns.ts';
import { connectError } from './connect-error.ts';
import { type Host, hostText } from './uri.ts';

export interface Connected {
  readonly client: MongoClient;
  /** Replica sets and sharded clusters have transactions; a standalone server has none. */
  readonly hasTransactions: boolean;
  /** Versions of the wire protocol: 25 is MongoDB 8.0. */
  readonly maxWireVersion: number;
}

interface ConnectOptions {
  readonly tag: string;
  /** Connections of the client; a session has one. */
  readonly connections: number;
  readonly options: MongoOptions;
  readonly signal?: StopSignal;
}

/**
 * Opens a client marked by `tag`, whose first connection is logged in. The driver keeps one more connection to each
 * server, to watch it, which cannot be turned off: polled once a minute, it takes a thread of the server and no
 * processor time.
 */
export async function connect(config: MongoConfig, more: ConnectOptions): Promise<Connected> {
  const { signal } = more;
  signal?.throwIfAborted();
  let client: MongoClient | null = null;
  let unreachable: unknown = null;
  const stop = () => void client?.close().catch(() => {});
  try {
    const made = new MongoClient(uriOf(config), clientOptions(config, more));
    client = made;
    // The driver tries again until its time is up. If no host can be reached at all, it stops here.
    const hosts = hostsOf(config);
    const failed = new Set<string>();
    made.on('serverHeartbeatFailed', ({ connectionId, failure }) => {
      failed.add(connectionId);
      if (config.srv || failed.size < hosts.length) return;
      unreachable ??= failure;
      stop();
    });
    signal?.addEventListener('abort', stop);
    const hello = await limitLogin(config.connectTimeoutMs, async () => {
      await made.connect();
      const admin = made.db('admin');
      const answer = await admin.command({ hello: 1 });
      await admin.command({ ping: 1 }); // the first command that may be compressed
      return answer;
    });
    made.removeAllListeners('serverHeartbeatFailed');
    return {
      client: made,
      hasTransactions: typeof hello.setName === 'string' || hello.msg === 'isdbgrid',
      maxWireVersion: Number(hello.maxWireVersion),
    };
  } catch (error) {
    await client?.close().catch(() => {});
    signal?.throwIfAborted();
    throw connectError(config, error instanceof DynoError ? error : (unreachable ?? error));
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** The connection string that the driver reads. The user and his password are not in it. */
export function uriOf(config: MongoConfig): string {
  const { replicaSet, tls, journal, readConcernLevel, readPreference, compressors, via } = config;
  const directConnection = config.directConnection || via !== undefined;
  const said: readonly (readonly [string, string | null])[] = [
    ['replicaSet', replicaSet],
    ['directConnection', directConnection ? 'true' : null],
    // A cluster of DNS has TLS unless the URL says otherwise.
    ['tls', tls === 'disable' ? (config.srv ? 'false' : null) : 'true'],
    ['tlsAllowInvalidCertificates', tls === 'require' ? 'true' : null],
    ['w', config.w],
    ['journal', journal === 'default' ? null : journal],
    ['wtimeoutMS', config.wtimeoutMs > 0 ? String(config.wtimeoutMs) : null],
    ['readConcernLevel', readConcernLevel === 'default' ? null : readConcernLevel],
    ['readPreference', readPreference === 'primary' ? null : readPreference],
    ['compressors', compressors || null],
    ...Object.entries(config.uriOptions).filter(([name]) => !isRevocations(name)),
  ];
  const query = said.flatMap(([name, value]) => (value === null ? [] : [`${name}=${encodeURIComponent(value)}`]));
  const hosts = (via ? [via] : hostsOf(config)).map((host: Host) =>
    host.port === null && !config.srv ? encodeURIComponent(host.host) : hostText(host),
  );
  return `${config.srv ? 'mongodb+srv' : 'mongodb'}://${hosts.join(',')}/?${query.join('&')}`;
}

const isRevocations = (name: string): boolean => /^tlsCRLFile$/i.test(name);

/**
 * The driver would read any path to its end, also that of a device, so Dyno reads the files and hands over their
 * content.
 */
function filesOf({ tlsCAFile, tlsCertificateKeyFile, uriOptions }: MongoConfig): MongoClientOptions {
  const [, crl = null] = Object.entries(uriOptions).find(([name]) => isRevocations(name)) ?? [];
  const both = tlsCertificateKeyFile === null ? null : pem('tlsCertificateKeyFile', tlsCertificateKeyFile);
  return {
    ...(tlsCAFile !== null && { ca: pem('tlsCAFile', tlsCAFile) }),
    ...(crl !== null && { crl: pem('uriOptions.tlsCRLFile', crl) }),
    ...(both !== null && { cert: both, key: both }),
  };
}

function clientOptions(config: MongoConfig, { tag, connections, options }: ConnectOptions): MongoClientOptions {
  const { user, password, authSource, authMechanism } = config;
  const { tlsCertificateKeyFilePassword } = config;
  const writeConcern = writeConcernOf(options, config);
  const readConcern = readConcernOf(options);
  const selectionTimeout = Object.keys(config.uriOptions).some((name) => /^serverSelectionTimeoutMS$/i.test(name));
  return {
    appName: tag,
    ...(config.via && config.tls === 'verify-full' && checkedAs(hostsOf(config)[0]!.host)),
    maxPoolSize: connections,
    minPoolSize: 0,
    serverMonitoringMode: 'poll',
    heartbeatFrequencyMS: 60_000,
    connectTimeoutMS: config.connectTimeoutMs,
    ...(!selectionTimeout && { serverSelectionTimeoutMS: config.connectTimeoutMs }),
    retryWrites: options.retryWrites === 'asTarget' ? config.retryWrites : options.retryWrites === 'on',
    ...(writeConcern && { writeConcern }),
    ...(readConcern && { readConcern }),
    ...(user !== null && { auth: { username: user, ...(password !== null && { password }) } }),
    ...(authMechanism !== 'default' && { authMechanism }),
    ...(user !== null && { authSource: authSource ?? (externals.includes(authMechanism) ? '$external' : 'admin') }),
    ...filesOf(config),
    ...(tlsCertificateKeyFilePassword !== null && { tlsCertificateKeyFilePassword }),
  };
}

/** The users of these mechanisms are not in the server's own databases. */
const externals: readonly MongoConfig['authMechanism'][] = [
  'MONGODB-X509',
  'PLAIN',
  'GSSAPI',
  'MONGODB-AWS',
  'MONGODB-OIDC',
];
