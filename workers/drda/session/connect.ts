import { connect as connectSocket, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { DrdaError } from '../errors.ts';
import { defaultLimits, type Limits } from '../limits.ts';
import { canEncrypt } from '../security/encrypted.ts';
import { type Mechanism, mechanismText, strongest } from '../security/mechanisms.ts';
import { type DrdaConnection, openConnection } from './connection.ts';
import { type LoggedIn, logIn } from './handshake.ts';
import { OtherMechanisms } from './login-replies.ts';
import type { Login } from './login-requests.ts';
import { Transport } from './transport.ts';

export interface ConnectOptions {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** Null: the server asks for a user's name alone, or for none. */
  readonly password: string | null;
  /**
   * The way in which the password travels. `auto`: in plain over TLS; without TLS encrypted if the server can, else by
   * the strongest mechanism that it offers, which may be `plain`. Any other mechanism is used, or the connection fails.
   */
  readonly security?: 'auto' | Mechanism;
  /** TLS from the first byte on, with these settings of Node. Null or absent: no TLS. */
  readonly tls?: ConnectionOptions | null;
  /** The limit in ms for looking up the name, the socket, TLS and the login together. Default: 30,000. */
  readonly connectTimeoutMs?: number;
  /**
   * The limit in ms for a server's silence during a call; then the connection ends. Default: 0, which means no limit.
   */
  readonly replyTimeoutMs?: number;
  /** EXTNAM, by which the server's administrator recognises the connection. */
  readonly externalName?: string;
  readonly limits?: Partial<Limits>;
  /** Ends the attempt, with kind 'cancelled'. A connection that is already open stays open. */
  readonly signal?: AbortLike;
}

/** The part of AbortSignal that this client uses. */
export interface AbortLike {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

const defaultConnectTimeoutMs = 30_000;
const longestNameBytes = 255;

/** Connects and logs in. Throws DrdaError: unreachable, tls, security, timeout, cancelled, sql or protocol. */
export async function connect(options: ConnectOptions): Promise<DrdaConnection> {
  const login = checkedLogin(options);
  const security = options.security ?? 'auto';
  const deadline = performance.now() + (options.connectTimeoutMs ?? defaultConnectTimeoutMs);
  const first = security === 'auto' ? firstOf(options) : security;
  const made = await attempt(options, login, first, deadline);
  if (!(made instanceof OtherMechanisms)) return made;
  const next =
    security === 'auto' && first !== 'userOnly' ? strongest(made.codes.filter((code) => code !== encryptedCode)) : null;
  if (next === null || next === first) throw noMechanism(first, made);
  // A new connection is opened, because servers differ in what they expect on the old one after a refusal.
  const again = await attempt(options, login, next, deadline);
  if (again instanceof OtherMechanisms) throw noMechanism(next, again);
  return again;
}

const encryptedCode = 9;

function firstOf({ password, tls }: ConnectOptions): Mechanism {
  if (password === null) return 'userOnly';
  return tls || !canEncrypt() ? 'plain' : 'encrypted';
}

function checkedLogin({ database, user, password, security = 'auto', externalName = 'drda' }: ConnectOptions): Login {
  if (database === '') throw new DrdaError('value', 'The database has no name.');
  if (user === '' || Buffer.byteLength(user) > longestNameBytes)
    throw new DrdaError('value', `The user has no name, or one of more than ${longestNameBytes} bytes.`);
  if (security !== 'auto' && security !== 'userOnly' && password === null)
    throw new DrdaError('security', `Security ${security} needs a password.`);
  if (password === '') throw new DrdaError('security', 'The password is empty: the protocol has no such.');
  return { database, user, password, externalName };
}

function noMechanism(mechanism: Mechanism, { codes }: OtherMechanisms): DrdaError {
  return new DrdaError(
    'security',
    `The server does not take the security mechanism ${mechanism}; it names ${mechanismText(codes)}.`,
  );
}

async function attempt(
  options: ConnectOptions,
  login: Login,
  mechanism: Mechanism,
  deadline: number,
): Promise<DrdaConnection | OtherMechanisms> {
  const limits = { ...defaultLimits, ...options.limits };
  const { signal } = options;
  if (signal?.aborted) throw cancelled();
  let stop: (reason: DrdaError) => void = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = reject;
  });
  const socket = openSocket(options);
  const onAbort = () => stop(cancelled());
  signal?.addEventListener('abort', onAbort);
  const timer = setTimeout(() => stop(late(options)), Math.max(0, deadline - performance.now()));
  let transport: Transport | null = null;
  try {
    await Promise.race([opened(socket, options), stopped]);
    transport = new Transport(socket, limits, options.replyTimeoutMs ?? 0);
    const result: LoggedIn | OtherMechanisms = await Promise.race([logIn(transport, login, mechanism), stopped]);
    if (!(result instanceof OtherMechanisms)) {
      transport.loggedIn();
      return openConnection(transport, login.database, result);
    }
    transport.destroy(new DrdaError('closed', 'The server refused the security mechanism.'));
    return result;
  } catch (thrown) {
    transport?.destroy(new DrdaError('closed', 'The login failed.'));
    socket.destroy();
    throw thrown;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    stopped.catch(() => {});
  }
}

const cancelled = (): DrdaError => new DrdaError('cancelled', 'Connecting was cancelled.');

function late({ host, port, connectTimeoutMs = defaultConnectTimeoutMs }: ConnectOptions): DrdaError {
  return new DrdaError('timeout', `No connection to ${host}:${port} within ${connectTimeoutMs} ms.`);
}

function openSocket({ host, port, tls }: ConnectOptions): Socket {
  const socket = tls ? connectTls({ ...tls, host, port }) : connectSocket({ host, port });
  socket.setNoDelay(true);
  // Nobody reads the errors of an attempt that was given up.
  socket.on('error', () => {});
  return socket;
}

function opened(socket: Socket, { host, port, tls }: ConnectOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error & { code?: string }) => {
      const kind = tls && hadSocket ? 'tls' : 'unreachable';
      const words = kind === 'tls' ? `TLS with ${host}:${port} failed` : `${host}:${port} cannot be reached`;
      reject(new DrdaError(kind, `${words}: ${cause.code ?? cause.message}.`, { cause }));
    };
    let hadSocket = false;
    const ended = () => fail(new Error('the server closed the connection'));
    socket.once('connect', () => {
      hadSocket = true;
    });
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      socket.off('error', fail);
      socket.off('close', ended);
      resolve();
    });
    socket.once('error', fail);
    socket.once('close', ended);
  });
}
