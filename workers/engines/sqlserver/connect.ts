import { readFileSync } from 'node:fs';
import { TLSSocket } from 'node:tls';
import { Connection, type ConnectionAuthentication, type ConnectionOptions } from 'tedious';
import type { StopSignal } from '#contract/engine.ts';
import { DynoError } from '#contract/error.ts';
import { config as parser, type SqlServerConfig } from './config.ts';
import { type LoginError, loginError, toError } from './errors.ts';
import type { SessionOptions } from './options.ts';
import { execute } from './request.ts';

/** Over TLS the server takes no larger packets (manual, "Configure the network packet size"): it cuts the connection. */
const largestEncryptedPacket = 16_383;
/** Until the login is over; the driver does not heed it, and an Entra token is longer. The server then says the size that it grants. */
const loginPacket = 4_096;

/** How long a server may take to confirm that it stopped a statement: it rolls back first. The driver gives up the connection then. */
const cancelTimeoutMs = 60_000;

/** One connection, marked by `tag`, set up as SSMS does, with the configured session settings. */
export async function connect(
  config: SqlServerConfig,
  tag: string,
  { packetSize, noDelay }: SessionOptions,
  signal?: StopSignal,
): Promise<Connection> {
  signal?.throwIfAborted();
  const packet = config.encrypt === 'false' ? packetSize : Math.min(packetSize, largestEncryptedPacket);
  const connection = new Connection({
    server: config.host,
    authentication: authenticationOf(config),
    options: { ...networkOptions(config), ...ssmsSettings, packetSize: packet, appName: tag },
  });
  if (config.authentication.startsWith('azure'))
    connection.on('secure', () => connection.messageIo.packetSize(Math.min(packet, loginPacket)));
  // The error token says the number, which the driver's own error leaves out.
  const told: LoginError[] = [];
  const hear = (token: LoginError) => told.push(token);
  connection.on('errorMessage', hear);
  // A connection that breaks also fails the request in flight; without a listener the event would end the process.
  connection.on('error', () => {});
  const stop = () => connection.close();
  signal?.addEventListener('abort', stop);
  try {
    await new Promise<void>((resolve, reject) => {
      connection.on('end', () => reject(new Error('Connection closed before it was open.')));
      connection.on('connect', (error) => (error ? reject(loginError(error, told)) : resolve()));
      connection.connect();
    });
    connection.removeListener('errorMessage', hear);
    connection.socket?.setNoDelay(noDelay); // the driver leaves it off
    // With encrypt: strict the socket itself is TLS, and the driver lets one record hold several packets, which the server refuses.
    if (connection.socket instanceof TLSSocket) connection.socket.setMaxSendFragment(packet);
    await applySettings(connection, config.sessionSettings);
  } catch (error) {
    connection.close();
    signal?.throwIfAborted();
    const data = toError(error);
    throw new DynoError(
      data.kind,
      `Connecting to ${parser.describe(config).address} as ${config.user}: ${data.message}`,
      data,
    );
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  return connection;
}

/** What SSMS sets (manual, "SET statements", and its Query Options), so that plans are those that a DBA sees there. */
const ssmsSettings: ConnectionOptions = {
  enableAnsiNull: true,
  enableAnsiNullDefault: true,
  enableAnsiPadding: true,
  enableAnsiWarnings: true,
  enableArithAbort: true,
  enableConcatNullYieldsNull: true,
  enableCursorCloseOnCommit: false,
  enableImplicitTransactions: false,
  enableNumericRoundabort: false,
  enableQuotedIdentifier: true,
};

function networkOptions(config: SqlServerConfig): ConnectionOptions {
  const { port, instance, database, serverName, encrypt } = config;
  return {
    ...(port === null ? {} : { port }),
    ...(instance === null ? {} : { instanceName: instance }),
    ...(database === null ? {} : { database }),
    ...(serverName === null ? {} : { serverName }),
    ...(config.ca === null ? {} : { cryptoCredentialsDetails: { ca: pem(config.ca) } }),
    encrypt: encrypt === 'strict' ? encrypt : encrypt === 'true',
    trustServerCertificate: config.trustServerCertificate,
    multiSubnetFailover: config.multiSubnetFailover,
    readOnlyIntent: config.readOnlyIntent,
    connectTimeout: config.connectTimeoutMs,
    cancelTimeout: cancelTimeoutMs,
    requestTimeout: 0, // a trial decides itself how long it waits
    maxRetriesOnTransientErrors: 0, // a database that is not there is "transient" to the driver
  };
}

function authenticationOf(config: SqlServerConfig): ConnectionAuthentication {
  const { user: userName, authentication: type } = config;
  const password = config.password ?? '';
  const tenantId = config.tenantId ?? '';
  const clientId = config.clientId ?? '';
  const identity = { options: config.clientId === null ? {} : { clientId } };
  switch (type) {
    case 'sql':
      return { type: 'default', options: { userName, password } };
    case 'ntlm':
      return { type, options: { userName, password, domain: config.domain ?? '' } };
    case 'azure-active-directory-password':
      return { type, options: { userName, password, clientId, tenantId: config.tenantId ?? 'common' } };
    case 'azure-active-directory-access-token':
      return { type, options: { token: config.token ?? '' } };
    case 'azure-active-directory-service-principal-secret':
      return { type, options: { clientId, clientSecret: config.clientSecret ?? '', tenantId } };
    default:
      return { type, ...identity };
  }
}

function pem(ca: string): string {
  if (ca.includes('-----BEGIN')) return ca;
  try {
    return readFileSync(ca, 'utf8');
  } catch (error) {
    throw new DynoError('badInput', `ca: reading ${ca}: ${error instanceof Error ? error.message : error}.`, {
      hint: 'ca is PEM text or the path of a PEM file.',
    });
  }
}

async function applySettings(connection: Connection, settings: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    try {
      await execute(connection, `SET ${name} ${value}`);
    } catch (error) {
      const { kind, code, message } = toError(error);
      if (kind === 'serverGone' || kind === 'permission') throw error;
      throw new DynoError('badInput', `sessionSettings.${name}: ${message}`, {
        code,
        hint: 'Names and values are those of the server’s SET.',
      });
    }
  }
}

/** Closes the connection; returns when the socket is closed. */
export const close = (connection: Connection): Promise<void> =>
  new Promise((resolve) => {
    if (connection.closed) return resolve();
    connection.once('end', () => resolve());
    connection.close();
  });
