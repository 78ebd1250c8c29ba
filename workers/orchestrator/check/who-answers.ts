import { createConnection } from 'node:net';
import type { Endpoint, Greeting } from '#engine-api/config.ts';
import { catalog } from '#engines/catalog.ts';

/** The product that answers at a port; `nobody` if the port no longer answers. */
type Answering =
  | { readonly is: 'itself' | 'silent' | 'hangsUp' | 'unknown' | 'nobody' }
  | { readonly is: 'stranger'; readonly name: string };

interface Known extends Greeting {
  readonly name: string;
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const speaks = (name: string, first: RegExp): Known => ({
  name,
  ask: null,
  isAnswer: (bytes) => first.test(text(bytes)),
});

/** Other products that often listen on ports that users take for a database's. */
const services: readonly Known[] = [
  speaks('an SSH server', /^SSH-/),
  speaks('a mail or FTP server', /^(?:220[ -]|\+OK |\* OK)/),
  speaks('Redis', /^-(?:ERR|DENIED|NOAUTH)/),
  speaks('a VNC server', /^RFB /),
  speaks('RabbitMQ or another AMQP server', /^AMQP/),
  speaks('an HTTP server', /^(?:HTTP\/|<!doctype html|<html)/i),
  {
    name: 'a server that speaks nothing but TLS',
    ask: null,
    // A TLS server refuses a message that is not TLS with an alert (RFC 8446, 5.1 and 6).
    isAnswer: (bytes) => bytes.length === 7 && bytes[0] === 0x15 && bytes[1] === 3,
  },
];
/** A request that HTTP servers answer. Servers that greet first, or refuse the request, are known by their answers. */
const http = new TextEncoder().encode('HEAD / HTTP/1.0\r\n\r\n');

const firstWordsMs = 600;
const answerMs = 1_500;

/**
 * Finds out which product is at a port that a driver of this engine could not use. Engines send only requests that any
 * client may send; a server of the engine's own gets no other request. Rejects only on the signal.
 */
export async function whoAnswers(engine: string, endpoint: Endpoint, signal: AbortSignal): Promise<Answering> {
  const engines = catalog.flatMap(({ descriptor, config }) =>
    config.greeting ? [{ id: descriptor.id, name: descriptor.label, ...config.greeting }] : [],
  );
  const listen = (ask: Uint8Array | null) => talk(endpoint, ask, ask === null ? firstWordsMs : answerMs, signal);
  const own = engines.find(({ id }) => id === engine);
  if (own) {
    const heard = await listen(own.ask);
    if (heard.bytes.length > 0 && own.isAnswer(heard.bytes)) return { is: 'itself' };
  }
  const first = await listen(null);
  if (!first.connected) return { is: 'nobody' };
  if (first.bytes.length > 0)
    return stranger(first.bytes, [...engines.filter(({ ask }) => ask === null), ...services]) ?? { is: 'unknown' };
  if (first.closed) return { is: 'hangsUp' };
  const asking = engines.filter(({ ask }) => ask !== null);
  const heard = await Promise.all([...asking.map(({ ask }) => listen(ask)), listen(http)]);
  const known = asking.find((one, index) => one.isAnswer(heard[index]?.bytes ?? new Uint8Array()));
  if (known) return known === own ? { is: 'itself' } : { is: 'stranger', name: known.name };
  const said = heard.filter(({ bytes }) => bytes.length > 0);
  for (const { bytes } of said) {
    const found = stranger(bytes, services);
    if (found) return found;
  }
  if (said.length > 0) return { is: 'unknown' };
  return { is: heard.some(({ closed }) => closed) ? 'hangsUp' : 'silent' };
}

const stranger = (bytes: Uint8Array, known: readonly Known[]): Answering | null => {
  const found = known.find((one) => one.isAnswer(bytes));
  return found ? { is: 'stranger', name: found.name } : null;
};

/** The bytes that the server at an address has sent. */
interface Heard {
  readonly connected: boolean;
  /** True if the other side closed the connection in time. */
  readonly closed: boolean;
  readonly bytes: Uint8Array;
}

/** The rest of an answer follows its beginning within this time, or is not needed. */
const restMs = 100;
const mostBytes = 4_096;

/** Connects, sends a message, and reads the beginning of the answer for at most `ms`. */
export function talk(
  { host, port }: Endpoint,
  ask: Uint8Array | null,
  ms: number,
  signal: AbortSignal,
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let connected = false;
    const socket = createConnection({ host, port });
    const end = (closed: boolean) => {
      clearTimeout(limit);
      clearTimeout(rest);
      signal.removeEventListener('abort', abort);
      socket.destroy();
      resolve({ connected, closed, bytes: Buffer.concat(chunks) });
    };
    const abort = () => {
      reject(signal.reason as Error);
      end(false);
    };
    // A server that sends single bytes now and then must not extend the time limit.
    const limit = setTimeout(() => end(false), ms);
    let rest: NodeJS.Timeout | undefined;
    signal.addEventListener('abort', abort, { once: true });
    socket.on('connect', () => {
      connected = true;
      if (ask) socket.write(ask);
    });
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (chunks.reduce((sum, one) => sum + one.length, 0) > mostBytes) return end(false);
      clearTimeout(rest);
      rest = setTimeout(() => end(false), restMs);
    });
    socket.on('error', () => end(connected));
    socket.on('close', () => end(true));
  });
}
