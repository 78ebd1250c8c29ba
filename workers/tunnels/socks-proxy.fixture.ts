import { connect, type Socket } from 'node:net';
import { listening } from '#platform/listening.fixture.ts';

/** The behaviour of a test's proxy. */
interface ProxyOptions {
  /** The login that it asks for. Default: none. */
  readonly login?: { readonly user: string; readonly password: string };
  /** The addresses of names that only the proxy knows. */
  readonly names?: Readonly<Record<string, { readonly host: string; readonly port: number }>>;
  /** The reply to every request, by RFC 1928, instead of a connection. */
  readonly reply?: number;
  /** Bytes of its answers after which it hangs up. */
  readonly hangUpAfter?: number;
}

/** A SOCKS5 proxy of the test's own on 127.0.0.1. Disposing of it ends all that goes through it. */
export interface TestProxy extends AsyncDisposable {
  readonly port: number;
  /** The addresses of all requests, as the client wrote them. */
  readonly requests: readonly string[];
  /** Logins and greetings that it took. */
  readonly greetings: () => number;
}

/** Starts it. */
export async function startProxy(options: ProxyOptions = {}): Promise<TestProxy> {
  const requests: string[] = [];
  let greetings = 0;
  const onward = new Set<Socket>();
  const server = await listening((client) => {
    let left = options.hangUpAfter ?? Number.POSITIVE_INFINITY;
    const say = (...bytes: readonly number[]) => {
      client.write(Buffer.from(bytes.slice(0, left)));
      left -= bytes.length;
      if (left <= 0) client.end();
    };
    client.allowHalfOpen = true;
    let state: 'greeting' | 'login' | 'request' = 'greeting';
    client.on('data', function answer(data: Buffer) {
      if (state === 'greeting') {
        greetings++;
        const wanted = options.login ? 2 : 0;
        const offered = [...data.subarray(2, 2 + data[1]!)];
        state = options.login ? 'login' : 'request';
        say(5, offered.includes(wanted) ? wanted : 0xff);
      } else if (state === 'login') {
        const user = data.subarray(2, 2 + data[1]!).toString();
        const password = data.subarray(3 + data[1]!).toString();
        state = 'request';
        say(1, user === options.login?.user && password === options.login.password ? 0 : 1);
      } else {
        client.off('data', answer).pause();
        const [host, port] = addressIn(data);
        requests.push(`${host}:${port}`);
        const done = (reply: number) => say(5, reply, 0, 1, 127, 0, 0, 1, 0, 0);
        if (options.reply !== undefined) return done(options.reply);
        const to = options.names?.[host] ?? { host, port };
        const far = connect({ ...to, allowHalfOpen: true }, () => {
          done(0);
          client.pipe(far).pipe(client);
        });
        onward.add(far);
        far.on('error', () => done(5)).on('close', () => client.destroy());
        client.on('close', () => far.destroy());
      }
    });
  });
  return {
    port: server.port,
    requests,
    greetings: () => greetings,
    async [Symbol.asyncDispose]() {
      for (const socket of onward) socket.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The address in a request. */
function addressIn(data: Buffer): readonly [host: string, port: number] {
  const type = data[3];
  const [from, length] = type === 1 ? [4, 4] : type === 4 ? [4, 16] : [5, data[4]!];
  const bytes = data.subarray(from, from + length);
  const host =
    type === 1 ? bytes.join('.') : type === 4 ? (bytes.toString('hex').match(/.{4}/g) ?? []).join(':') : `${bytes}`;
  return [host, data.readUInt16BE(from + length)];
}
