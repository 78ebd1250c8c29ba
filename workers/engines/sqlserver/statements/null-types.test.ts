import type { Connection, Request } from 'tedious';
import { describe, expect, test } from 'vitest';
import type { Value } from '#model/batch/decode.ts';
import { batchOf } from '#model/batch/encode.ts';
import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { type MethodName, type NullBinding, nullBindings } from '#model/settings/vocabulary.ts';
import { prepareOperation as prepareMssql } from '../mssql/operations.ts';
import { wireType } from '../wire/tds.ts';
import { prepareOperation } from './operations.ts';

const types: readonly ColumnType[] = [
  { kind: 'bigint' },
  { kind: 'decimal', precision: 12, scale: 2 },
  { kind: 'uuid' },
];
const table: TablePlan = {
  name: 't',
  key: 0,
  columns: types.map((type, c) => ({ name: ['id', 'amount', 'other'][c]!, type, nullable: c > 0 })),
  options: {},
};
const collation = Buffer.alloc(5);
const settings = (nullBinding: NullBinding) => ({ ...defaultSettings, nullBinding });
const uuid = '00000000-0000-4000-8000-000000000000';
const full: readonly Value[] = [1, '10.50', uuid];
const withNulls: readonly Value[] = [2, null, null];

/** The statements that a session prepares and sends when two rows are inserted, the second one with nulls. */
async function inserted(method: MethodName, nullBinding: NullBinding) {
  const prepared: string[] = [];
  const sent: Buffer[] = [];
  const connection = {
    currentTransactionDescriptor: () => Buffer.alloc(8),
    makeRequest(request: Request, _type: number, payload: Iterable<Buffer>) {
      sent.push([...payload].at(-1)!);
      request.callback(null);
    },
  };
  const session = {
    connection: connection as unknown as Connection, // the parts that sending uses
    collation,
    server: { version: '16', major: 16, edition: '', engineEdition: 3, emulator: null },
    lean: null,
    prepared: async (_sql: string, declarations: string) => prepared.push(declarations),
  };
  const insert = await prepareOperation(session, {
    table,
    operation: 'insert',
    method,
    settings: settings(nullBinding),
  });
  for (const row of [full, withNulls]) await insert.run(insert.encode(batchOf([row], types)));
  return { prepared, sent };
}

const columns = '@P0 bigint, @P1 decimal(12, 2), @P2 uniqueidentifier';
/** Declarations of the row with nulls. */
const declared: Readonly<Record<NullBinding, string>> = {
  asColumn: columns,
  asDecimal: '@P0 bigint, @P1 decimal(38, 0), @P2 uniqueidentifier',
  asFloat: '@P0 bigint, @P1 float, @P2 uniqueidentifier',
  asText: '@P0 bigint, @P1 nvarchar(4000), @P2 nvarchar(4000)',
  untyped: '@P0 bigint',
};

describe.each(nullBindings)('nulls %s', (nullBinding) => {
  test('are declared alike by bind and by prepared', async () => {
    const bound = await inserted('bind', nullBinding);
    const says = (body: Buffer, text: string) => body.includes(Buffer.from(text, 'utf16le'));
    expect(says(bound.sent[0]!, columns)).toBe(true);
    expect(says(bound.sent[1]!, `${declared[nullBinding]}`)).toBe(true);
    expect(says(bound.sent[1]!, `${declared[nullBinding]}, `), 'and nothing more').toBe(false);
    const { prepared } = await inserted('prepared', nullBinding);
    expect(prepared).toEqual(nullBinding === 'asColumn' ? [columns] : [columns, declared[nullBinding]]);
  });

  test('are declared so by mssql, too', async () => {
    const inputs: string[] = [];
    const request = {
      input(name: string, type: { readonly declaration?: string; readonly type?: { readonly declaration: string } }) {
        const { precision, scale, length } = type as { precision?: number; scale?: number; length?: number };
        const kind = type.type?.declaration ?? type.declaration;
        inputs.push(
          `@${name} ${kind}${precision === undefined ? (length === undefined ? '' : `(${length})`) : `(${precision}, ${scale})`}`,
        );
      },
      query: async () => ({ rowsAffected: [1] }),
    };
    const requests = {
      server: { version: '16', major: 16, edition: '', engineEdition: 3, emulator: null },
      request: async () => request as never, // the parts that inserting uses
      prepared: () => Promise.reject(new Error('Nothing is prepared.')),
    };
    const plan = { table, operation: 'insert', method: 'bind', settings: settings(nullBinding) } as const;
    const insert = await prepareMssql(requests, plan);
    await insert.run(insert.encode(batchOf([withNulls], types)));
    expect(inputs.join(', ')).toBe(declared[nullBinding]);
  });
});

test('a null of a decimal as any decimal travels as one of 38 digits without places', async () => {
  const { sent } = await inserted('bind', 'asDecimal');
  const { info, nullValue } = wireType({ kind: 'decimal', precision: 38, scale: 0 }, collation);
  expect([...info]).toEqual([0x6a, 17, 38, 0]);
  expect(sent[1]!.includes(Buffer.concat([info, nullValue]))).toBe(true);
  expect(sent[0]!.includes(info)).toBe(false);
});
