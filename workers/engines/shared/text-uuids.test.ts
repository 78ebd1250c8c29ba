import { expect, test } from 'vitest';
import type { CustomStatement, StatementPlan } from '#engine-api/statement.ts';
import type { Batch } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import { withTextUuids } from './text-uuids.ts';

const uuid = '00112233-4455-6677-8899-aabbccddeeff';
const bytes = Buffer.from(`${uuid.replaceAll('-', '')}${'0'.repeat(32)}`, 'hex');
const batch: Batch = {
  rows: 2,
  columns: [
    { kind: 'fixed', bytes, offset: 0, stride: 16, width: 16, nulls: Uint8Array.of(0, 1) },
    { kind: 'number', values: Float64Array.of(1, 2), nulls: null },
  ],
};

/** The part of the batch that an engine gets to encode. */
async function encoded(text: string): Promise<readonly unknown[]> {
  const plan: StatementPlan = {
    text,
    parameters: [
      { name: 'id', type: { kind: 'uuid' }, nullable: true },
      { name: 'n', type: { kind: 'bigint' }, nullable: false },
    ],
    method: 'bind',
    tables: {},
    options: {},
    isRead: false,
  };
  const own = await withTextUuids(plan, { language: 'sql' }, ({ parameters }) => {
    const encode = ({ columns, rows }: Batch) => columns.map((one, c) => decodeColumn(one, parameters[c]!.type, rows));
    return { encode: (given) => [parameters[0]!.type.kind, ...encode(given)] } as CustomStatement<unknown[]>;
  });
  return own.encode(batch);
}

test('a UUID for a table of the user’s own is its 36 characters', async () => {
  expect(await encoded('INSERT INTO shop.evt VALUES (:id, :n)')).toEqual(['text', [uuid, null], [1, 2]]);
});

test('for a table of Dyno’s it is what the engine stores', async () => {
  expect(await encoded('INSERT INTO {table} VALUES (:id, :n)')).toEqual(['uuid', [uuid, null], [1, 2]]);
});
