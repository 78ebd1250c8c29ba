import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { keyIndex, tableColumns } from './columns.ts';
import { datasetSchema } from './dataset.ts';

const dataset = v.parse(datasetSchema, {
  rows: 10,
  key: 'id',
  columns: {
    payload: { type: 'text', length: 20 },
    id: { type: 'uuid7' },
    name: { type: 'text', minLength: 2, maxLength: 40, alphabet: 'unicode', nulls: 0.1 },
    open: { type: 'text', maxLength: 8 },
    price: { type: 'decimal' },
    blob: { type: 'bytes', length: 16 },
    n: { type: 'integer', max: 5 },
    at: { type: 'timestamp' },
    ok: { type: 'boolean' },
  },
});

describe('columns of a dataset', () => {
  it('follow the order of the file and carry types, lengths and nullability', () => {
    expect(tableColumns(dataset)).toEqual([
      { name: 'payload', type: { kind: 'text', maxLength: 20, fixed: true, ascii: true }, nullable: false },
      { name: 'id', type: { kind: 'uuid' }, nullable: false },
      { name: 'name', type: { kind: 'text', maxLength: 40, fixed: false, ascii: false }, nullable: true },
      { name: 'open', type: { kind: 'text', maxLength: 8, fixed: false, ascii: true }, nullable: false },
      { name: 'price', type: { kind: 'decimal', precision: 12, scale: 2 }, nullable: false },
      { name: 'blob', type: { kind: 'bytes', maxLength: 16, fixed: true }, nullable: false },
      { name: 'n', type: { kind: 'bigint' }, nullable: false },
      { name: 'at', type: { kind: 'timestamp' }, nullable: false },
      { name: 'ok', type: { kind: 'boolean' }, nullable: false },
    ]);
  });

  it('name the key by its position', () => {
    expect(keyIndex(dataset)).toBe(1);
    const { key: _, ...keyless } = dataset;
    expect(keyIndex(keyless)).toBeNull();
  });
});
