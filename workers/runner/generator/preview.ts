import { decodeColumn, type Value } from '#model/batch/decode.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import type { FilledDataset } from '#model/dataset/dataset.ts';
import type { Preview, PreviewValue } from '#protocol/preview.ts';
import { createGenerator } from './generator.ts';

/**
 * Generates rows 0 … rows − 1 for display, with values cut to `longest` characters. Throws 'badInput' as the generator
 * does.
 */
export function makePreview(dataset: FilledDataset, rows: number, longest = Number.POSITIVE_INFINITY): Preview {
  const columns = tableColumns(dataset);
  const batch = createGenerator(dataset).fill(0, rows, null);
  const values = columns.map(({ type }, c) => decodeColumn(batch.columns[c]!, type, rows).map(shown(longest)));
  return {
    columns: columns.map(({ name }) => name),
    rows: Array.from({ length: rows }, (_, r) => values.map((column) => column[r]!)),
  };
}

const shown =
  (longest: number) =>
  (value: Value): PreviewValue => {
    const text =
      value instanceof Uint8Array
        ? `0x${Buffer.from(value).toString('hex')}`
        : typeof value === 'bigint'
          ? String(value)
          : value;
    return typeof text === 'string' && text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  };
