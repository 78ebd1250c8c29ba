import { fork } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { childEnvironment } from '#platform/child-environment.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import type { NetworkShape } from './link.ts';
import { startNetworkEmulator } from './network-emulator.ts';

/** A server with a network emulator before it, both gone after the test; and connections through the emulator. */
async function emulated(shape: Partial<NetworkShape>, serve: (socket: Socket) => void) {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    socket.on('error', () => {});
    serve(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  const emulator = await startNetworkEmulator({ roundTripMs: 0, jitterMs: 0, mbit: 0, seed: 1, ...shape }, [endpoint]);
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await emulator[Symbol.asyncDispose]();
    server.close();
  });
  const open = async () => {
    const socket = connect({ ...emulator.instead(endpoint), noDelay: true, allowHalfOpen: true });
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  return { emulator, open };
}

const echo = (socket: Socket) => void socket.pipe(socket);

/** How long it took to get this answer, ms. */
async function ask(socket: Socket, text: string): Promise<number> {
  const start = performance.now();
  socket.write(text);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toBe(text);
  return performance.now() - start;
}

const sha = (data: Buffer) => createHash('sha256').update(data).digest('hex');
async function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

test('a round trip takes at least the delay, and the emulator tells what it added', async () => {
  const { emulator, open } = await emulated({ roundTripMs: 12 }, echo);
  const socket = await open();
  await ask(socket, 'before the measured phase');
  emulator.begin();
  for (let i = 0; i < 10; i++) expect(await ask(socket, `number ${i}`)).toBeGreaterThan(12);
  const { intended, added, sentBytes, receivedBytes } = await emulator.report();
  expect([sentBytes, receivedBytes]).toEqual([80, 80]);
  expect(Histogram.decode(intended).mean / 1e6).toBeCloseTo(12, 1);
  expect(Histogram.decode(added).count).toBe(10);
  expect(Histogram.decode(added).min / 1e6).toBeGreaterThan(11.9);
});

test('jitter never changes the order of bytes, and ends are passed on one direction at a time', async () => {
  const { open } = await emulated({ roundTripMs: 2, jitterMs: 6 }, echo);
  const socket = await open();
  const data = randomBytes(3 * 2 ** 20);
  const all = readAll(socket);
  for (let at = 0; at < data.length; at += 50_000) {
    socket.write(data.subarray(at, at + 50_000));
    if (at % 400_000 === 0) await sleep(1);
  }
  // The server ends its side only when it has seen our end: an answer to a half-closed connection.
  socket.end();
  expect(sha(await all)).toBe(sha(data));
});

test('the limit is for all connections together', async () => {
  const { open } = await emulated({ mbit: 80 }, (socket) => void readAll(socket).then(() => socket.end('x')));
  const sockets = await Promise.all([open(), open()]);
  const start = performance.now();
  const done = sockets.map(readAll);
  for (const socket of sockets) socket.end(Buffer.alloc(500_000));
  await Promise.all(done);
  // 1 MB at 10 MB/s
  expect(performance.now() - start).toBeGreaterThan(100);
});

test('a reset is passed on', async () => {
  const { open } = await emulated({ roundTripMs: 4 }, (socket) => socket.on('data', () => socket.resetAndDestroy()));
  const socket = await open();
  socket.write('x');
  const [error] = await once(socket, 'error');
  expect(error).toMatchObject({ code: 'ECONNRESET' });
});

test('who does not read makes the sender wait, and gets all of it in the end', async () => {
  const taken = Promise.withResolvers<Socket>();
  const { open } = await emulated({ roundTripMs: 2 }, (socket) => taken.resolve(socket.pause()));
  const socket = await open();
  const total = 64 * 2 ** 20;
  socket.write(Buffer.alloc(total));
  socket.end();
  const server = await taken.promise;
  let left = -1;
  while (left !== socket.writableLength) {
    left = socket.writableLength;
    await sleep(300);
  }
  // A write is done as a whole: all of it is left as long as the system did not take its end.
  expect(left).toBe(total);
  expect((await readAll(server)).length).toBe(total);
});

test('a server that cannot be reached is named', async () => {
  const nobody = { host: '127.0.0.1', port: 9 };
  const emulator = await startNetworkEmulator({ roundTripMs: 0, jitterMs: 0, mbit: 1, seed: 1 }, [nobody]);
  onTestFinished(() => emulator[Symbol.asyncDispose]());
  const socket = connect(emulator.instead(nobody));
  await once(socket, 'error');
  await emulator.report();
  expect(emulator.refused).toMatchObject({
    kind: 'unreachable',
    code: 'ECONNREFUSED',
    message: expect.stringContaining('The network emulator could not reach 127.0.0.1:9'),
  });
});

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
async function goneSoon(pid: number): Promise<boolean> {
  for (let i = 0; i < 100 && isThere(pid); i++) await sleep(100);
  return !isThere(pid);
}

test('a network emulator that is killed is named, and its connections are lost', async () => {
  const { emulator, open } = await emulated({ roundTripMs: 1 }, echo);
  const socket = await open();
  await ask(socket, 'here');
  const closed = new Promise((resolve) => socket.on('error', resolve).on('end', resolve));
  process.kill(emulator.pid, 'SIGKILL');
  await closed;
  const message = expect.stringContaining(`(process ${emulator.pid}) was killed`);
  await expect(emulator.report()).rejects.toMatchObject({ data: { kind: 'workerGone', code: 'SIGKILL', message } });
});

test('it is gone when it is disposed of, and when its host is killed', async () => {
  const emulator = await startNetworkEmulator({ roundTripMs: 1, jitterMs: 0, mbit: 0, seed: 1 }, []);
  const { pid } = emulator;
  await emulator[Symbol.asyncDispose]();
  expect(isThere(pid)).toBe(false);

  const host = fork(new URL('./orphan.fixture.ts', import.meta.url), { env: childEnvironment(), execArgv: [] });
  const [orphan] = (await once(host, 'message')) as [number];
  expect(isThere(orphan)).toBe(true);
  host.kill('SIGKILL');
  expect(await goneSoon(orphan)).toBe(true);
});
