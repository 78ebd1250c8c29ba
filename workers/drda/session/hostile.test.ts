import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { codePoints } from '../ddm/code-points.ts';
import { expectNothingUnhandled, failure } from '../failure.fixture.ts';
import { type ConnectOptions, connect, type DrdaConnection, DrdaError } from '../index.ts';
import { chainsOf, mutated } from '../mutate.fixture.ts';
import { seeded } from '../random.fixture.ts';
import { derbyReplies as derby } from '../recorded.fixture.ts';
import {
  type Answer,
  ddm,
  dss,
  type FakeServer,
  objectType,
  qrydsc,
  qrydta,
  replyType,
  sqlca,
  sqlcard,
  sqldard,
  startFakeServer,
} from '../server.fixture.ts';

/** Whole connections over TCP, each to a server that changes one reply of a session. */
const sessions = 2_000;
const atATime = 50;

expectNothingUnhandled();

const [exchanged, accessed] = chainsOf(Buffer.from(derby.login, 'base64'));
const recorded = (base64: string): Buffer[] => chainsOf(Buffer.from(base64, 'base64'));

/** Logs in as Derby does; then what the test says. */
const afterLogin =
  (answer: Answer): Answer =>
  (chain, socket, n) =>
    n === 0 ? exchanged! : n === 1 ? accessed! : answer(chain, socket, n - 2);

async function session(
  answer: Answer,
  options: Partial<ConnectOptions> = {},
): Promise<{ readonly server: FakeServer; readonly connection: DrdaConnection } & AsyncDisposable> {
  const server = await startFakeServer(afterLogin(answer));
  const connection = await connect({
    ...{ host: '127.0.0.1', port: server.port, database: 'db', user: 'me', password: 'secret', security: 'plain' },
    ...options,
  });
  return {
    server,
    connection,
    async [Symbol.asyncDispose]() {
      connection.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
}

const ok = (rows = 0): Buffer => dss(objectType, 1, false, sqlcard({ rows }));
const integers = [{ sqlType: 497, length: 4 }];
const described = Buffer.concat([dss(objectType, 1, true, sqldard(integers)), dss(objectType, 2, false, sqldard([]))]);
const opened = (...data: readonly Buffer[]): Buffer => {
  const objects = [qrydsc([{ type: 0x03, length: 4 }]), ...data];
  return Buffer.concat([
    dss(replyType, 1, true, ddm(codePoints.OPNQRYRM, ddm(codePoints.QRYINSID, Buffer.alloc(8, 5)))),
    ...objects.map((object, n) => dss(objectType, 1, n < objects.length - 1, object)),
  ]);
};

describe('replies', () => {
  test('calls under way together are answered in their order', async () => {
    let came = 0;
    await using one = await session((_chain, socket) => {
      came++;
      if (came === 3) for (const rows of [5, 6, 7]) socket.write(ok(rows));
      return null;
    });
    const counts = [one.connection.execute('a'), one.connection.execute('b'), one.connection.execute('c')];
    expect(await Promise.all(counts)).toEqual([5, 6, 7]);
  });

  test.each([
    ['a correlation of another command', dss(objectType, 2, false, sqlcard())],
    ['correlation 0', dss(objectType, 0, false, sqlcard())],
    ['an object that does not belong there', dss(objectType, 1, false, ddm(codePoints.QRYDTA, Buffer.alloc(3)))],
    ['an unknown object', dss(objectType, 1, false, ddm(0x7777))],
    ['an SQLCARD that is cut off', dss(objectType, 1, false, ddm(codePoints.SQLCARD, Buffer.alloc(20)))],
    ['a request', dss(1, 1, false, ddm(codePoints.RDBCMM))],
  ])('%s ends the connection with an error of kind protocol', async (_what, reply) => {
    await using one = await session(() => reply);
    expect(await failure(one.connection.execute('x'))).toMatchObject({ kind: 'protocol' });
    expect(one.connection.isAlive).toBe(false);
    expect(await failure(one.connection.commit())).toMatchObject({ kind: 'protocol' });
  });

  test('a reply that nobody asked for ends the connection', async () => {
    await using one = await session((_chain, socket) => {
      socket.write(Buffer.concat([ok(), ok()]));
      return null;
    });
    await one.connection.execute('x');
    expect(one.connection.isAlive).toBe(false);
    expect(await failure(one.connection.execute('y'))).toMatchObject({
      kind: 'protocol',
      message: 'The server sent a reply that nobody asked for.',
    });
  });

  test('a reply message is the error of its call alone', async () => {
    await using one = await session((_chain, _socket, n) =>
      n === 0 ? dss(replyType, 1, false, ddm(codePoints.CMDCHKRM, ddm(codePoints.SVRCOD, Buffer.of(0, 8)))) : ok(4),
    );
    expect(await failure(one.connection.execute('x'))).toMatchObject({
      kind: 'protocol',
      codePoint: codePoints.CMDCHKRM,
      message: 'CMDCHKRM: the server could not carry the command out.',
    });
    expect(await one.connection.execute('y')).toBe(4);
  });

  test('a reply message names the object that it is about', async () => {
    const reply = ddm(
      codePoints.SYNTAXRM,
      ddm(codePoints.SYNERRCD, Buffer.of(0x0e)),
      ddm(codePoints.CODPNT, Buffer.of(0x21, 0x14)),
    );
    await using one = await session(() => dss(replyType, 1, false, reply));
    expect((await failure(one.connection.execute('x'))).message).toBe(
      'SYNTAXRM: the server found a fault in the message [SYNERRCD 0xe, QRYBLKSZ].',
    );
  });

  test('a chain that ends before all is answered is an error', async () => {
    await using one = await session(() => ok());
    expect(await failure(one.connection.execute('x', { commit: true }))).toMatchObject({
      kind: 'protocol',
      message: 'The server’s reply ended without SQLCARD.',
    });
  });
});

describe('queries', () => {
  const query = async (replies: readonly Buffer[], options: Partial<ConnectOptions> = {}) => {
    const left = [...replies];
    const one = await session(
      (_chain, _socket, n) => (n === 0 ? described : (left.shift() ?? left.at(-1) ?? ok())),
      options,
    );
    const statement = await one.connection.prepare('x');
    return { ...one, statement };
  };

  test('a server that answers CNTQRY with nothing is not asked for ever', async () => {
    await using one = await query([opened(), dss(objectType, 1, false, sqlcard())]);
    const cursor = await one.statement.open();
    expect(await failure(cursor.fetch())).toMatchObject({
      kind: 'protocol',
      message: 'The server’s reply ended without QRYDTA.',
    });
    expect(await cursor.fetch()).toBeNull();
  });

  test('a query without its description is an error', async () => {
    await using one = await query([dss(replyType, 1, false, ddm(codePoints.OPNQRYRM))]);
    expect(await failure(one.statement.open())).toMatchObject({
      kind: 'protocol',
      message: 'The server’s reply ended without QRYDSC.',
    });
  });

  test('rows before their description are an error', async () => {
    await using one = await query([dss(objectType, 1, false, qrydta(Buffer.alloc(8)))]);
    expect(await failure(one.statement.open())).toMatchObject({ kind: 'protocol', codePoint: codePoints.QRYDTA });
  });

  test('a row that never ends ends at the limit', async () => {
    const block = dss(objectType, 1, false, qrydta(Buffer.alloc(20_000, 0x40)));
    const text = qrydsc(Array(40).fill({ type: 0x32, length: 0x7fff }));
    const start = dss(objectType, 1, false, text, qrydta(Buffer.of(0xff, 0), Buffer.alloc(20_000, 0x40)));
    await using one = await query([start, ...Array<Buffer>(10).fill(block)], { limits: { objectBytes: 90_000 } });
    const cursor = await one.statement.open();
    expect(await failure(cursor.fetch())).toMatchObject({ kind: 'limit' });
    expect(one.connection.isAlive).toBe(false);
  });

  test('a LOB that does not come is an error, and so is one that nothing announced', async () => {
    const clob = qrydsc([{ type: 0xcf, length: 0x8004 }]);
    const row = Buffer.from('ff000080000000', 'hex');
    await using missing = await query([dss(objectType, 1, false, clob, qrydta(row))]);
    expect((await failure(missing.statement.open())).message).toBe('The server’s reply ended without EXTDTA.');
    const lob = ddm(codePoints.EXTDTA, Buffer.from('\0x'));
    await using second = await query([
      Buffer.concat([dss(objectType, 1, true, clob, qrydta(row)), dss(objectType, 1, false, lob, lob)]),
    ]);
    expect((await failure(second.statement.open())).message).toBe('The server’s reply has an unexpected EXTDTA.');
  });

  test('a warning that a value was cut off is an error', async () => {
    const row = Buffer.concat([
      sqlca({ sqlCode: 1, sqlState: '01004', message: 'cut' }),
      Buffer.from('000000000007', 'hex'),
    ]);
    await using one = await query([opened(qrydta(row))]);
    expect(await failure(one.statement.open())).toMatchObject({ kind: 'sql', sqlState: '01004' });
  });

  test('columns of length 0 and of unknown types are errors', async () => {
    for (const column of [
      { type: 0x30, length: 0 },
      { type: 0x99, length: 4 },
    ]) {
      await using one = await query([
        dss(objectType, 1, false, qrydsc([column]), qrydta(Buffer.from('ff0000', 'hex'))),
      ]);
      expect(await failure(one.statement.open())).toMatchObject({ kind: 'protocol', codePoint: codePoints.QRYDTA });
    }
  });

  test('what a caller does wrong is refused before anything is sent', async () => {
    await using one = await query([opened()]);
    const { statement, server } = one;
    const other = await one.connection.prepare('y').catch(() => null);
    const sent = server.chains.length;
    expect(await failure(statement.execute())).toMatchObject({ kind: 'value' });
    expect(await failure(statement.open(statement.encode([])))).toMatchObject({ kind: 'value' });
    expect(await failure(statement.open(statement.encode([[], []])))).toMatchObject({ kind: 'value' });
    expect(other).toBeNull();
    expect(server.chains.length).toBe(sent);
  });
});

describe('limits and time', () => {
  test('a reply that goes on for ever ends at the limit of a chain', async () => {
    const more = dss(objectType, 1, true, sqlcard({ rows: 1 }));
    const flood = Buffer.concat(Array<Buffer>(500).fill(more));
    await using one = await session(
      (_chain, socket) => {
        const send = () => {
          while (!socket.destroyed && socket.write(flood));
          if (!socket.destroyed) socket.once('drain', send);
        };
        send();
        return null;
      },
      { limits: { chainBytes: 1_000_000 } },
    );
    expect(await failure(one.connection.execute('x'))).toMatchObject({
      kind: 'limit',
      message: 'The server’s reply is longer than 1000000 bytes.',
    });
  });

  test('silence ends the connection and all that waits', async () => {
    await using one = await session(() => null, { replyTimeoutMs: 80 });
    const calls = [one.connection.execute('a'), one.connection.prepare('b'), one.connection.commit()];
    for (const call of calls)
      expect(await failure(call)).toMatchObject({ kind: 'timeout', message: 'The server did not answer for 80 ms.' });
    expect(one.connection.isAlive).toBe(false);
    await one.connection.close();
  });

  test('silence while nothing is asked is no error', async () => {
    await using one = await session(() => ok(1), { replyTimeoutMs: 40 });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(await one.connection.execute('x')).toBe(1);
  });

  test('a server that hangs up ends all that waits', async () => {
    await using one = await session((_chain, socket: Socket) => {
      socket.destroy();
      return null;
    });
    const calls = [one.connection.execute('a'), one.connection.execute('b')];
    for (const call of calls) expect(await failure(call)).toMatchObject({ kind: 'closed' });
  });

  test('a server that half closes the connection ends it', async () => {
    await using one = await session((_chain, socket) => {
      socket.end();
      return null;
    });
    expect(await failure(one.connection.execute('a'))).toMatchObject({ kind: 'closed' });
  });

  test('destroy() rejects what waits; close() after it is no error', async () => {
    await using one = await session(() => null);
    const call = failure(one.connection.execute('a'));
    one.connection.destroy();
    expect(await call).toMatchObject({ kind: 'closed', message: 'The connection was closed by this side.' });
    await one.connection.close();
    expect(await failure(one.connection.prepare('b'))).toMatchObject({ kind: 'closed' });
  });

  test('close() rolls back', async () => {
    await using one = await session(() => ok());
    await one.connection.close();
    expect(one.server.chains.at(-1)!.map(({ codePoint }) => codePoint)).toEqual([codePoints.RDBRLLBCK]);
    expect(one.connection.isAlive).toBe(false);
  });
});

/** Replies of a session in their order: login, prepare, batch, query with LOBs, commit. */
const script: readonly Buffer[] = [
  ...recorded(derby.login),
  ...recorded(derby.prepareInsert),
  ...recorded(derby.insertThree),
  ...recorded(derby.prepareQuery),
  ...recorded(derby.openWithLobs),
  ...recorded(derby.continueWithLobs),
  ...recorded(derby.continueToEnd),
  ...recorded(derby.rollback),
];

async function runSession(port: number): Promise<number> {
  const connection = await connect({
    ...{ host: '127.0.0.1', port, database: 'db', user: 'me', password: 'canary-31c0', security: 'plain' },
    ...{ connectTimeoutMs: 150, replyTimeoutMs: 150 },
  });
  try {
    const insert = await connection.prepare('insert');
    const row = insert.parameters.map(() => null);
    await insert.execute(insert.encode([row, row, row]), { commit: true });
    const query = await connection.prepare('select');
    const cursor = await query.open(
      query.parameters.length > 0 ? query.encode([query.parameters.map(() => null)]) : null,
    );
    let rows = 0;
    for (;;) {
      const block = await cursor.fetch();
      if (block === null) break;
      rows += block.length;
    }
    await connection.commit();
    return rows;
  } finally {
    connection.destroy();
  }
}

test('the session that is changed below works as long as it is not', async () => {
  await using server = await startFakeServer((_chain, _socket, n) => script[n] ?? null);
  expect(await runSession(server.port)).toBe(3);
});

test(`${sessions} sessions with a server that changes one reply end in a value or a DrdaError without the password`, async () => {
  const replies = new Map<Socket, { readonly changed: number; readonly seed: number }>();
  let seeds = 0;
  await using server = await startFakeServer((_chain, socket, n) => {
    const known = replies.get(socket) ?? { changed: seeds % script.length, seed: seeds++ };
    replies.set(socket, known);
    const reply = script[n];
    if (reply === undefined || n !== known.changed) return reply ?? null;
    const random = seeded(known.seed);
    const bytes = mutated(reply, random);
    // Half of those that break off hang up, the others keep silent.
    if (bytes.length < reply.length && random.unit() < 0.5) {
      socket.end(bytes);
      return null;
    }
    return bytes;
  });
  let [values, errors] = [0, 0];
  for (let first = 0; first < sessions; first += atATime)
    await Promise.all(
      Array.from({ length: atATime }, async () => {
        try {
          await runSession(server.port);
          values++;
        } catch (thrown) {
          if (!(thrown instanceof DrdaError)) throw thrown;
          // A broken connection has the socket's error as its cause; what no check foresaw, one of JavaScript's own.
          if (thrown.cause instanceof TypeError || thrown.cause instanceof RangeError) throw thrown.cause;
          expect(`${thrown} ${JSON.stringify(thrown)}`).not.toContain('canary');
          errors++;
        }
      }),
    );
  expect(values + errors).toBe(sessions);
  expect(errors).toBeGreaterThan(sessions / 4);
}, 120_000);
