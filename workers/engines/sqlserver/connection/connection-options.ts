/*
 * Private members of tedious that this file uses; driver-privates.test.ts has a contract for each:
 * Connection.createTokenStreamParser, Connection.loginError, Connection.socket, TokenHandler.onFedAuthInfo, option
 * connector with an address.
 */
import { once } from 'node:events';
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Connection, ConnectionAuthentication, ConnectionConfiguration, ConnectionOptions } from 'tedious';
import type { Endpoint } from '#engine-api/config.ts';
import { DynoError } from '#model/error.ts';
import { oneLine } from '#model/text/printable.ts';
import { socketForReader } from '../../shared/socket-reads.ts';
import { pem } from '../../shared/tls.ts';
import type { SqlServerConfig } from '../config.ts';
import type { LoginError } from '../errors.ts';
import type { SessionOptions } from '../options.ts';
import { noteLosses } from '../wire/losses.ts';

/**
 * Over TLS the server accepts no larger packets (manual, "Configure the network packet size") and closes the
 * connection.
 */
const largestEncryptedPacket = 16_383;
/**
 * The packet size until the login is over. The driver ignores it, and an Entra token is longer. The server answers with
 * the size that it grants.
 */
const loginPacket = 4_096;

/**
 * The ms in which a server has to confirm a cancel (it rolls back first). After that the driver gives the connection
 * up.
 */
const cancelTimeoutMs = 60_000;

const packetOf = ({ encrypt }: SqlServerConfig, { packetSize }: SessionOptions): number =>
  encrypt === 'false' ? packetSize : Math.min(packetSize, largestEncryptedPacket);

/** The options with which either driver connects, marked by `tag`, set up as SSMS does. */
export const connectionConfig = (
  config: SqlServerConfig,
  tag: string,
  session: SessionOptions,
): ConnectionConfiguration & {
  readonly authentication: ConnectionAuthentication;
  readonly options: ConnectionOptions;
} => ({
  server: config.host,
  authentication: authenticationOf(config),
  options: { ...networkOptions(config, session), ...ssmsSettings, packetSize: packetOf(config, session), appName: tag },
});

/**
 * Makes settings for which there is no option; call it before the connection is open. `told` receives the server's
 * objections to the login.
 */
export function attend(
  connection: Connection,
  config: SqlServerConfig,
  session: SessionOptions,
  told: LoginError[],
): void {
  const packet = packetOf(config, session);
  if (config.authentication.startsWith('azure'))
    connection.on('secure', () => connection.messageIo.packetSize(Math.min(packet, loginPacket)));
  refuseOtherResources(connection);
  // The error token has the number, which the driver's own error leaves out.
  const hear = (token: LoginError) => told.push(token);
  connection.on('errorMessage', hear);
  // This listens for errors, which would end the process without a listener.
  noteLosses(connection);
  connection.on('connect', (error) => {
    connection.removeListener('errorMessage', hear);
    if (error) return;
    connection.socket?.setNoDelay(session.noDelay); // the driver leaves it off
    // With encrypt: strict the socket itself is TLS. The driver would put several packets into one record, which the
    // server refuses.
    if (connection.socket instanceof TLSSocket) connection.socket.setMaxSendFragment(packet);
  });
}

/** Hosts of the resources that Azure's clouds have for databases. */
const databaseResources = [
  'database.windows.net',
  'database.usgovcloudapi.net',
  'database.chinacloudapi.cn',
  'database.cloudapi.de',
];

interface Inside {
  createTokenStreamParser(message: unknown, handler: LoginHandler): unknown;
  loginError?: Error;
}
interface LoginHandler {
  onFedAuthInfo(token: { readonly spn?: string }): void;
}

/**
 * Refuses a login by Entra for a resource that is no database. The server names the resource for which a token is
 * asked, and gets the token: a token for another service would give that service to whoever answers at the address.
 */
function refuseOtherResources(connection: Connection): void {
  const driver = connection as unknown as Inside;
  const create = driver.createTokenStreamParser;
  driver.createTokenStreamParser = function (message, handler) {
    const note = handler.onFedAuthInfo;
    handler.onFedAuthInfo = (token) => {
      if (isOfDatabases(token.spn)) return note.call(handler, token);
      driver.loginError = new DynoError(
        'authentication',
        `The server asks for a token for ${oneLine(String(token.spn ?? 'nothing').slice(0, 100))}, which is no database.`,
        { hint: 'Is this the server that you mean? A token that a command prints is sent without that question.' },
      );
    };
    return create.call(this, message, handler);
  };
}

function isOfDatabases(resource: string | undefined): boolean {
  if (resource === undefined || !URL.canParse(resource)) return false;
  const { protocol, host, username } = new URL(resource);
  return protocol === 'https:' && username === '' && databaseResources.includes(host);
}

/** The settings of SSMS (manual, "SET statements", and its Query Options), so that plans are the same as there. */
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

function networkOptions(config: SqlServerConfig, { isLean = false }: SessionOptions): ConnectionOptions {
  const { host, port, instance, database, serverName, encrypt, via } = config;
  // With TLS, the TLS socket reads this socket, or streams do, so the lean path cannot read it.
  const takesSocket = isLean && encrypt === 'false';
  return {
    ...(port === null ? {} : { port }),
    ...(via && { connector: connectorTo(via, host, takesSocket) }),
    // The driver itself tries several addresses at a time.
    ...(!via && takesSocket && !config.multiSubnetFailover && { connector: connectLean }),
    ...(instance === null ? {} : { instanceName: instance }),
    ...(database === null ? {} : { database }),
    ...(serverName === null ? {} : { serverName }),
    ...(config.ca === null ? {} : { cryptoCredentialsDetails: { ca: pem('ca', config.ca) } }),
    encrypt: encrypt === 'strict' ? encrypt : encrypt === 'true',
    trustServerCertificate: config.trustServerCertificate,
    multiSubnetFailover: config.multiSubnetFailover,
    readOnlyIntent: config.readOnlyIntent,
    connectTimeout: config.connectTimeoutMs,
    cancelTimeout: cancelTimeoutMs,
    requestTimeout: 0, // a trial has its own time limit
    maxRetriesOnTransientErrors: 0, // to the driver a missing database is "transient"
  };
}

async function opened(socket: Socket, signal: unknown): Promise<Socket> {
  try {
    await once(socket, 'connect', { signal: signal as AbortSignal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Connects with a socket that the lean path takes over. */
const connectLean = (...[to, , signal]: unknown[]): Promise<Socket> =>
  opened(socketForReader().connect(to as TcpNetConnectOpts), signal);

/** The driver keeps the host for the certificate's name; this hook, which its types lack, sets the address. */
const connectorTo =
  (via: Endpoint, host: string, takesSocket: boolean) =>
  async (...[to, , signal]: unknown[]) => {
    const wanted = (to as { readonly host: string }).host;
    if (wanted !== host)
      throw new DynoError(
        'unsupported',
        `The server sends its clients on to ${wanted}, past the network emulator, SSH tunnel or SOCKS proxy.`,
        {
          hint: 'Name that server as the target’s host.',
        },
      );
    return opened(
      takesSocket ? socketForReader().connect(via).setNoDelay(true) : connect({ ...via, noDelay: true }),
      signal,
    );
  };

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
