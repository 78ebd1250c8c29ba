import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import mysql from 'mysql2';
import { expect, onTestFinished, test, vi } from 'vitest';
import { promised } from '../../shared/promised.ts';
import { type DriverConnection, LeanPath } from './lean-path.ts';
import { mostBytes, queriesPacket, queryPacket } from './packets.ts';

const require = createRequire(import.meta.url);
const { Handshake } = require(join(dirname(require.resolve('mysql2')), 'lib/packets/index.js'));

/** Packets of one answer, numbered as a server does. */
function answer(...bodies: readonly (readonly number[] | Uint8Array)[]): Buffer {
  return Buffer.concat(
    bodies.map((body, i) =>
      Buffer.concat([Buffer.from([body.length, body.length >> 8, body.length >> 16, i + 1]), Buffer.from(body)]),
    ),
  );
}
const moreResults = 8;
const ok = (affected: readonly number[], status = 2) => [0, ...affected, 0, status, 0, 0, 0];
const end = (status = 2) => [0xfe, 0, 0, status, 0];
const error = (message: string) => Buffer.concat([Buffer.from([0xff, 0x26, 0x04]), Buffer.from(`#23000${message}`)]);
const column = Buffer.from(`\x03def${'\x01x'.repeat(5)}\x0c\x3f\0\x14\0\0\0\x08\0\0\0\0\0`, 'latin1');
/** A row whose first value is a text of more than 16 MB begins like an end. */
const likeAnEnd = Buffer.concat([Buffer.from([0xfe, 5, 0, 0, 0, 0, 0, 0, 0]), Buffer.from('hello')]);

/** A connection of the driver's own, whose socket is the test. */
async function openPath() {
  const written: Buffer[] = [];
  const destroyed: string[] = [];
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    writableLength: 0,
    write: (bytes: Uint8Array) => written.push(Buffer.from(bytes)) > 0,
    end() {},
    destroy: (reason?: Error) => void destroyed.push(reason?.message ?? ''),
  });
  const driver = mysql.createConnection({ stream: socket, rowsAsArray: true } as mysql.ConnectionOptions);
  driver.on('error', () => {});
  const connected = new Promise((resolve) => driver.once('connect', resolve));
  const say = (bytes: Uint8Array) => void socket.emit('data', Buffer.from(bytes));
  const hello = new Handshake({
    ...{ protocolVersion: 10, serverVersion: '8.0', capabilityFlags: 0x81_a2_08, characterSet: 45, statusFlags: 2 },
    ...{ connectionId: 1, authPluginData1: Buffer.alloc(8), authPluginData2: Buffer.alloc(12) },
  }).toPacket(0);
  hello.writeHeader(0);
  say(hello.buffer);
  const welcome = answer(ok([0]));
  welcome[3] = 2;
  say(welcome);
  await connected;
  written.length = 0;
  const path = new LeanPath(driver as unknown as DriverConnection, (reason) => reason, 0);
  return { driver, say, socket, written, destroyed, path, ask: promised(path.send) };
}

const call = queryPacket('SELECT', false);

/** Cuts bytes at random places. */
const cut = (bytes: Buffer, at: readonly number[]): readonly Buffer[] => {
  const places = [0, ...at.map((place) => place % bytes.length).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((stop, i) => bytes.subarray(places[i], stop));
};

test('however answers are cut into pieces, they are the same, and the driver is in order behind them', () => {
  const warned = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => warned.mockRestore());
  return fc.assert(
    fc.asyncProperty(fc.array(fc.nat(400), { maxLength: 12 }), async (at) => {
      const { driver, say, ask, written } = await openPath();
      const answers = Promise.allSettled(Array.from({ length: 7 }, () => ask(call)));
      expect(written).toEqual(Array(7).fill(call));
      const bytes = Buffer.concat([
        answer([2], column, column, end(), [0, 0, 1, 2], likeAnEnd, [0xfb, 0xfb], end()),
        answer(ok([0xfd, 1, 2, 3])),
        answer(
          [1],
          column,
          end(),
          [1, 0x35],
          [1, 0x36],
          end(moreResults),
          [1],
          column,
          end(),
          [1, 0x37],
          end(moreResults),
          ok([9]),
        ),
        answer(error('There is one.')),
        answer([1], column, end(), [1, 0x35], error('In the middle.')),
        answer(ok([5], moreResults), error('The second.')),
        answer(ok([0xfc, 1, 2])),
      ]);
      for (const piece of cut(bytes, at)) say(piece);
      const failed = (message: string) => ({
        status: 'rejected',
        reason: { errno: 1062, sqlState: '23000', message },
      });
      expect(await answers).toMatchObject([
        ...[3, 0x03_02_01, 2].map((rows) => ({ value: rows })),
        ...['There is one.', 'In the middle.', 'The second.'].map(failed),
        { value: 0x02_01 },
      ]);
      const own = new Promise((resolve, reject) =>
        driver.query('SELECT 1', (thrown, rows) => (thrown ? reject(thrown) : resolve(rows))),
      );
      say(answer([1], column, end(), [1, 0x31], end()));
      expect(await own).toEqual([[1]]);
      expect(warned, 'packets out of order').not.toHaveBeenCalled();
    }),
    { numRuns: 100 },
  );
});

test('a row of more than 16 MB comes in several packets, and is one row', async () => {
  const { say, ask } = await openPath();
  for (const last of [0, 3]) {
    const asked = ask(call);
    const bytes = answer([1], column, end(), Buffer.alloc(mostBytes, 1), Buffer.alloc(last, 0xfe), [1, 0x36], end());
    for (let at = 0; at < bytes.length; at += 1_000_003) say(bytes.subarray(at, at + 1_000_003));
    expect(await asked).toBe(2);
  }
});

test.each([
  ['an empty packet', answer([]), 'an empty packet'],
  ['a request for a file', answer([0xfb, 0x61]), 'a file of the client'],
])('%s ends the connection', async (_, bytes, message) => {
  const { say, ask, destroyed } = await openPath();
  ask(call).catch(() => {});
  say(Buffer.concat([bytes, Buffer.from([0])]));
  expect(destroyed[0]).toContain(message);
});

test('a lost connection fails all calls, those under way and those that come', async () => {
  const { socket, ask } = await openPath();
  const settled = Promise.allSettled([ask(call), ask(call)]);
  socket.emit('close');
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(ask(call)).rejects.toMatchObject({ code: 'PROTOCOL_CONNECTION_LOST' });
});

test('what the server says by itself ends the connection by the driver, and is why the next call fails', async () => {
  const { driver, say, ask } = await openPath();
  const told = new Promise<Error>((resolve) => driver.once('error', resolve));
  const bytes = answer(error('You were idle.'));
  bytes[3] = 0;
  say(bytes);
  expect(await told).toMatchObject({ message: 'You were idle.' });
  await expect(ask(call)).rejects.toMatchObject({ code: 'PROTOCOL_CONNECTION_LOST' });
});

test('a text of several statements has an answer for each, and an error ends it, however it is cut into pieces', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.nat(400), { maxLength: 12 }), async (at) => {
      const { path, say, ask, written } = await openPath();
      const packet = queriesPacket(
        ['INSERT 1', 'SELECT 2', 'INSERT 3', 'INSERT 4'].map((text) => Buffer.from(text)),
        false,
      );
      expect(packet.subarray(5).toString()).toBe('INSERT 1;SELECT 2;INSERT 3;INSERT 4');
      const asked = Array.from({ length: 4 }, () => Promise.withResolvers<number>());
      const together = Promise.allSettled(asked.map(({ promise }) => promise));
      path.sendTogether(
        packet,
        asked.map(({ resolve, reject }) => ({ answered: resolve, failed: reject })),
      );
      const next = ask(call);
      expect(written).toEqual([packet, call]);
      const bytes = Buffer.concat([
        answer(
          ok([5], moreResults),
          [1],
          column,
          end(moreResults),
          [1, 0x31],
          [1, 0x32],
          end(moreResults),
          error('No.'),
        ),
        answer(ok([7])),
      ]);
      for (const piece of cut(bytes, at)) say(piece);
      const [first, second, ...others] = await together;
      expect([first, second]).toMatchObject([{ value: 5 }, { value: 2 }]);
      for (const one of others) expect(one).toMatchObject({ status: 'rejected', reason: { message: 'No.' } });
      expect(await next).toBe(7);
    }),
  ));

test('a server that answers fewer statements than it was sent is gone', async () => {
  const { path, say, destroyed } = await openPath();
  path.sendTogether(
    queriesPacket([Buffer.from('A'), Buffer.from('B')], false),
    [1, 2].map(() => ({ answered() {}, failed() {} })),
  );
  say(answer(ok([1])));
  expect(destroyed).toEqual(['The server has answered fewer statements than it was sent.']);
});
