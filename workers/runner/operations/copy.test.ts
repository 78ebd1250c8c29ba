import { expect, test } from 'vitest';
import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import type { Batch } from '#model/batch/batch.ts';
import { decodeColumn, type Value } from '#model/batch/decode.ts';
import { batchOf } from '#model/batch/encode.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { Phase } from '../loop/phase.ts';
import { copyCounters, copyInto, openSource, sourceOf } from './copy.ts';

const number = { kind: 'bigint' } as const;
const table = {
  name: 'target',
  key: 0,
  options: {},
  columns: ['id', 'amount'].map((name) => ({ name, type: number, nullable: name === 'amount' })),
};

async function* blocks(...sizes: readonly number[]) {
  let row = 0;
  for (const size of sizes) {
    await Promise.resolve();
    yield Array.from({ length: size }, (): Value[] => [row, row++ % 3 === 0 ? null : row]);
  }
}

const keys = (from: number, count: number): Batch =>
  batchOf(
    Array.from({ length: count }, (_, i) => [from + i]),
    [number],
  );

function copying(source = sourceOf(blocks(3, 1, 6)), refuse = false) {
  const inserted: Value[][] = [];
  const insert: Operation<Batch> = {
    encode: (batch) => batch,
    run(batch) {
      if (refuse) throw new DynoError('timeout', 'too long');
      const [ids, amounts] = batch.columns.map((column) => decodeColumn(column, number, batch.rows));
      inserted.push(...ids!.map((id, row) => [id, amounts![row]!]));
      return batch.rows;
    },
  };
  const phase = new Phase(60);
  const counters = copyCounters(() => phase);
  const copy = copyInto(insert, { source, table, key: 0, counters, toError: toErrorData });
  return { copy, inserted, counters };
}

test('rows go in with new keys and nothing else changed, however many a fetch brings', async () => {
  const { copy, inserted, counters } = copying();
  expect(await copy.run(copy.encode(keys(100, 4)))).toBe(4);
  expect(await copy.run(copy.encode(keys(104, 6)))).toBe(6);
  expect(inserted.map(([id]) => id)).toEqual(Array.from({ length: 10 }, (_, i) => 100 + i));
  expect(inserted.map(([, amount]) => amount)).toEqual([null, 2, 3, null, 5, 6, null, 8, 9, null]);
  expect(counters.toData()).toMatchObject([
    { name: 'read', calls: 2, rows: 10 },
    { name: 'insert', calls: 2, rows: 10 },
  ]);
});

test('connections that read at once get each row once', async () => {
  const { copy, inserted } = copying(sourceOf(blocks(2, 2, 2, 2)));
  await Promise.all([0, 2, 4, 6].map((from) => copy.run(copy.encode(keys(from, 2)))));
  expect(inserted.flatMap(([, amount]) => amount ?? []).toSorted()).toEqual([2, 3, 5, 6, 8]);
  expect(inserted).toHaveLength(8);
});

test('a block may be larger than what a call can be spread over, and each request learns when its turn comes', async () => {
  const many = 200_000;
  const source = sourceOf(blocks(many));
  const turns: number[] = [];
  const [all, none] = await Promise.all([source.take(many, () => turns.push(1)), source.take(1, () => turns.push(2))]);
  expect(all).toHaveLength(many);
  expect(none).toEqual([]);
  expect(turns).toEqual([1, 2]);
});

test('a source that ends early is an error, and so is a row that is refused', async () => {
  const short = copying(sourceOf(blocks(3)));
  await expect(short.copy.run(keys(0, 4))).rejects.toThrow('fewer rows');
  const refused = copying(undefined, true);
  await expect(refused.copy.run(keys(0, 4))).rejects.toThrow('too long');
  expect(refused.counters.toData()).toMatchObject([{ calls: 1 }, { calls: 0, errors: { timeout: 1 } }]);
});

test('the table is read as any scan reads it, however the insert declares its nulls', async () => {
  const plans: OperationPlan[] = [];
  const session = {
    async prepare(plan: OperationPlan) {
      plans.push(plan);
      return { encode: () => null, run: () => 0, blocks: () => blocks(1) };
    },
  } as unknown as Session;
  const settings = { ...defaultSettings, operation: 'copy', method: 'prepared', nullBinding: 'untyped' } as const;
  const source = await openSource(session, table, settings, toErrorData);
  expect(await source.take(1, () => {})).toHaveLength(1);
  expect(plans).toMatchObject([{ operation: 'scan', settings: { nullBinding: 'asColumn' } }]);
});
