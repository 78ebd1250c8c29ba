import { expect, test } from 'vitest';
import { defaultSettings } from '#model/settings/settings.ts';
import { batchWith, numberColumn } from '../../shared/test-table.fixture.ts';
import { connectionDouble } from '../connection/connection.fixture.ts';
import { prepareOperation, type SessionContext } from './operations.ts';

const table = {
  name: 't',
  key: null,
  options: {},
  columns: [{ name: 'amount', type: { kind: 'bigint' } as const, nullable: true }],
};

test('a scan hands out its rows, whatever nulls of other statements are declared as', async () => {
  const { connection, sent } = connectionDouble(() => ({ rows: [['1'], [null]] }));
  const session = { connection, collation: Buffer.alloc(5), prepared: async () => 7 } as unknown as SessionContext;
  const settings = { ...defaultSettings, operation: 'scan', method: 'prepared', nullBinding: 'untyped' } as const;
  const scan = await prepareOperation(session, { table, operation: 'scan', method: 'prepared', settings });
  const rows: unknown[] = [];
  for await (const block of scan.blocks!()) rows.push(...block);
  expect(rows).toEqual([[1], [null]]);
  expect(sent).toEqual([expect.any(Buffer)]);
});

/** A session whose lean path keeps the bodies of the messages of batches. */
function batchingSession() {
  const bodies: Buffer[] = [];
  const callers: number[] = [];
  const lean = {
    packets: (message: Buffer) => message,
    sendBatch: (message: Buffer, of: readonly { answered(rows: number): void }[]) => {
      bodies.push(message.subarray(30));
      callers.push(of.length);
      for (const [i, one] of of.entries()) one.answered(i);
    },
  };
  const { connection } = connectionDouble();
  const session = {
    connection,
    lean,
    collation: Buffer.alloc(5),
    prepared: async () => 7,
  } as unknown as SessionContext;
  return { session, bodies, callers };
}

const insertBatch = (session: SessionContext, nullBinding: 'asColumn' | 'asFloat') =>
  prepareOperation(session, {
    ...{ table, operation: 'insert', method: 'batch' },
    settings: { ...defaultSettings, method: 'batch', nullBinding },
  });

const amount = (value: number | null) => ({
  ...numberColumn([value ?? 0]),
  nulls: Uint8Array.of(value === null ? 1 : 0),
});

/** The numbers of the procedures that a body calls (2.2.6.6): 10 is sp_executesql, 12 is sp_execute. */
const proceduresIn = (body: Buffer): readonly number[] =>
  [...body.toString('hex').matchAll(/(?:^|ff)ffff(0a|0c)000000/g)].map(([, number]) => Number.parseInt(number!, 16));

test.each([
  ['asColumn', [12, 12, 12]],
  ['asFloat', [10, 10, 10]],
] as const)('a batch with nulls %s is one message of three calls', async (nullBinding, procedures) => {
  const { session, bodies, callers } = batchingSession();
  const insert = await insertBatch(session, nullBinding);
  const results: unknown[] = [];
  for (const value of [1, null, 3])
    insert.start!(insert.encode(batchWith(1, amount(value))), {
      answered: (rows) => results.push(rows),
      failed: (thrown) => results.push(thrown),
    });
  expect(bodies).toEqual([]);
  insert.send!();
  expect(callers).toEqual([3]);
  expect(proceduresIn(bodies[0]!)).toEqual(procedures);
  // The type of a null is that of its column, or the guessed one.
  expect(bodies[0]!.includes(Buffer.from('@P0 float', 'utf16le'))).toBe(nullBinding === 'asFloat');
  expect(results).toEqual([0, 1, 2]);
  expect(await insert.run(insert.encode(batchWith(1, amount(4))))).toBe(0);
  expect(callers).toEqual([3, 1]);
});

test('without the lean path there is no batch', async () => {
  const { session } = batchingSession();
  await expect(insertBatch({ ...session, lean: null }, 'asColumn')).rejects.toMatchObject({
    data: { kind: 'unsupported' },
  });
});
