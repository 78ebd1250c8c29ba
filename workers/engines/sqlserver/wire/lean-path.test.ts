import fc from 'fast-check';
import { RequestError } from 'tedious';
import { beforeAll, describe, expect, test } from 'vitest';
import { toError } from '../errors.ts';
import { AnswerReader } from './answer-reader.ts';
import { driverCalls, leanCalls } from './calls.ts';
import { LeanPath } from './lean-path.ts';
import { execute, query, rpcRequest } from './request.ts';
import { scriptedConnection } from './scripted-connection.fixture.ts';
import { done, errorToken, packet, resultTokens } from './tds-server.fixture.ts';
import {
  columnKinds,
  columnsToken,
  doneToken,
  environmentToken,
  infoToken,
  inPackets,
  nullableRowToken,
  orderToken,
  returnStatusToken,
  returnValueToken,
  rowToken,
} from './tokens.fixture.ts';
import { transactionsOf } from './transactions.ts';

/** A connection whose calls take one of the paths, with what the driver's events have said. */
async function openPath(isLean: boolean) {
  const scripted = await scriptedConnection();
  const { connection, say, sent, written } = scripted;
  const events: string[] = [];
  connection.on('errorMessage', ({ number }: { readonly number: number }) => void events.push(`error ${number}`));
  connection.on('infoMessage', ({ number }: { readonly number: number }) => void events.push(`info ${number}`));
  connection.on('databaseChange', (name: string) => void events.push(`database ${name}`));
  const lean = isLean ? new LeanPath(connection) : null;
  const calls = lean ? leanCalls(lean, rpcRequest) : driverCalls(connection, rpcRequest);
  const start = () =>
    calls.ask(calls.call(calls.head(Buffer.from('body')))).then(
      (rows) => ({ rows }),
      (thrown: unknown) => ({ error: toError(thrown), name: (thrown as Error).constructor.name }),
    );
  return {
    ...scripted,
    lean,
    start,
    /** Makes a call, and answers it in pieces. */
    async ask(pieces: readonly Buffer[]) {
      events.length = 0;
      const asked = start();
      if (!isLean) await sent();
      for (const piece of pieces) say(piece);
      const outcome = await asked;
      written.length = 0;
      return {
        ...{ outcome, events: [...events], inTransaction: connection.inTransaction },
        descriptor: connection.currentTransactionDescriptor().toString('hex'),
      };
    },
  };
}

const all = Object.values(columnKinds);
const few = [columnKinds['int, nullable']!, columnKinds['nvarchar(max)']!];
const duplicate = errorToken(2627, 14, 'There is one.');
const failed = 0x02;
const more = 0x01;
const none = Buffer.alloc(0);
const transaction = Buffer.from('0102030405060708', 'hex');
const procedureEnds = Buffer.concat([returnStatusToken, doneToken('doneProcedure', null)]);

const leanly = (...tokens: readonly Buffer[]) => ({ isHandedBack: false, tokens });
/** The driver reads them from some token on. */
const handedBack = (...tokens: readonly Buffer[]) => ({ isHandedBack: true, tokens });

/** Answers by what is in them. */
const answers: Readonly<Record<string, { readonly isHandedBack: boolean; readonly tokens: readonly Buffer[] }>> = {
  'rows of all types': leanly(
    columnsToken(all),
    ...[0, 1, 2].map((nth) => rowToken(all, nth)),
    doneToken('doneInProcedure', 3),
    procedureEnds,
  ),
  'rows with bits for nulls': leanly(
    columnsToken(all),
    nullableRowToken(all, 1, [1, 2, 9, all.length - 1]),
    nullableRowToken(
      all,
      1,
      all.map((_, c) => c),
    ),
    doneToken('done', 2),
  ),
  'rows in an order': leanly(columnsToken(few), orderToken, rowToken(few, 1), doneToken('done', 1)),
  'rows that are not counted': leanly(columnsToken(few), rowToken(few, 1), rowToken(few, 0), doneToken('done', null)),
  'no row': leanly(columnsToken(few), doneToken('done', 0)),
  'two results': leanly(
    ...[columnsToken(few), rowToken(few, 1), doneToken('done', 1, more)],
    ...[columnsToken(all.slice(0, 1)), rowToken(all, 1).subarray(0, 5), doneToken('done', 1)],
  ),
  'a change': leanly(doneToken('doneInProcedure', 3), procedureEnds),
  'a change that is not counted': leanly(doneToken('doneInProcedure', null), procedureEnds),
  'many changes': leanly(doneToken('doneInProcedure', 2 ** 40 + 1), procedureEnds),
  'several calls': leanly(
    ...[1, 2, 3].flatMap((rows) => [
      doneToken('doneInProcedure', rows, more),
      returnStatusToken,
      doneToken('doneProcedure', null, rows < 3 ? more : 0),
    ]),
  ),
  nothing: leanly(),
  'the beginning of a transaction': leanly(environmentToken(8, transaction, none), doneToken('done', null)),
  'a commit': leanly(
    ...[environmentToken(8, transaction, none), environmentToken(9, none, transaction)],
    doneToken('done', null),
  ),
  'a rollback': handedBack(
    ...[environmentToken(8, transaction, none), environmentToken(10, none, transaction)],
    ...[errorToken(1205, 13, 'deadlock'), doneToken('done', null, failed)],
  ),
  'an error': handedBack(duplicate, doneToken('done', null, failed)),
  'an error behind rows': handedBack(
    ...[columnsToken(few), rowToken(few, 1), duplicate, doneToken('doneInProcedure', null, failed)],
    doneToken('doneProcedure', null, failed),
  ),
  'several errors': handedBack(duplicate, errorToken(3621, 0, 'terminated'), doneToken('done', null, failed)),
  'an error in one of several calls': handedBack(
    ...[doneToken('doneInProcedure', 1, more), doneToken('doneProcedure', null, more)],
    ...[duplicate, doneToken('doneProcedure', null, failed | more)],
    ...[doneToken('doneInProcedure', 1, more), doneToken('doneProcedure', null)],
  ),
  'an error without words': handedBack(doneToken('doneInProcedure', 4), doneToken('doneProcedure', null, failed)),
  'a message between rows': handedBack(
    ...[columnsToken(few), rowToken(few, 1), infoToken(errorToken(8153, 0, 'A null was left out.'))],
    ...[rowToken(few, 2), doneToken('done', 2)],
  ),
  'another database': handedBack(
    ...[environmentToken(1, 'new', 'old'), infoToken(errorToken(5701, 0, 'Changed.'))],
    doneToken('done', null),
  ),
  'a return value': handedBack(returnValueToken(7), doneToken('doneProcedure', null)),
};
const tokensOf = ({ tokens }: (typeof answers)[string]) => Buffer.concat(tokens);

describe('however an answer is cut, both paths have the same result', () => {
  let lean: Awaited<ReturnType<typeof openPath>>;
  let driver: Awaited<ReturnType<typeof openPath>>;
  beforeAll(async () => {
    lean = await openPath(true);
    driver = await openPath(false);
  });

  test.each(Object.entries(answers))('%s', async (_name, answer) => {
    const tokens = tokensOf(answer);
    const whole = inPackets(tokens, 30_000);
    const expected = await driver.ask([whole]);
    expect(await lean.ask([whole])).toEqual(expected);
    // A transaction that is open already changes nothing in what a call returns.
    const { outcome, events } = expected;
    for (let at = 1; at < whole.length; at++)
      expect(await lean.ask([whole.subarray(0, at), whole.subarray(at)]), `cut at ${at}`).toMatchObject({
        outcome,
        events,
      });
    const bytes = Array.from(whole, (_byte, at) => whole.subarray(at, at + 1));
    expect(await lean.ask(bytes), 'byte for byte').toMatchObject({ outcome, events });
    expect(await driver.ask(bytes), 'byte for byte').toMatchObject({ outcome, events });
  });

  test('in packets of any length', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(answers)),
        fc.integer({ min: 1, max: 700 }),
        fc.array(fc.nat(4_000), { maxLength: 8 }),
        async (answer, payload, at) => {
          const bytes = inPackets(tokensOf(answer), payload);
          const places = [0, ...at.map((place) => place % bytes.length).sort((a, b) => a - b), bytes.length];
          const pieces = places.slice(1).map((end, i) => bytes.subarray(places[i], end));
          const { outcome, events } = await driver.ask(pieces);
          expect(await lean.ask(pieces)).toMatchObject({ outcome, events });
        },
      ),
      { numRuns: 150 },
    ));
});

test.each(Object.entries(answers))('the driver reads only what is unusual: %s', async (_name, answer) => {
  const { connection, ask } = await openPath(true);
  let asked = 0;
  const { transitionTo } = connection;
  connection.transitionTo = function (state) {
    if (state === this.STATE.SENT_CLIENT_REQUEST) asked++;
    transitionTo.call(this, state);
  };
  await ask([inPackets(tokensOf(answer), 500)]);
  expect(asked).toBe(answer.isHandedBack ? 1 : 0);
});

test('requests of the driver and calls follow each other on a connection', async () => {
  const { connection, ask, say, sent } = await openPath(true);
  for (const answer of [answers['an error']!, answers['a change']!, answers['a message between rows']!]) {
    await ask([inPackets(tokensOf(answer), 50)]);
    const rows = query(connection, 'SELECT');
    await sent();
    say(packet(resultTokens(['a'], [['1'], ['2']])));
    expect(await rows).toEqual([{ a: '1' }, { a: '2' }]);
  }
});

const attention = Buffer.from([6, 1, 0, 8, 0, 0, 1, 0]);
const attended = packet(doneToken('done', null, 0x20));
const cancelled = { error: { kind: 'cancelled', code: 'ECANCEL' } };

/** The parts of an answer that arrive before and after its call is cancelled. */
const rows = Buffer.concat([columnsToken(few), rowToken(few, 1), rowToken(few, 2)]);
const moments: Readonly<Record<string, readonly [before: Buffer, after: Buffer]>> = {
  'before its first byte': [none, packet(done(1))],
  'within a header': [
    packet(rows, false).subarray(0, 3),
    Buffer.concat([packet(rows, false).subarray(3), packet(done(2))]),
  ],
  'between packets': [packet(rows, false), packet(done(2))],
  'between tokens': [
    packet(Buffer.concat([rows, done(2)])).subarray(0, 8 + rows.length),
    packet(Buffer.concat([rows, done(2)])).subarray(8 + rows.length),
  ],
  'within a row': [
    packet(rows, false).subarray(0, 8 + rows.length - 3),
    Buffer.concat([rows.subarray(-3), packet(done(2))]),
  ],
  'within its last token': [packet(done(2)).subarray(0, 12), packet(done(2)).subarray(12)],
  'within a row that ends it': [packet(rows).subarray(0, 8 + rows.length - 3), rows.subarray(-3)],
};
test.each(Object.entries(moments))('a call is cancelled %s, and the connection goes on', async (_when, parts) => {
  const { start, lean, say, sent, ask } = await openPath(true);
  const [before, after] = parts;
  const call = start();
  await sent();
  if (before.length > 0) say(before);
  lean!.cancel();
  expect(await sent()).toEqual(attention);
  say(after);
  await sent();
  say(attended);
  expect(await call).toMatchObject(cancelled);
  expect((await ask([packet(done(5))])).outcome).toEqual({ rows: 5 });
});

test('a call that the driver already reads is cancelled by the driver, and nothing is cancelled between calls', async () => {
  const { start, lean, say, sent } = await openPath(true);
  lean!.cancel();
  expect(await sent()).toEqual(none);
  const call = start();
  await sent();
  say(packet(duplicate, false));
  await sent();
  lean!.cancel();
  expect(await sent()).toEqual(attention);
  say(packet(doneToken('done', null, failed)));
  await sent();
  say(attended);
  expect(await call).toMatchObject(cancelled);
});

test.each([
  ['the server hangs up', (socket: NodeJS.EventEmitter) => void socket.emit('end')],
  [
    'the network fails',
    (socket: { destroy(error: Error): unknown }) =>
      void socket.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })),
  ],
])('if %s, calls fail alike on both paths, the one under way and the next', async (_what, lose) => {
  const outcomes = await Promise.all(
    [true, false].map(async (isLean) => {
      const { start, sent, socket } = await openPath(isLean);
      const call = start();
      await sent();
      lose(socket as never);
      return [await call, await start()].map((one) => ('error' in one ? one.error : one));
    }),
  );
  expect(outcomes[0]).toMatchObject([{ kind: 'serverGone' }, { kind: 'serverGone' }]);
  expect(outcomes[0]).toEqual(outcomes[1]);
});

test('while a request of the driver is under way, a call is refused as the driver refuses it', async () => {
  const { connection, start } = await openPath(true);
  execute(connection, 'WAITFOR').catch(() => {});
  expect(await start()).toMatchObject({
    error: { message: expect.stringMatching(/can only be made in the LoggedIn state/) },
  });
});

const endless = Buffer.alloc(40_000, 0x41);
test.each([
  ['a packet shorter than its header', Buffer.from([4, 1, 0, 7, 0, 0, 1, 0]), /impossible length/],
  ['a token that does not exist', packet(Buffer.from([0x42])), /token of type 66/],
  ['a token of a login', packet(Buffer.from([0xad, 1, 0, 0])), /token of type 173/],
  ['an end within a token', packet(doneToken('done', 1).subarray(0, 9)), /ends within a token/],
  ['an end within a row', packet(rows.subarray(0, -1)), /ends within a token/],
  ['a column of no type', packet(Buffer.from([0x81, 1, 0, 0, 0, 0, 0, 0, 0, 0x99, 0, 0])), /column of type 153/],
  ['more columns than there can be', packet(Buffer.from([0x81, 0xff, 0xff])), /65535 columns/],
  [
    'a description without an end',
    Buffer.concat([
      packet(
        Buffer.concat([Buffer.from('8101000000000009002300000000', 'hex'), Buffer.alloc(5), Buffer.from([0xff])]),
        false,
      ),
      ...Array.from({ length: 120 }, () => packet(endless, false)),
    ]),
    /no end/,
  ],
  [
    'a transaction that is shorter than its descriptor',
    packet(Buffer.from([0xe3, 3, 0, 8, 200, 0])),
    /transaction without its descriptor/,
  ],
])('%s ends the connection with a reason', async (_what, bytes, reason) => {
  const { ask, start } = await openPath(true);
  const { outcome } = await ask([bytes]);
  expect(outcome).toMatchObject({ error: { kind: 'serverGone', message: expect.stringMatching(reason) } });
  expect(await start()).toMatchObject(outcome);
});

test('values and rows without an end are counted, and nothing of them is kept', () => {
  const reader = new AnswerReader({ inTransaction: false, transactionDescriptors: [] });
  const read = (bytes: Buffer) => reader.read(bytes, 0, bytes.length);
  const grown = (work: () => void): number => {
    const before = process.memoryUsage().arrayBuffers;
    work();
    return process.memoryUsage().arrayBuffers - before;
  };
  reader.begin();
  read(columnsToken([columnKinds['varchar(max)']!]));
  read(Buffer.from('d1feffffffffffffff00000080', 'hex'));
  const readOften = () => {
    for (let i = 0; i < 100_000; i++) read(endless);
  };
  expect(grown(readOften)).toBeLessThan(10_000_000);
  expect(reader.returned).toBe(1);
  reader.begin();
  read(columnsToken([columnKinds.int!]));
  const many = Buffer.concat(Array.from({ length: 1_000 }, () => rowToken([columnKinds.int!], 0)));
  expect(
    grown(() => {
      for (let i = 0; i < 1_000; i++) read(many);
    }),
  ).toBeLessThan(10_000_000);
  expect(reader.returned).toBe(1_000_000);
});

test('a server that begins transactions without an end has one of them', async () => {
  const { connection, ask } = await openPath(true);
  const begun = Array.from({ length: 1_000 }, (_, i) => environmentToken(8, Buffer.from([i, i >> 8]), none));
  await ask([inPackets(Buffer.concat([...begun, done(null)]), 30_000)]);
  expect(connection.transactionDescriptors).toHaveLength(2);
  expect(connection.currentTransactionDescriptor()).toEqual(Buffer.from([999 & 255, 999 >> 8]));
});

test('begin and commit are the driver’s own bytes, and its transaction is that of the calls', async () => {
  const sentBy = async (isLean: boolean) => {
    const { connection, lean, say, sent, start } = await openPath(isLean);
    const transactions = transactionsOf(connection, lean);
    const bytes: string[] = [];
    const step = async (work: () => unknown, ...tokens: readonly Buffer[]) => {
      const done = work();
      bytes.push((await sent()).toString('hex'));
      say(packet(Buffer.concat(tokens)));
      await done;
    };
    await step(() => transactions.begin(), environmentToken(8, transaction, none), done(null));
    expect(connection.inTransaction).toBe(true);
    await step(start, done(1));
    await step(() => transactions.commit(), environmentToken(9, none, transaction), done(null));
    expect(connection.inTransaction).toBe(false);
    await step(() => transactions.begin(), environmentToken(8, transaction, none), done(null));
    await step(() => transactions.rollback(), environmentToken(10, none, transaction), done(null));
    expect(connection.inTransaction).toBe(false);
    await transactions.rollback();
    return bytes;
  };
  expect(await sentBy(true)).toEqual(await sentBy(false));
});

test('an error of a call has what the driver’s own has', async () => {
  const { lean, say } = await openPath(true);
  const calls = leanCalls(lean!, rpcRequest);
  const failing = calls.run(calls.call(calls.head(none)));
  say(packet(Buffer.concat([duplicate, doneToken('done', null, failed)])));
  const thrown = await failing.catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(RequestError);
  expect(thrown).toMatchObject({ number: 2627, class: 14, code: 'EREQUEST' });
});
