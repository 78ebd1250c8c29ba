import { expect, test } from 'vitest';
import type { Batch } from '#contract/batch.ts';
import type { OwnStatement, StatementPlan } from '#contract/engine.ts';
import { connectionDouble, type Heard } from './connection.fixture.ts';
import type { SessionContext } from './operations.ts';
import { prepareOwn } from './own-statement.ts';
import { rpcRequest, sqlBatch } from './request.ts';

const prepared: string[] = [];
const session = {
  collation: Buffer.alloc(5),
  prepared: async (sql: string, declarations: string) => {
    prepared.push(`${sql} (${declarations})`);
    return 7;
  },
} as unknown as SessionContext;

const plan: StatementPlan = {
  text: "UPDATE {table} SET [text:no] = :note WHERE id = :id AND ':no' <> :note",
  parameters: [
    { name: 'id', type: { kind: 'bigint' }, nullable: false },
    { name: 'unused', type: { kind: 'boolean' }, nullable: false },
    { name: 'note', type: { kind: 'text', maxLength: 9, fixed: false, ascii: true }, nullable: true },
  ],
  method: 'bind',
  tables: { table: { name: 'dyno_t', columns: [], key: null, options: {} } },
  options: {},
  isRead: false,
};
const batch: Batch = {
  rows: 1,
  laidOut: null,
  columns: [
    { kind: 'number', values: Float64Array.of(42), nulls: null },
    { kind: 'number', values: Float64Array.of(1), nulls: null },
    { kind: 'variable', bytes: Buffer.from("O'Neil"), offsets: Uint32Array.of(0, 6), nulls: null },
  ],
};
const encoded = (own: OwnStatement) => own.encode(batch) as { readonly type: number; readonly body: Buffer };
const text = "UPDATE dyno.[dyno_t] SET [text:no] = @P0 WHERE id = @P1 AND ':no' <> @P0";
const declared = '@P0 varchar(9), @P1 bigint';

test('bind: text and declarations go with every call, a parameter that comes twice goes once', async () => {
  const { type, body } = encoded(await prepareOwn(session, plan));
  expect(type).toBe(rpcRequest);
  expect(body.includes(Buffer.from(text, 'utf16le'))).toBe(true);
  expect(body.includes(Buffer.from(declared, 'utf16le'))).toBe(true);
  expect(body.includes(Buffer.from("O'Neil"))).toBe(true);
});

test('prepared: the handle goes instead', async () => {
  const { body } = encoded(await prepareOwn(session, { ...plan, method: 'prepared' }));
  expect(prepared).toEqual([`${text} (${declared})`]);
  expect(body.includes(Buffer.from('UPDATE', 'utf16le'))).toBe(false);
});

test('literal: a batch with the values in its text', async () => {
  const { type, body } = encoded(await prepareOwn(session, { ...plan, method: 'literal' }));
  expect(type).toBe(sqlBatch);
  expect(body.toString('utf16le')).toBe(
    "UPDATE dyno.[dyno_t] SET [text:no] = 'O''Neil' WHERE id = 42 AND ':no' <> 'O''Neil'",
  );
});

const counted = async (heard: Heard) => {
  const { connection } = connectionDouble(() => heard);
  const context = { connection, collation: Buffer.alloc(5) } as unknown as SessionContext;
  const own = await prepareOwn(context, { ...plan, text: 'EXECUTE pay' });
  const call = () => own.encode(batch);
  return [await own.run(call()), (await own.first(call())).count, (await own.show(call(), 9)).count];
};

test('rows that the server does not count are unknown, and not none', async () => {
  expect(await counted({ counts: [undefined, undefined] }), 'behind SET NOCOUNT ON').toEqual([null, null, null]);
  expect(await counted({ counts: [undefined, 2, 1] })).toEqual([3, 3, 3]);
  expect(await counted({ counts: [0] })).toEqual([0, 0, 0]);
});

test('rows that it returns are counted here where it does not', async () => {
  const columns = [{ colName: 'n' }];
  expect(await counted({ columns, rows: [['1'], ['2']], counts: [undefined] })).toEqual([2, 2, 2]);
  expect(await counted({ columns, counts: [undefined] })).toEqual([0, 0, 0]);
});

test('a timestamp in the text is one for datetime, too, which takes three digits of a second', async () => {
  const at: StatementPlan = {
    ...plan,
    text: 'SELECT :at',
    parameters: [{ name: 'at', type: { kind: 'timestamp' }, nullable: false }],
    method: 'literal',
  };
  const own = await prepareOwn(session, at);
  const textOf = (us: number) => {
    const column = { kind: 'number', values: Float64Array.of(us), nulls: null } as const;
    return own.encode({ rows: 1, laidOut: null, columns: [column] }).body.toString('utf16le');
  };
  expect(textOf(1_709_210_096_123_000)).toBe("SELECT '2024-02-29T12:34:56.123'");
  expect(textOf(1_709_210_096_123_456)).toBe("SELECT CAST('2024-02-29T12:34:56.123456' AS datetime2(6))");
});
