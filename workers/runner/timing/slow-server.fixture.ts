import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { connect as connectTls } from 'node:tls';
import type { Database } from '#engine-api/database.ts';
import type { Operation } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import { DynoError } from '#model/error.ts';

/**
 * A server of another process. It reads lines of JSON and answers them in order: nothing for `firstMs`, a byte, nothing
 * for `restMs`, the rest. `error`: it says no instead; `end`: it closes the connection.
 */
const program = `
const { createServer } = require(process.argv[1] ? 'tls' : 'net');
const options = process.argv[1] ? JSON.parse(process.argv[1]) : {};
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
createServer({ noDelay: true, ...options }, (socket) => {
  let turn = Promise.resolve();
  socket.on('error', () => {});
  require('readline').createInterface({ input: socket }).on('error', () => {}).on('line', (line) => {
    const { firstMs, restMs, bytes, end, error } = JSON.parse(line);
    turn = turn.then(async () => {
      await wait(firstMs);
      if (end) return socket.destroy();
      socket.write(error ? 'n' : 'y');
      await wait(restMs);
      socket.write('x'.repeat(bytes) + '\\n');
    });
  });
}).listen(process.argv[2] || 0, process.argv[2] ? undefined : '127.0.0.1', function () { console.log(this.address().port ?? 0); });
`;

export interface SlowServer extends AsyncDisposable {
  readonly address: NetConnectOpts;
  readonly isTls: boolean;
}

export async function startSlowServer({
  path = '',
  tls = null,
}: {
  readonly path?: string;
  readonly tls?: { readonly key: string; readonly cert: string } | null;
} = {}): Promise<SlowServer> {
  const argv = ['-e', program, tls ? JSON.stringify(tls) : '', path];
  const server = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(createInterface({ input: server.stdout }), 'line');
  return {
    address: path === '' ? { host: '127.0.0.1', port: Number(port) } : { path },
    isTls: tls !== null,
    async [Symbol.asyncDispose]() {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    },
  };
}

/** Keeps the processor busy. Returns the duration, which is longer if other processes need the processor, too. */
export function burn(ms: number): number {
  const start = performance.now();
  for (let now = start; ; now = performance.now()) if (now >= start + ms) return now - start;
}

/** A driver's work by its own clock, in ms. */
export class Spent {
  prepareMs = 0;
  buildMs = 0;
  decodeMs = 0;
  /** The time from a written request to the first bytes of its answer. */
  waitMs = 0;
}

export interface SlowDriver {
  /** The answer that the server is asked for. */
  readonly firstMs?: number;
  readonly restMs?: number;
  readonly bytes?: number;
  /** Busy time: in Operation.encode, in run() before anything is written, and with the whole answer. */
  readonly prepareMs?: number;
  readonly buildMs?: number;
  readonly decodeMs?: number;
  /** run() only promises: the request is built and written in a later turn of the event loop. */
  readonly late?: boolean;
  /** The answer is decoded after the socket's handler has returned. */
  readonly promises?: boolean;
  /** The socket reads into a buffer of the driver's (net.Socket's option onread). */
  readonly ownBuffer?: boolean;
  /** The number of requests that a call sends, one after another. */
  readonly roundTrips?: number;
  readonly spent?: Spent;
  /** The fault for a call, by its number counted over all sessions from 0. */
  readonly fault?: (call: number) => 'error' | 'end' | 'throw' | null;
}

/** A database whose sessions have a connection each. */
export function slowDatabase(server: SlowServer, driver: SlowDriver): Database {
  const { spent = new Spent() } = driver;
  let calls = 0;
  const openSession = async (): Promise<Session> => {
    const line = await openLine(server, driver, spent);
    if (server.isTls) await line.logIn();
    const ask = async (fault: string | null) => {
      const { firstMs = 0, restMs = 0, bytes = 1, roundTrips = 1 } = driver;
      for (let trip = 0; trip < roundTrips; trip++)
        await line.ask({ firstMs, restMs, bytes, end: fault === 'end', error: fault === 'error' });
    };
    const operation: Operation = {
      encode(batch) {
        spent.prepareMs += burn(driver.prepareMs ?? 0);
        return batch.rows;
      },
      run(call) {
        const fault = driver.fault?.(calls++) ?? null;
        if (fault === 'throw') throw new DynoError('constraint', 'Refused before it was sent.');
        return ask(fault).then(() => call as number);
      },
    };
    return {
      prepare: async () => operation,
      begin: () => ask(null),
      commit: () => ask(null),
      rollback: () => ask(null),
      cancel: async () => {},
      wireBytes: () => null,
      async [Symbol.asyncDispose]() {
        line.close();
      },
    };
  };
  return { openSession } as unknown as Database; // Clients use nothing else of a database.
}

async function openLine({ address, isTls }: SlowServer, driver: SlowDriver, spent: Spent) {
  const receive = { take: (_: string) => {} };
  const onread = {
    buffer: Buffer.alloc(65_536),
    callback(length: number, bytes: Uint8Array) {
      receive.take(Buffer.from(bytes.subarray(0, length)).toString('latin1'));
      return true;
    },
  };
  const plain = connect({ ...address, noDelay: true, ...(driver.ownBuffer && { onread }) });
  await once(plain, 'connect');
  // Drivers that agree upon TLS only when they are connected do it like this.
  const socket: Socket = isTls ? connectTls({ socket: plain, rejectUnauthorized: false }) : plain;
  if (isTls) await once(socket, 'secureConnect');
  const waiting: PromiseWithResolvers<string>[] = [];
  let text = '';
  let askedMs = 0;
  receive.take = (chunk) => {
    if (askedMs > 0) spent.waitMs += performance.now() - askedMs;
    askedMs = 0;
    text += chunk;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n')) {
      const answer = text.slice(0, at);
      text = text.slice(at + 1);
      if (!driver.promises) spent.decodeMs += burn(driver.decodeMs ?? 0);
      waiting.shift()?.resolve(answer);
    }
  };
  socket.setEncoding('utf8');
  if (!driver.ownBuffer) socket.on('data', receive.take);
  socket.on('error', () => {});
  socket.on('close', () => {
    for (const { reject } of waiting.splice(0)) reject(new DynoError('timeout', 'The connection was closed.'));
  });
  return {
    async ask(question: object): Promise<void> {
      if (driver.late) await new Promise((resolve) => setImmediate(resolve));
      spent.buildMs += burn(driver.buildMs ?? 0);
      const answer = Promise.withResolvers<string>();
      waiting.push(answer);
      socket.write(`${JSON.stringify(question)}\n`);
      askedMs = performance.now();
      const said = await answer.promise;
      if (driver.promises) spent.decodeMs += burn(driver.decodeMs ?? 0);
      if (said.startsWith('n')) throw new DynoError('constraint', 'The server says no.');
    },
    /** The first call that uses the TLS socket. */
    async logIn(): Promise<void> {
      const answer = Promise.withResolvers<string>();
      waiting.push(answer);
      socket.write(`${JSON.stringify({ firstMs: 0, restMs: 0, bytes: 1 })}\n`);
      await answer.promise;
      spent.decodeMs = 0;
    },
    close: () => socket.destroy(),
  };
}
