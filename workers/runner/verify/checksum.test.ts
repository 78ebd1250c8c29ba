import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Batch } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { createGenerator } from '../generator/generator.ts';
import { createChecksumSum } from './checksum.ts';
import { md5Prefix } from './md5.ts';

const slowPrefix = (value: Uint8Array | string): number => createHash('md5').update(value).digest().readUInt32BE(0);

test('the md5 prefix is that of OpenSSL for every length', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 130 }), fc.nat({ max: 5 }), (bytes, before) => {
      const padded = new Uint8Array(before + bytes.length + 3).fill(255);
      padded.set(bytes, before);
      expect(md5Prefix(padded, before, before + bytes.length)).toBe(slowPrefix(bytes));
    }),
  );
  const long = Uint8Array.from({ length: 600 }, (_, i) => i * 7);
  for (let length = 0; length <= long.length; length++)
    expect(md5Prefix(long, 0, length), String(length)).toBe(slowPrefix(long.subarray(0, length)));
});

const dataset: Dataset = {
  rows: 1_000,
  seed: 9,
  columns: {
    id: { type: 'uuid4', nulls: 0.1 },
    big: { type: 'integer', min: -(2 ** 52), max: 2 ** 52 - 1, nulls: 0.2 },
    name: { type: 'text', minLength: 0, maxLength: 90, alphabet: 'unicode', nulls: 0.3 },
    code: { type: 'text', length: 4, alphabet: 'digits', nulls: 0 },
    active: { type: 'boolean', trueShare: 0.5, nulls: 0 },
    blob: { type: 'bytes', length: 3, nulls: 0.1 },
  },
};
const columns = tableColumns(dataset);
const types = columns.map(({ type }) => type);
const generator = createGenerator(dataset);

/** The sums as model/batch/batch.ts says them, made from one value after another. */
function slowSums(batch: Batch): string[] {
  return columns.map(({ type }, c) => {
    const vector = batch.columns[c]!;
    if (vector.kind === 'number') {
      const values = [...vector.values].filter((_, r) => vector.nulls?.[r] !== 1);
      return String(values.reduce((sum, value) => sum + BigInt(value), 0n));
    }
    const values = decodeColumn(vector, type, batch.rows).filter((value) => value !== null);
    return String(values.reduce<bigint>((sum, value) => sum + BigInt(slowPrefix(value as string | Uint8Array)), 0n));
  });
}

test('sums are exact and as documented for every type', () => {
  const batch = generator.fill(0, 1_000, null);
  const sum = createChecksumSum(types);
  sum.add(batch);
  expect(sum.total()).toEqual({ rows: 1_000, columns: slowSums(batch) });
});

test('where empty is null, empty values add nothing and all others what they always do', () => {
  const batch = generator.fill(0, 1_000, null);
  const name = columns.findIndex((column) => column.name === 'name');
  const names = decodeColumn(batch.columns[name]!, types[name]!, 1_000);
  const empty = names.filter((value) => value === '').length;
  expect(empty).toBeGreaterThan(0);
  const sum = createChecksumSum(types, true);
  sum.add(batch);
  const expected = slowSums(batch).map((total, c) =>
    c === name ? String(BigInt(total) - BigInt(empty) * BigInt(slowPrefix(''))) : total,
  );
  expect(sum.total()).toEqual({ rows: 1_000, columns: expected });
});

test('batches add up to the whole, in any order', () => {
  const sum = createChecksumSum(types);
  sum.add(generator.fill(600, 400, null));
  sum.add(generator.fill(0, 600, null));
  expect(sum.total()).toEqual({ rows: 1_000, columns: slowSums(generator.fill(0, 1_000, null)) });
});
