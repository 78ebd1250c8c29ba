import { describe, expect, test } from 'vitest';
import { whole } from '#platform/whole.fixture.ts';
import { DrdaError } from './errors.ts';
import { expectNothingUnhandled } from './failure.fixture.ts';
import { chainsOf, inChunks, mutated } from './mutate.fixture.ts';
import { type Random, seeded } from './random.fixture.ts';
import { derbyReplies as derby, rowStoreReplies as rowStore } from './recorded.fixture.ts';
import type { DrdaConnection } from './session/connection.ts';
import { logIn } from './session/handshake.ts';
import { type StubSocket, stubConnection, stubTransport } from './stub.fixture.ts';

/** Cases per kind of call, of which there are seven. */
const [mutatedCases, randomCases] = whole ? [12_000, 4_000] : [2_000, 600];
const timeoutMs = 120_000;

expectNothingUnhandled();

/** A call, what servers answered to it, and how many values it makes of that. */
interface Call {
  readonly name: string;
  readonly recordings: readonly (readonly string[])[];
  readonly run: (connection: DrdaConnection, random: Random) => Promise<number>;
}

const calls: readonly Call[] = [
  {
    name: 'execute',
    recordings: [[derby.executeImmediate], [derby.executeFails], [rowStore.executeFails]],
    run: async (connection) => ((await connection.execute('x', { commit: true })) >= 0 ? 1 : 0),
  },
  {
    name: 'commit',
    recordings: [[derby.rollback], [derby.closeQuery]],
    run: async (connection) => {
      await connection.commit();
      return 1;
    },
  },
  {
    name: 'prepare',
    recordings: [[derby.prepareInsert], [derby.prepareQuery], [derby.prepareCall], [derby.prepareFails]],
    run: async (connection) => {
      const { parameters, columns } = await connection.prepare('x');
      return parameters.length + columns.length;
    },
  },
  {
    name: 'batch',
    recordings: [
      [derby.prepareInsert, derby.insertThree],
      [derby.prepareInsert, derby.insertDuplicate],
      [derby.prepareInsert, rowStore.insertDuplicate],
    ],
    run: async (connection) => {
      const statement = await connection.prepare('x');
      const row = statement.parameters.map(() => null);
      const encoded = statement.encode([row, row, row]);
      return (await statement.execute(encoded, { commit: true })) >= 0 ? 1 : 0;
    },
  },
  {
    name: 'query',
    recordings: [
      [derby.prepareQuery, derby.openWithLobs, derby.continueWithLobs, derby.continueToEnd],
      [derby.prepareQuery, rowStore.openWithLobs, rowStore.continueWithLobs, rowStore.continueToEnd],
      [derby.prepareWithoutLobs, derby.openSmallBlocks, derby.continueSmallBlocks],
      [derby.prepareWithoutLobs, derby.openWholeResult],
      [derby.prepareWithoutLobs, derby.openFails],
    ],
    run: async (connection) => {
      const statement = await connection.prepare('x');
      const { parameters } = statement;
      const cursor = await statement.open(
        parameters.length === 0 ? null : statement.encode([parameters.map(() => null)]),
      );
      let values = 0;
      for (;;) {
        const rows = await cursor.fetch();
        if (rows === null) return values;
        for (const row of rows) values += row.length;
      }
    },
  },
  {
    name: 'call',
    recordings: [
      [derby.prepareCall, derby.call],
      [derby.prepareCall, rowStore.call],
    ],
    run: async (connection) => {
      const statement = await connection.prepare('x');
      return (await statement.call(statement.encode([statement.parameters.map(() => null)]))).length;
    },
  },
];

const repliesOf = (recording: readonly string[]): Buffer[] =>
  recording.flatMap((base64) => chainsOf(Buffer.from(base64, 'base64')));

/** Answers each request with the next reply, and closes the connection after the last reply or the last request. */
function answerWith(socket: StubSocket, replies: readonly Buffer[], random: Random): void {
  const left = [...replies];
  let requests = 0;
  socket.onWrite = () => {
    const request = ++requests;
    const reply = left.shift();
    queueMicrotask(() => {
      if (reply !== undefined) socket.arrive(...inChunks(reply, random));
      setImmediate(() => {
        if (requests === request) socket.destroy();
      });
    });
  };
}

/** How a case ended. Anything but a value or a DrdaError, and more values than bytes, is a failure of the client. */
async function runCase(call: Call, replies: readonly Buffer[], random: Random): Promise<'value' | DrdaError> {
  const { socket, connection } = stubConnection();
  answerWith(socket, replies, random);
  const bytes = replies.reduce((sum, reply) => sum + reply.length, 0);
  try {
    expect(await call.run(connection, random)).toBeLessThanOrEqual(bytes);
    return 'value';
  } catch (thrown) {
    return foreseen(thrown);
  } finally {
    socket.destroy();
  }
}

/** The client’s way out for what no check foresaw has the JavaScript error as its cause: that is a failure, too. */
function foreseen(thrown: unknown): DrdaError {
  if (!(thrown instanceof DrdaError)) throw thrown;
  if (thrown.cause !== undefined) throw thrown.cause;
  return thrown;
}

async function runCases(cases: number, run: (random: Random) => Promise<'value' | DrdaError>): Promise<number> {
  let errors = 0;
  for (let first = 0; first < cases; first += 200) {
    const seeds = Array.from({ length: Math.min(200, cases - first) }, (_, n) => first + n);
    const ends = await Promise.all(seeds.map((seed) => run(seeded(seed))));
    errors += ends.filter((end) => end !== 'value').length;
  }
  return errors;
}

describe.each(calls)('$name', (call) => {
  const recordings = call.recordings.map(repliesOf);

  test('recorded replies are read, however they are cut', async () => {
    for (const replies of recordings) {
      const ends = await Promise.all(Array.from({ length: 50 }, (_, n) => runCase(call, replies, seeded(n))));
      const kinds = new Set(ends.map((end) => (end === 'value' ? end : end.kind)));
      expect(kinds.size).toBe(1);
      expect(['value', 'sql']).toContain([...kinds][0]);
    }
  });

  test(
    `${mutatedCases} mutated replies end in a value or a DrdaError`,
    async () => {
      const errors = await runCases(mutatedCases, (random) => {
        const replies = [...random.pick(recordings)];
        const changed = random.between(0, replies.length - 1);
        replies[changed] = mutated(replies[changed]!, random);
        return runCase(call, replies, random);
      });
      // Or nothing would have been changed.
      expect(errors).toBeGreaterThan(mutatedCases / 4);
    },
    timeoutMs,
  );

  test(
    `${randomCases} replies of random bytes end in a DrdaError`,
    async () => {
      const errors = await runCases(randomCases, (random) => {
        const replies = [...random.pick(recordings)];
        const bytes = random.bytes(random.between(1, 400));
        const frame = Buffer.of(
          0,
          bytes.length + 6 < 256 ? bytes.length + 6 : 255,
          0xd0,
          random.pick([2, 3, 0x43]),
          0,
          1,
        );
        replies[replies.length - 1] = random.unit() < 0.2 ? Buffer.from(bytes) : Buffer.concat([frame, bytes]);
        return runCase(call, replies, random);
      });
      expect(errors).toBe(randomCases);
    },
    timeoutMs,
  );
});

describe('login', () => {
  const recordings = [derby.login, derby.loginNoDatabase, derby.loginWrongPassword, rowStore.login].map((one) =>
    repliesOf([one]),
  );
  const login = { database: 'db', user: 'me', password: 'canary-9b1d', externalName: 'fuzz' };

  test(
    `${mutatedCases} mutated replies end in a login or a DrdaError without the password`,
    async () => {
      const errors = await runCases(mutatedCases, async (random) => {
        const replies = [...random.pick(recordings)];
        const changed = random.between(0, replies.length - 1);
        replies[changed] = mutated(replies[changed]!, random);
        const { socket, transport } = stubTransport();
        answerWith(socket, replies, random);
        try {
          await logIn(transport, login, 'plain');
          return 'value';
        } catch (thrown) {
          expect(`${thrown} ${JSON.stringify(thrown)}`).not.toContain(login.password);
          return foreseen(thrown);
        } finally {
          socket.destroy();
        }
      });
      expect(errors).toBeGreaterThan(mutatedCases / 4);
    },
    timeoutMs,
  );
});
