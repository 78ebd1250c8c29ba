import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import fc from 'fast-check';
import pg from 'pg';
import { expect, test } from 'vitest';
import { CallRequest, type NamedStatement } from './call-request.ts';
import { LeanPath } from './lean-path.ts';
import { executeNamed, simpleQuery, sync } from './messages.ts';

/** A server's message. */
const message = (type: string, body: Uint8Array | string = ''): Buffer => {
  const bytes = Buffer.from(body as string);
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
};
const ready = (status: 'I' | 'T' | 'E' = 'I') => message('Z', status);
const tag = (text: string) => message('C', `${text}\0`);
const error = (text: string) => message('E', `SERROR\0VERROR\0C23505\0M${text}\0\0`);
const rowOf = (...values: readonly (string | null)[]) => {
  const fields = values.map((value) => {
    const head = Buffer.alloc(4);
    head.writeInt32BE(value === null ? -1 : Buffer.byteLength(value));
    return Buffer.concat([head, Buffer.from(value ?? '')]);
  });
  return message('D', Buffer.concat([Buffer.from([0, values.length]), ...fields]));
};
const columnsOf = (...names: readonly string[]) =>
  message(
    'T',
    Buffer.concat([Buffer.from([0, names.length]), ...names.map((name) => Buffer.from(`${name}\0${'\0'.repeat(18)}`))]),
  );
const bound = message('2');

/** A client of the driver's own, whose socket is the test. */
async function openPath() {
  const written: Buffer[] = [];
  const destroyed: string[] = [];
  const socket = Object.assign(new EventEmitter(), {
    writable: true,
    setNoDelay() {},
    connect() {
      process.nextTick(() => socket.emit('connect'));
    },
    write: (bytes: Uint8Array) => written.push(Buffer.from(bytes)) > 0,
    cork() {},
    uncork() {},
    end() {},
    destroy: (reason: Error) => void destroyed.push(reason.message),
  });
  const client = new pg.Client({ stream: () => socket as unknown as Socket });
  client.on('error', () => {});
  const connected = client.connect();
  await new Promise((resolve) => setImmediate(resolve));
  const say = (bytes: Uint8Array) => void socket.emit('data', Buffer.from(bytes));
  say(Buffer.concat([message('R', Buffer.alloc(4)), ready()]));
  await connected;
  const path = new LeanPath(client, () => new Error('The connection is gone.'));
  return { client, path, say, socket, written, destroyed };
}

/** Has a path make a call, and resolves with its answer. */
function ask(
  path: LeanPath,
  {
    messages = simpleQuery('SELECT'),
    statement = null as NamedStatement | null,
    how = 'send' as 'send' | 'pipeline',
    wantedRows = 0,
  } = {},
) {
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  const request = new CallRequest(messages, { answered: resolve, failed: reject }, statement, wantedRows);
  path[how](request);
  return Object.assign(promise, { request });
}

/** Cuts bytes at random places. */
const cut = (bytes: Buffer, at: readonly number[]): readonly Buffer[] => {
  const places = [0, ...at.map((place) => place % bytes.length).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, i) => bytes.subarray(places[i], end));
};

test('however an answer is cut into pieces, it is the same, also with what the server says by itself', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.nat(400), { maxLength: 12 }), async (at) => {
      const { client, path, say } = await openPath();
      const notices: unknown[] = [];
      client.on('notice', (notice) => notices.push(notice));
      const first = ask(path, { wantedRows: 2 });
      const answers = [first, ask(path), ask(path), ask(path)];
      const failed = expect(answers[2]).rejects.toMatchObject({ code: '23505', message: 'There is one.' });
      const bytes = Buffer.concat([
        ...[columnsOf('number', 'größe'), rowOf('1', null), message('N', 'SNOTICE\0MYes.\0\0'), rowOf('2', 'äöü')],
        ...[tag('SELECT 2'), ready()],
        ...[message('S', 'TimeZone\0UTC\0'), bound, tag('INSERT 0 1234567'), ready('T')],
        ...[bound, rowOf('3'), error('There is one.'), ready('E')],
        ...[tag('ROLLBACK'), ready()],
      ]);
      for (const piece of cut(bytes, at)) say(piece);
      await failed;
      expect(await answers[0]).toBe(2);
      const fields = ['number', 'größe'].map((name) => ({ name, dataTypeID: 0 }));
      expect(first.request.columns).toEqual(fields);
      expect(first.request.rowsAsText()).toEqual([
        ['1', null],
        ['2', 'äöü'],
      ]);
      expect(await answers[1]).toBe(1_234_567);
      expect(await answers[3], 'a tag without a number').toBeNull();
      expect(notices).toHaveLength(1);
      // The driver is in order, too.
      const own = client.query('SELECT 1');
      say(Buffer.concat([columnsOf('one'), rowOf('1'), tag('SELECT 1'), ready()]));
      expect((await own).rowCount).toBe(1);
    }),
    { numRuns: 200 },
  ));

test.each([
  ['2 GB', [0x5a, 0x7f, 0xff, 0xff, 0xff]],
  ['less than its own length', [0x5a, 0xff, 0xff, 0xff, 0xff]],
  ['nothing', [0x5a, 0, 0, 0, 0]],
])('a message of %s that would have to be kept ends the connection', async (_, bytes) => {
  const { path, say, destroyed } = await openPath();
  ask(path).catch(() => {});
  say(Buffer.from([...bytes, 0x49]));
  expect(destroyed).toEqual(['The server has sent a message of an impossible length.']);
});

test('a call that is sent before the driver has heard the end of its failed request waits for its own answer', async () => {
  const { client, path, say } = await openPath();
  const own = client.query('SELECT wrong');
  say(error('No.'));
  await expect(own).rejects.toThrow('No.');
  const answer = ask(path);
  say(ready());
  say(Buffer.concat([tag('SELECT 7'), ready()]));
  expect(await answer).toBe(7);
});

test('within a transaction calls of one turn share a Sync; after one that fails those behind it fail alike', async () => {
  const { path, say, written } = await openPath();
  const begin = ask(path);
  say(Buffer.concat([tag('BEGIN'), ready('T')]));
  await begin;
  written.length = 0;
  const bind = executeNamed('s');
  const answers = [1, 2, 3].map((value) => ask(path, { messages: bind([value]), how: 'pipeline' }));
  const settled = Promise.allSettled(answers);
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toHaveLength(1);
  const withoutSync = (value: number) => bind([value]).subarray(0, -sync.length);
  expect(written[0]).toEqual(Buffer.concat([withoutSync(1), withoutSync(2), bind([3])]));
  say(Buffer.concat([bound, tag('INSERT 0 1')]));
  expect(await answers[0], 'before the Sync is answered').toBe(1);
  say(Buffer.concat([error('The second.'), ready('E')]));
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  const rolledBack = ask(path);
  say(Buffer.concat([tag('ROLLBACK'), ready()]));
  expect(await rolledBack).toBeNull();
});

test('outside of a transaction each pipelined call has its Sync, and commits by itself', async () => {
  const { path, say, written } = await openPath();
  written.length = 0;
  const bind = executeNamed('s');
  const answers = [1, 2].map((value) => ask(path, { messages: bind([value]), how: 'pipeline' }));
  const settled = Promise.allSettled(answers);
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toEqual([Buffer.concat([bind([1]), bind([2])])]);
  say(Buffer.concat([error('The first.'), ready(), bound, tag('INSERT 0 1'), ready()]));
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

test('a statement is parsed with its first call, and again where that parsing failed', async () => {
  const { path, say, written } = await openPath();
  const statement = { name: 's', text: 'SELECT $1', types: [] };
  const messages = executeNamed('s')([1]);
  const run = async (answer: Buffer) => {
    written.length = 0;
    const answered = ask(path, { messages, statement }).catch(() => 'failed');
    say(answer);
    return [await answered, written[0]![0] === 0x50] as const;
  };
  const good = Buffer.concat([bound, tag('SELECT 1'), ready()]);
  expect(await run(Buffer.concat([error('No such table.'), ready()]))).toEqual(['failed', true]);
  expect(await run(Buffer.concat([message('1'), error('A row.'), ready()]))).toEqual(['failed', true]);
  expect(await run(good), 'the server has it').toEqual([1, false]);
});

test('a lost connection fails all calls, those under way and those that come', async () => {
  const { path, socket } = await openPath();
  const answers = [ask(path), ask(path, { how: 'pipeline' })];
  const settled = Promise.allSettled(answers);
  socket.emit('close');
  expect((await settled).map((one) => one.status)).toEqual(['rejected', 'rejected']);
  await expect(ask(path)).rejects.toThrow('The connection is gone.');
  await expect(ask(path, { how: 'pipeline' })).rejects.toThrow('The connection is gone.');
});
