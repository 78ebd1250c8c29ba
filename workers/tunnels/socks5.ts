import { once } from 'node:events';
import { connect, isIPv4, isIPv6, type Socket } from 'node:net';
import type { Endpoint } from '#engine-api/config.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { mostLoginBytes, type Socks, socksPort, socksText } from '#model/socks.ts';

/**
 * A client of SOCKS5 proxies (RFC 1928, with the login of RFC 1929). npm's `socks` cannot log in without a connection
 * to a server, which a test of the proxy alone must not make, and needs a package that nobody maintains.
 */

/** A SOCKS proxy with its password in clear text. */
export interface OpenSocks extends Socks {
  readonly password?: string;
}

const version = 5;
const loginVersion = 1;
const methods = { none: 0, login: 2, refused: 0xff } as const;
const addressTypes = { ipv4: 1, name: 3, ipv6: 4 } as const;
/** The proxy may have to look a name up and to try several addresses. */
const answerWithinMs = 20_000;

/** The proxy's answers to a request (RFC 1928, section 6), as words. */
const replies: Readonly<Record<number, string>> = {
  1: 'general failure',
  2: 'not allowed by its rules',
  3: 'network unreachable',
  4: 'host unreachable',
  5: 'connection refused',
  6: 'time to live expired',
  7: 'command not supported',
  8: 'kind of address not supported',
};
const notAllowed = 2;

/**
 * A connection to the proxy, logged in, that waits for a request. @throws DynoError 'unreachable' where there is no
 * SOCKS5 proxy, 'authentication' where it refuses the login.
 */
export async function logInToProxy(proxy: OpenSocks): Promise<Socket> {
  const { host, port = socksPort, user, password = '' } = proxy;
  // The server's bytes are passed on as they come, and so is its end.
  const socket = connect({ host, port, noDelay: true, allowHalfOpen: true });
  try {
    limit(socket);
    await once(socket, 'connect');
    const offered = user === undefined ? [methods.none] : [methods.none, methods.login];
    socket.write(Buffer.from([version, offered.length, ...offered]));
    const [answered, method] = await take(socket, 2);
    if (answered !== version) throw noProxy(proxy);
    if (method === methods.refused) throw noMethod(proxy);
    if (method === methods.login && user !== undefined) {
      const [name, secret] = [Buffer.from(user), Buffer.from(password)];
      if (Math.max(name.length, secret.length) > mostLoginBytes)
        throw new DynoError('badInput', `User and password of a SOCKS proxy have at most ${mostLoginBytes} bytes.`);
      socket.write(
        Buffer.concat([Buffer.from([loginVersion, name.length]), name, Buffer.from([secret.length]), secret]),
      );
      const [, status] = await take(socket, 2);
      if (status !== 0)
        throw new DynoError('authentication', `The SOCKS proxy ${socksText(proxy)} refuses the login.`, {
          hint: 'Check the user and the password of the proxy, which are not those of the server behind it.',
        });
    } else if (method !== methods.none) throw noProxy(proxy);
    socket.setTimeout(0);
    return socket;
  } catch (thrown) {
    socket.destroy();
    throw thrown instanceof DynoError ? thrown : notReached(proxy, thrown);
  }
}

/**
 * Connects a connection of {@link logInToProxy} to a server, whose first bytes stay in the socket. @throws DynoError
 * 'permission' where the proxy's rules forbid it, 'unreachable' where it cannot reach the server.
 */
export async function requestServer(socket: Socket, proxy: OpenSocks, to: Endpoint): Promise<void> {
  try {
    limit(socket);
    const port = Buffer.alloc(2);
    port.writeUInt16BE(to.port);
    socket.write(Buffer.concat([Buffer.from([version, 1, 0]), addressOf(to.host), port]));
    const [answered, reply = 1, , type] = await take(socket, 4);
    if (answered !== version) throw noProxy(proxy);
    if (reply !== 0) throw refused(proxy, to, reply);
    // The address from which the proxy connects is not needed.
    const length = type === addressTypes.name ? (await take(socket, 1))[0]! : type === addressTypes.ipv6 ? 16 : 4;
    await take(socket, length + port.length);
    socket.setTimeout(0);
  } catch (thrown) {
    socket.destroy();
    throw thrown instanceof DynoError ? thrown : notReached(proxy, thrown);
  }
}

function limit(socket: Socket): void {
  socket.setTimeout(answerWithinMs, () =>
    socket.destroy(Object.assign(new Error(`No answer within ${answerWithinMs / 1_000} s.`), { code: 'ETIMEDOUT' })),
  );
}

/** Names go to the proxy as they are; it looks them up. */
function addressOf(host: string): Buffer {
  if (isIPv4(host)) return Buffer.from([addressTypes.ipv4, ...host.split('.').map(Number)]);
  if (isIPv6(host)) return Buffer.from([addressTypes.ipv6, ...ipv6Bytes(host)]);
  const name = Buffer.from(host);
  return Buffer.concat([Buffer.from([addressTypes.name, name.length]), name]);
}

function ipv6Bytes(address: string): readonly number[] {
  // The URL parser writes it in eight groups or fewer, all of them hexadecimal.
  const [before = '', after] = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const [first, last] = [groups(before), groups(after ?? '')];
  const all = [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
  return all.flatMap((group) => [group >> 8, group & 0xff]);
}

/** Reads exactly this many bytes; further bytes stay in the socket. */
async function take(socket: Socket, length: number): Promise<Buffer> {
  let taken: Buffer = Buffer.alloc(0);
  while (taken.length < length) {
    // The whole content is read, because a stream with remaining bytes reports itself readable again and again.
    const part = socket.read() as Buffer | null;
    if (part !== null) taken = Buffer.concat([taken, part]);
    else if (socket.readableEnded) throw Object.assign(new Error('It hung up.'), { code: 'ECONNRESET' });
    else await Promise.race([once(socket, 'readable'), once(socket, 'end')]);
  }
  if (taken.length > length) socket.unshift(taken.subarray(length));
  return taken.subarray(0, length);
}

const noProxy = (proxy: OpenSocks): DynoError =>
  new DynoError('unreachable', `What answers at ${socksText(proxy)} is no SOCKS5 proxy.`, {
    hint: 'Proxies of HTTP and SOCKS4 are none. Check host and port of the proxy.',
  });

const noMethod = (proxy: OpenSocks): DynoError =>
  new DynoError('authentication', `The SOCKS proxy ${socksText(proxy)} lets nobody in without another login.`, {
    hint:
      proxy.user === undefined
        ? 'It asks for a user: give the connection’s proxy one.'
        : 'It takes no user and password: leave the user out, or ask its administrator (Dyno has no GSSAPI for proxies).',
  });

function notReached(proxy: OpenSocks, thrown: unknown): DynoError {
  const { code, message } = toErrorData(thrown);
  return new DynoError('unreachable', `The SOCKS proxy ${socksText(proxy)} does not answer: ${code ?? message}.`, {
    code,
    hint: 'Is the proxy running, are its host and port right, and is there a way to it from this machine?',
  });
}

const refused = (proxy: OpenSocks, { host, port }: Endpoint, reply: number): DynoError =>
  new DynoError(
    reply === notAllowed ? 'permission' : 'unreachable',
    `The SOCKS proxy ${socksText(proxy)} does not reach ${host}:${port}: ${replies[reply] ?? `reply ${reply}`}.`,
    {
      hint:
        reply === notAllowed
          ? 'The rules of the proxy forbid this host or port.'
          : 'Names and addresses are those that the proxy knows: is the server running there, and are host and port right as seen from it?',
    },
  );
