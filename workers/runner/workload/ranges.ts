import type { ColumnSpec } from '#model/dataset/column-specs.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { valueRange } from '#model/dataset/value-range.ts';
import type { Generator } from '../generator/generator.ts';

/** Ranges of a column's values that each hold about the same number of rows. */
interface Ranges {
  /** The range from `low` to below `high` that begins at this part (0…1) of the possible beginnings. */
  at(part: number): { readonly low: number; readonly high: number };
}

/** The size of the sample; with it, a range's size is right to about 0.1 % of the rows. */
const sampleRows = 20_000;

/**
 * Makes ranges over rows 0 … rows − 1, as numbers (Generator.numbers). Uniform values are divided by their span, others
 * by interpolated quantiles of a fixed sample. Rows that are null are in no range.
 */
export function createRanges(
  { columns }: Pick<Dataset, 'columns'>,
  generator: Generator,
  column: string,
  rows: number,
  rangeRows: number,
): Ranges {
  const spec = columns[column];
  const even = spec && evenSpread(spec, rows);
  if (even) {
    const share = Math.min(1, rangeRows / Math.max(1, rows * (1 - (spec.nulls ?? 0))));
    const width = Math.max(1, Math.round(even.count * share));
    return {
      at(part) {
        const low = even.least + Math.floor(part * Math.max(0, even.count - width));
        return { low, high: low + width };
      },
    };
  }
  const sorted = sortedSample(generator, column, rows);
  const known = sorted.length / Math.min(rows, sampleRows);
  const share = Math.min(1, rangeRows / Math.max(1, rows * known));
  return {
    at(part) {
      const from = part * (1 - share);
      const low = Math.floor(quantile(sorted, from));
      return { low, high: Math.max(low, Math.floor(quantile(sorted, from + share))) + 1 };
    },
  };
}

/** The integers over which the values are distributed uniformly; null where they are not. */
function evenSpread(spec: ColumnSpec, rows: number): { readonly least: number; readonly count: number } | null {
  switch (spec.type) {
    case 'sequence':
      return { least: spec.start, count: rows };
    case 'integer':
    case 'decimal':
    case 'timestamp':
      return (spec.distribution ?? 'uniform') === 'uniform' ? valueRange(spec) : null;
    default:
      return null;
  }
}

function sortedSample(generator: Generator, column: string, rows: number): Float64Array {
  const count = Math.min(rows, sampleRows);
  const rowNumbers = Float64Array.from({ length: count }, (_, i) => Math.floor((i * rows) / count));
  const { values, nulls } = generator.numbers(column, rowNumbers);
  return values.filter((_, r) => nulls?.[r] !== 1).sort();
}

function quantile(sorted: Float64Array, part: number): number {
  if (sorted.length === 0) return 0;
  const at = part * (sorted.length - 1);
  const below = Math.floor(at);
  const low = sorted[below]!;
  return low + (at - below) * ((sorted[below + 1] ?? low) - low);
}
