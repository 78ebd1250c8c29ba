import { expect, test } from 'vitest';
import { decodeColumn } from '#model/batch/decode.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { createGenerator } from './generator.ts';

const dataset: Dataset = {
  rows: 100,
  seed: 4,
  key: 'id',
  columns: {
    id: { type: 'uuid4', nulls: 0 },
    at: { type: 'timestamp', from: '2020-01-01', to: '2021-01-01', nulls: 0 },
    later: { type: 'delayed', of: 'at', medianHours: 24, spread: 1, nulls: 0 },
  },
};
const rows = 50;
const stored = (dates: 'native' | 'isoText' | 'ticks', column: number) =>
  decodeColumn(
    createGenerator(dataset, { dates }).fill(0, rows, null).columns[column]!,
    tableColumns(dataset, { dates })[column]!.type,
    rows,
  );

test.each([1, 2])('text, numbers and times of column %i are the same moments', (column) => {
  const native = stored('native', column).map(String);
  const ticks = stored('ticks', column).map(Number);
  const texts = stored('isoText', column).map(String);
  expect(texts).toEqual(native);
  expect(texts.map((text) => Date.parse(text))).toEqual(ticks.map((us) => Math.floor(us / 1_000)));
});

test('other columns are stored as before', () => {
  expect(stored('isoText', 0)).toEqual(stored('native', 0));
});

test('texts are written straight into a layout, at their places', () => {
  const layout = {
    template: new Uint8Array(16 + 27 + 27 + 3).fill(1),
    offsets: [0, 17, 45],
    head: Uint8Array.of(9, 9),
    tail: Uint8Array.of(8),
  };
  const generator = createGenerator(dataset, { dates: 'isoText' });
  const { columns, laidOut } = generator.fill(0, rows, layout);
  const types = tableColumns(dataset, { dates: 'isoText' }).map(({ type }) => type);
  for (const c of [0, 1, 2]) expect(decodeColumn(columns[c]!, types[c]!, rows)).toEqual(stored('isoText', c));
  expect([laidOut?.[0], laidOut?.[2 + 16], laidOut?.[2 + 44], laidOut?.at(-1)]).toEqual([9, 1, 1, 8]);
});
