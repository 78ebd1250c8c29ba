import { Connection } from 'tedious';
import type { StopSignal } from '#engine-api/stop-signal.ts';
import type { DynoError, ErrorData } from '#model/error.ts';
import { applySettings, connectingError, ofTrialAt } from '../../shared/connecting.ts';
import { limitLogin } from '../../shared/login-limit.ts';
import { config as parser, type SqlServerConfig, setWord } from '../config.ts';
import { type LoginError, loginError, toError } from '../errors.ts';
import type { SessionOptions } from '../options.ts';
import { execute } from '../wire/request.ts';
import { attend, connectionConfig } from './connection-options.ts';

/** One connection of `tedious`, with the configured session settings. */
export async function connect(
  config: SqlServerConfig,
  tag: string,
  session: SessionOptions,
  signal?: StopSignal,
): Promise<Connection> {
  signal?.throwIfAborted();
  const connection = new Connection(connectionConfig(config, tag, session));
  const told: LoginError[] = [];
  attend(connection, config, session, told);
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  let opening = true;
  const stop = () => (opening ? reject(new Error('Stopped.')) : connection.close());
  signal?.addEventListener('abort', stop);
  try {
    connection.on('end', () => reject(new Error('Connection closed before it was open.')));
    connection.on('connect', (error) => {
      opening = false;
      if (error) reject(loginError(error, told));
      else resolve();
    });
    await limitLogin(config.connectTimeoutMs, async () => {
      connection.connect();
      await opened;
      await applySessionSettings(connection, config);
    });
  } catch (error) {
    if (opening) closeOnceOpen(connection);
    else connection.close();
    signal?.throwIfAborted();
    throw connectError(error, config);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  return connection;
}

/**
 * Closes a connection that is being opened, once it is open: if the driver is told earlier, it opens the connection
 * nevertheless and keeps it.
 */
export function closeOnceOpen(connection: Connection): void {
  connection.on('error', () => {});
  connection.once('connect', () => connection.close());
}

/** The error of a failed login, with its server and user. */
export function connectError(error: unknown, config: SqlServerConfig): DynoError {
  const data = toError(error);
  const endedTls = config.encrypt === 'strict' && ['serverGone', 'tls'].includes(data.kind) && !isCertificate(data);
  return connectingError(parser.describe(config).address, config.user, endedTls ? { ...data, ...strictRefused } : data);
}

/** A server before 2022 takes the TLS record of TDS 8.0 for a damaged message, and closes the connection. */
const strictRefused = {
  kind: 'tls',
  hint: 'encrypt: strict begins with TLS (TDS 8.0), which SQL Server 2022 and later understand. Take encrypt: true for older servers, which agree on TLS after a greeting.',
  retryable: false,
} as const;

const isCertificate = ({ code, message }: ErrorData): boolean =>
  /CERT|VERIFY|ISSUER|certificate/i.test(`${code} ${message}`);

/** Operations compare the counts of rows, so the server's "user options" must not turn them off. */
export async function applySessionSettings(
  connection: Connection,
  { sessionSettings, ofTrial = {} }: SqlServerConfig,
): Promise<void> {
  const set = (name: string, value: string) => execute(connection, `SET ${name} ${value}`);
  await applySettings({ NOCOUNT: 'OFF', ...sessionSettings }, set, toError, 'SET');
  const words = Object.entries(ofTrial).map(([name, value]) => [name, setWord(value)]);
  await applySettings(Object.fromEntries(words), set, toError, 'SET', ofTrialAt('sqlserver'));
}

/** Closes the connection; returns when the socket is closed. */
export const close = (connection: Connection): Promise<void> =>
  new Promise((resolve) => {
    if (connection.closed) return resolve();
    connection.once('end', () => resolve());
    connection.close();
  });
