import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toError } from '../errors.ts';
import { batchedCalls } from './calls.ts';
import { LeanPath } from './lean-path.ts';
import { packetsOf } from './packets.ts';
import { scriptedConnection } from './scripted-connection.fixture.ts';
import { done, errorToken, packet } from './tds-server.fixture.ts';
import {
  columnKinds,
  columnsToken,
  doneToken,
  environmentToken,
  infoToken,
  inPackets,
  returnStatusToken,
  rowToken,
} from './tokens.fixture.ts';

/** A connection of which a batch of calls can be asked. */
async function opened(packetBytes?: number) {
  const scripted = await scriptedConnection(packetBytes);
  const lean = new LeanPath(scripted.connection);
  const calls = batchedCalls(lean);
  return {
    ...scripted,
    lean,
    /** Sends a call for each body in one message. Resolves with a result or an error for each. */
    ask(bodies: readonly Buffer[]): Promise<readonly unknown[]> {
      const results = bodies.map(
        (body) =>
          new Promise<unknown>((resolve) =>
            calls.start!(body, {
              answered: resolve,
              failed: (thrown) => {
                const { kind, message } = toError(thrown);
                resolve({ kind, message });
              },
            }),
          ),
      );
      calls.send!();
      return Promise.all(results);
    },
  };
}

const bodies = (count: number) => Array.from({ length: count }, (_, i) => Buffer.from(`call ${i}`));

const failed = 0x02;
const more = 0x01;
const inBatch = 0x80;
const ends = (status: number) => Buffer.concat([returnStatusToken, doneToken('doneProcedure', null, status)]);
const changed = (rows: number | null, last = false) => [
  doneToken('doneInProcedure', rows, more),
  ends(last ? 0 : more | inBatch),
];
const [integer] = [columnKinds.int!];
const read = (last = false) => [columnsToken([integer]), rowToken([integer], 1), ...changed(1, last)];
const duplicate = (key: number) => errorToken(2627, 14, `There is ${key}.`);
const refused = (key: number, last = false) => [
  duplicate(key),
  errorToken(3621, 0, 'The statement has been terminated.'),
  doneToken('doneInProcedure', null, failed | more),
  ends(failed | (last ? 0 : more | inBatch)),
];
const deadlock = errorToken(1205, 13, 'You are the victim.');
const unique = (key: number) => ({ kind: 'uniqueViolation', message: expect.stringContaining(`There is ${key}.`) });
const victim = { kind: 'deadlock', message: expect.stringContaining('victim') };

/** The tokens of an answer, and the results of its calls. */
const answers: Readonly<Record<string, readonly [tokens: readonly Buffer[], results: readonly unknown[]]>> = {
  'changes and reads': [
    [...changed(1), ...changed(0), ...read(), ...changed(7, true)],
    [1, 0, 1, 7],
  ],
  'changes that are not counted': [
    [...changed(null), ...changed(2, true)],
    [0, 2],
  ],
  'one call': [changed(3, true), [3]],
  'an error between changes': [
    [...changed(1), ...refused(5), ...changed(1), ...read(true)],
    [1, unique(5), 1, 1],
  ],
  'several errors, and one at the end': [
    [...refused(1), ...changed(4), ...refused(2), ...refused(3, true)],
    [unique(1), 4, unique(2), unique(3)],
  ],
  'a message of the server between changes': [
    [...changed(1), infoToken(errorToken(8153, 0, 'A null was left out.')), ...changed(1), ...changed(2, true)],
    [1, 1, 2],
  ],
  'an error that has no words': [
    [...changed(1), ends(failed | more | inBatch), ...refused(6), ...changed(2, true)],
    [1, { kind: 'internal', message: expect.stringContaining('unknown error') }, unique(6), 2],
  ],
  'an error that ends the message': [
    [...changed(1), environmentToken(10, Buffer.alloc(0), Buffer.alloc(8, 1)), deadlock, ends(failed)],
    [1, victim, victim, victim],
  ],
};

const outcomes = (results: readonly unknown[]) =>
  results.map((one) => (typeof one === 'number' ? one : expect.objectContaining(one as object)));

test.each(Object.entries(answers))(
  '%s: each call has its result, wherever the answer is cut',
  async (_name, answer) => {
    const [tokens, results] = answer;
    const whole = inPackets(Buffer.concat(tokens), 30_000);
    const { ask, say } = await opened();
    for (let at = 1; at <= whole.length; at++) {
      const asked = ask(bodies(results.length));
      for (const piece of [whole.subarray(0, at), whole.subarray(at)]) if (piece.length > 0) say(piece);
      expect(await asked, `cut at ${at}`).toEqual(outcomes(results));
    }
  },
);

test('in packets of any length, also if the driver reads the whole answer', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.values(answers)),
      fc.integer({ min: 1, max: 300 }),
      fc.boolean(),
      async ([tokens, results], payload, isDrivers) => {
        const { ask, say } = await opened();
        const first = isDrivers ? [infoToken(errorToken(5701, 0, 'Changed.'))] : [];
        const asked = ask(bodies(results.length));
        say(inPackets(Buffer.concat([...first, ...tokens]), payload));
        expect(await asked).toEqual(outcomes(results));
      },
    ),
    { numRuns: 100 },
  ));

test.each([4_096, 512])('the calls are one message with a flag between them, in packets of %s bytes', async (bytes) => {
  const { ask, say, sent, connection } = await opened(bytes);
  connection.transactionDescriptors.push(Buffer.from('0102030405060708', 'hex'));
  const own = bodies(100);
  const asked = ask(own);
  const headers = Buffer.from('16000000120000000200010203040506070801000000', 'hex');
  const head = Buffer.from('0300000000000100', 'hex');
  const body = Buffer.concat(own.flatMap((one, i) => (i === 0 ? [one] : [Buffer.from([0xff]), one])));
  expect(await sent()).toEqual(packetsOf(Buffer.concat([head, headers, body]), bytes));
  say(packet(Buffer.concat(own.flatMap((_, i) => changed(i, i === own.length - 1)))));
  expect(await asked).toEqual(own.map((_, i) => i));
});

test('a batch that is cancelled keeps the results that have arrived, and the connection goes on', async () => {
  const { ask, lean, say, sent } = await opened();
  const asked = ask(bodies(3));
  await sent();
  say(packet(Buffer.concat(changed(1)), false));
  lean.cancel();
  await sent();
  say(packet(done(null)));
  await sent();
  say(packet(doneToken('done', null, 0x20)));
  expect(await asked).toMatchObject([1, { kind: 'cancelled' }, { kind: 'cancelled' }]);
  const next = ask(bodies(2));
  say(packet(Buffer.concat([...changed(1), ...changed(2, true)])));
  expect(await next).toEqual([1, 2]);
});

test('calls whose answers are lost with the connection fail, and the others keep their results', async () => {
  const { ask, say, sent, socket } = await opened();
  const asked = ask(bodies(3));
  await sent();
  say(packet(Buffer.concat([...changed(1), ...refused(4)]), false));
  await sent();
  socket.emit('end');
  expect(await asked).toMatchObject([1, { kind: 'uniqueViolation' }, { kind: 'serverGone' }]);
  expect(await ask(bodies(2))).toMatchObject([{ kind: 'serverGone' }, { kind: 'serverGone' }]);
});

test.each([
  ['fewer', changed(1, true), [1, { kind: 'serverGone', message: expect.stringMatching(/1 of the 2 calls/) }]],
  [
    'more',
    [...changed(1), ...changed(1), ...changed(1, true)],
    Array(2).fill({ kind: 'serverGone', message: expect.stringMatching(/ended 3 procedures, and 2 were called/) }),
  ],
])('a server that ends %s procedures than were called is not believed', async (_what, tokens, results) => {
  const { ask, say } = await opened();
  const asked = ask(bodies(2));
  say(packet(Buffer.concat(tokens)));
  expect(await asked).toMatchObject(results);
});
