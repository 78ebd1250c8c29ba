import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { RowLayout } from '#model/batch/batch.ts';
import { type Dataset, datasetSchema } from '#model/dataset/dataset.ts';
import { createGenerator } from './generator.ts';

/** Measures the rows per second that one core generates, against plain code: randomUUID and 20 random letters. */

const seconds = 1;
const rowsPerBatch = 10_000;

const duel: Dataset['columns'] = {
  id: { type: 'uuid4', nulls: 0 },
  name: { type: 'text', length: 20, alphabet: 'alphanumeric', nulls: 0 },
};
const wide: Dataset['columns'] = {
  id: { type: 'uuid7', nulls: 0 },
  name: { type: 'text', minLength: 5, maxLength: 40, alphabet: 'unicode', nulls: 0.1 },
  amount: { type: 'decimal', precision: 12, scale: 2, nulls: 0 },
  at: { type: 'timestamp', from: '2020-01-01', to: '2026-01-01', nulls: 0 },
  active: { type: 'boolean', trueShare: 0.5, nulls: 0 },
  note: { type: 'bytes', minLength: 0, maxLength: 30, nulls: 0.5 },
};
/** PostgreSQL's binary COPY row of the same two columns: field count, length, uuid, length, text. */
const layout: RowLayout = {
  template: new Uint8Array(2 + 4 + 16 + 4 + 20),
  offsets: [6, 26],
  head: new Uint8Array(19),
  tail: new Uint8Array(2),
};

/** One column of each kind of realistic values. */
const realistic: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'names, from 1,000': { type: 'name', what: 'person', locale: 'de' },
  'names, zipf': { type: 'name', what: 'person', locale: 'de', distribution: 'zipf' },
  codes: { type: 'code', pattern: 'AB-####-??' },
  'groups by weight': { type: 'oneOf', values: ['red', 'green', 'blue'], weights: [5, 2, 1] },
  'foreign keys (uuid7)': { type: 'reference', rows: 1_000_000, key: { type: 'uuid7' } },
  'foreign keys, zipf': { type: 'reference', rows: 1_000_000, key: { type: 'uuid7' }, distribution: 'zipf' },
  'integers, zipf': { type: 'integer', distribution: 'zipf' },
  'integers, normal': { type: 'integer', distribution: 'normal' },
  'decimals, exponential': { type: 'decimal', distribution: 'exponential' },
  'prose of 5 to 20 words': { type: 'words' },
  'documents of 4 values and a list': {
    type: 'document',
    fields: {
      id: { type: 'uuid4' },
      name: { type: 'name', what: 'company' },
      price: { type: 'decimal' },
      at: { type: 'timestamp' },
      tags: { type: 'list', of: { type: 'oneOf', count: 20 } },
    },
  },
};
const product = {
  price: { type: 'decimal' },
  quantity: { type: 'integer', max: 9 },
  total: { type: 'correlated', of: 'price', times: 'quantity', noise: 0.1 },
};

const cases: readonly (readonly [string, Dataset['columns'], RowLayout | null])[] = [
  ['uuid4 + 20 characters, column vectors', duel, null],
  ['uuid4 + 20 characters, into a row layout', duel, layout],
  ['six mixed columns with nulls', wide, null],
];

/** Rows a second of a function that makes one batch. */
function rate(make: (start: number) => void): number {
  for (let warm = 0; warm < 20; warm++) make(warm * rowsPerBatch);
  const start = performance.now();
  let rows = 0;
  while (performance.now() - start < seconds * 1_000) {
    make(rows);
    rows += rowsPerBatch;
  }
  return rows / ((performance.now() - start) / 1_000);
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
function plainRows(): void {
  const ids: string[] = [];
  const names: string[] = [];
  for (let row = 0; row < rowsPerBatch; row++) {
    ids.push(randomUUID());
    let name = '';
    for (let i = 0; i < 20; i++) name += letters[Math.floor(Math.random() * letters.length)];
    names.push(name);
  }
}

const peer = rate(plainRows);
const line = (label: string, perSecond: number) =>
  console.log(
    `${label.padEnd(42)} ${(perSecond / 1e6).toFixed(2).padStart(6)} M rows/s  ${(perSecond / peer).toFixed(2)} ×`,
  );
line('peer: randomUUID + 20 random characters', peer);
const written = (columns: unknown) => v.parse(datasetSchema, { rows: 1, columns }).columns;
const kinds = Object.entries(realistic).map(([label, x]) => [label, written({ x }), null] as const);
for (const [label, columns, into] of [
  ...cases,
  ...kinds,
  ['price, quantity, and their product', written(product), null] as const,
]) {
  const generator = createGenerator({ rows: 1, seed: 1, columns });
  line(
    label,
    rate((start) => generator.fill(start, rowsPerBatch, into)),
  );
}
