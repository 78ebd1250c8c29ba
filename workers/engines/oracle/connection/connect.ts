import { join } from 'node:path';
import oracledb from 'oracledb';
import type { StopSignal } from '#engine-api/stop-signal.ts';
import { DynoError, type ErrorData } from '#model/error.ts';
import type { Options } from '#model/settings/options.ts';
import { applySettings, connectingError, ofTrialAt } from '../../shared/connecting.ts';
import { limitLogin } from '../../shared/login-limit.ts';
import { textOfFile } from '../../shared/tls.ts';
import { type OracleConfig, config as parser } from '../config.ts';
import { toError } from '../errors.ts';
import type { Dialect } from './dialect.ts';
import { chooseMode } from './driver.ts';

/** The tag as CLIENT_IDENTIFIER, cut at its beginning to the length that a server keeps. */
export const clientIdOf = (tag: string): string => tag.slice(-64);

/** One connection, marked by `tag`, with the configured session settings. */
export async function connect(
  config: OracleConfig,
  tag: string,
  options: Options,
  signal?: StopSignal,
): Promise<oracledb.Connection> {
  signal?.throwIfAborted();
  chooseMode(config);
  try {
    return await limitLogin(config.connectTimeoutMs, () => openAndSetUp(config, tag, options, signal));
  } catch (error) {
    signal?.throwIfAborted();
    const data = whileConnecting(toError(error), /tcps/i.test(config.connectString));
    throw connectingError(parser.describe(config).address, config.user, data);
  }
}

/**
 * The wallet's text; null: none is needed. The driver would read the file to its end, also that of a device. In Thick
 * mode Oracle's libraries read it.
 */
function walletOf({ walletLocation, connectString, mode }: OracleConfig): string | null {
  if (walletLocation === null || mode === 'thick' || /^system$/i.test(walletLocation.trim())) return null;
  return /tcps/i.test(connectString) ? textOfFile('walletLocation', join(walletLocation, 'ewallet.pem')) : null;
}

const pooledServer = /\(\s*SERVER\s*=\s*POOLED\s*\)|:POOLED\b/i;

/**
 * True if the connect string asks for a server process of a pool (DRCP), in a descriptor or behind the service’s name.
 */
export const isPooled = ({ connectString }: Pick<OracleConfig, 'connectString'>): boolean =>
  pooledServer.test(connectString);

async function openAndSetUp(
  config: OracleConfig,
  tag: string,
  options: Options,
  signal: StopSignal | undefined,
): Promise<oracledb.Connection> {
  // The pool hands a session on with the settings of ALTER SESSION, but only to programs of the same class.
  if (isPooled(config)) oracledb.connectionClass = 'DYNO';
  const wallet = walletOf(config);
  const opening = oracledb.getConnection({
    user: config.user,
    password: config.password ?? undefined,
    connectString: config.via ?? config.connectString,
    stmtCacheSize: typeof options.statementCacheSize === 'number' ? options.statementCacheSize : 30,
    ...(typeof options.sdu === 'number' && { sdu: options.sdu }),
    connectTimeout: Math.ceil(config.connectTimeoutMs / 1_000), // the driver takes whole seconds
    sslServerDNMatch: config.serverDnMatch,
    ...(wallet !== null && { walletContent: wallet }),
    ...(config.walletPassword !== null && { walletPassword: config.walletPassword }),
  });
  const connection = await unlessStopped(opening, signal);
  try {
    connection.clientId = clientIdOf(tag);
    connection.module = 'Dyno';
    const set = (name: string, value: string) => connection.execute(alterSessionSql(name, value));
    const apply = (settings: Readonly<Record<string, string>>, key: string) =>
      applySettings(settings, set, toError, 'ALTER SESSION SET', (name) => `${key}: ${name}`);
    await apply(config.sessionSettings, 'sessionSettings');
    await applySettings(config.ofTrial ?? {}, set, toError, 'ALTER SESSION SET', ofTrialAt('oracle'));
    await apply(commitSettings(options), 'oracle.commit');
    return connection;
  } catch (error) {
    await connection.close().catch(() => {});
    throw error;
  }
}

/**
 * An error before the login is no lost connection. A listener of plain TCP takes TLS's first bytes for the length of a
 * message, and waits for it.
 */
function whileConnecting(data: ErrorData, tls: boolean): ErrorData {
  if (data.kind === 'serverGone')
    return {
      ...data,
      kind: 'unreachable',
      hint: 'The other side hung up: is a listener of Oracle on this port, and does it expect TLS (protocol)?',
    };
  if (tls && data.code === 'NJS-510')
    return {
      ...data,
      hint: `${data.hint ?? ''} A port that speaks plain TCP does not answer TLS, either (protocol).`.trim(),
    };
  return data;
}

/** The driver cannot stop an attempt to connect, so a connection that arrives too late is closed. */
function unlessStopped(
  opening: Promise<oracledb.Connection>,
  signal: StopSignal | undefined,
): Promise<oracledb.Connection> {
  if (!signal) return opening;
  return new Promise((resolve, reject) => {
    const stop = () => {
      opening.then((late) => late.close()).catch(() => {});
      reject(new DynoError('cancelled', 'Stopped while connecting.'));
    };
    signal.addEventListener('abort', stop);
    opening.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** SQL Language Reference, "ALTER SESSION": COMMIT_WAIT and COMMIT_LOGGING hold for commits of the protocol, too. */
export function commitSettings({ commit }: Options): Readonly<Record<string, string>> {
  const match = /^(wait|nowait)(Immediate|Batch)$/.exec(String(commit));
  return match ? { COMMIT_WAIT: `'${match[1]!.toUpperCase()}'`, COMMIT_LOGGING: `'${match[2]!.toUpperCase()}'` } : {};
}

/** Words and numbers are written as they are, all else as text. */
export function alterSessionSql(name: string, value: string): string {
  const plain = /^[\w$#.+-]+$/.test(value) || /^'[^']*'$/.test(value);
  return `ALTER SESSION SET ${name} = ${plain ? value : `'${value}'`}`;
}

export const sessionFactsSql =
  "SELECT USER, (SELECT value FROM nls_database_parameters WHERE parameter = 'NLS_CHARACTERSET') FROM DUAL";

/** Only a PostgreSQL behind the protocol answers this; Oracle has no such function (ORA-00904). */
export const emulatorSql = 'SELECT version() FROM DUAL';

export async function dialectOf(connection: oracledb.Connection): Promise<Dialect> {
  const { rows } = await connection.execute<[string, string]>(sessionFactsSql);
  const [owner = '', characterSet = ''] = rows?.[0] ?? [];
  return {
    version: Math.floor(connection.oracleServerVersion / 100_000_000),
    unicode: /UTF8$/.test(characterSet),
    characterSet,
    owner,
    emulator: await emulator(connection),
  };
}

async function emulator(connection: oracledb.Connection): Promise<string | null> {
  try {
    const { rows } = await connection.execute<[string]>(emulatorSql);
    const found = /^(PostgreSQL \d+)/.exec(String(rows?.[0]?.[0]));
    return found ? `seerdb mirror over ${found[1]}` : null;
  } catch (error) {
    if (toError(error).kind === 'syntax') return null;
    throw error;
  }
}
