import { connect, credsAuthenticator, type NatsConnection, nkeyAuthenticator } from '@nats-io/transport-node';
import { DynoError, toErrorData } from '#model/error.ts';
import { readGiven } from '#platform/given-file.ts';
import { type BusUser, inboxPrefix } from './nats-server.ts';

/** The address of a bus, and the login there. */
export interface BusAddress {
  /** Addresses of NATS servers, separated by commas: nats://host:port or tls://host:port. */
  readonly url: string;
  /** Absent: the server asks for no user, or the credentials file names it. */
  readonly user?: BusUser;
  /** The path of a credentials file: a user's JWT and seed, as `nsc` makes it, or the seed of an NKey alone. */
  readonly credentials?: string;
  /** The path of the CA certificates (PEM) of the server. Absent: the CAs that Node trusts. */
  readonly ca?: string;
}

/** The largest file with certificates or credentials. */
const mostBytes = 1_000_000;
const connectWithinMs = 10_000;
/** The time after which both sides of a lost link have given up. */
const reconnectForMs = 120_000;
const reconnectEachMs = 250;

/**
 * Connects, and reconnects after losses. Throws 'unreachable', 'authentication', or 'badInput' for files that cannot be
 * used.
 */
export async function connectBus({ url, user, credentials, ca }: BusAddress, name: string): Promise<NatsConnection> {
  const servers = url.split(',').map((one) => one.trim());
  const wantsTls = servers.some((one) => one.startsWith('tls:'));
  const files = {
    ...(credentials !== undefined && { authenticator: authenticatorOf(credentials) }),
    ...(ca !== undefined && { tls: { ca: readText(ca) } }),
  };
  let bus: NatsConnection;
  try {
    bus = await connect({
      servers,
      name,
      timeout: connectWithinMs,
      ...(user && { user: user.user, pass: user.password, inboxPrefix: inboxPrefix(user.user) }),
      ...files,
      reconnectTimeWait: reconnectEachMs,
      reconnectJitter: 50,
      maxReconnectAttempts: reconnectForMs / reconnectEachMs,
      pingInterval: 5_000,
      maxPingOut: 2,
    });
  } catch (thrown) {
    const { message } = toErrorData(thrown);
    const isRefused = /authoriz|authentic/i.test(message);
    throw new DynoError(isRefused ? 'authentication' : 'unreachable', `The bus at ${url} cannot be used: ${message}`, {
      hint: isRefused
        ? 'Check its credentials.'
        : /certificate|self.signed/i.test(message)
          ? 'Name the certificates that sign the server’s (--ca).'
          : 'Is nats-server running there, and does a firewall let it be reached?',
    });
  }
  if (!wantsTls) return bus;
  if (!isEncrypted(bus)) {
    await bus.close();
    throw noTls(url);
  }
  void closeWhereUnencrypted(bus);
  return bus;
}

const noTls = (url: string): DynoError =>
  new DynoError('unreachable', `The bus at ${url} speaks no TLS, and its address asks for it.`, {
    hint: 'Give nats-server a certificate (tls in its configuration), or write nats:// where the network is yours alone.',
  });

/** The client lets the server decide for each link whether it is encrypted; the types hide the answer. */
const isEncrypted = (bus: NatsConnection): boolean =>
  (
    bus as unknown as { readonly protocol: { readonly transport: { isEncrypted(): boolean } } }
  ).protocol.transport.isEncrypted();

async function closeWhereUnencrypted(bus: NatsConnection): Promise<void> {
  for await (const { type } of bus.status()) if (type === 'reconnect' && !isEncrypted(bus)) await bus.close();
}

function authenticatorOf(file: string) {
  const text = readText(file);
  if (text.includes('BEGIN NATS USER JWT')) return credsAuthenticator(Buffer.from(text));
  const [seed] = /\bSU[A-Z2-7]{56}\b/.exec(text) ?? [];
  if (seed === undefined)
    throw new DynoError('badInput', `${file} holds no credentials of NATS.`, {
      hint: 'It is a file of `nsc generate creds`, or the seed of a user’s NKey (SU…) of `nk -gen user`.',
    });
  return nkeyAuthenticator(Buffer.from(seed));
}

function readText(file: string): string {
  try {
    return readGiven(file, mostBytes, 'certificates or credentials').toString('utf8');
  } catch (thrown) {
    throw new DynoError('badInput', toErrorData(thrown).message);
  }
}
