import type { ColumnStatistics, StatisticsValue } from '#engine-api/table-facts.ts';

/** The most frequent values and the bounds that a sample gives, as many as PostgreSQL keeps by default. */
const most = 100;
/** A value is frequent if it occurs so many times more often than the usual one, as in PostgreSQL. */
const frequentBy = 1.25;

/**
 * Statistics of a column from a random sample of its values, in the order of the rows' keys. Null: the row has none.
 * `rows`: the rows of the whole table. The number of different values is the estimate of Haas and Stokes (1998), as in
 * PostgreSQL, but of the values that are not frequent: beside these the estimate falls far short.
 */
export function sampleStatistics(sample: readonly (StatisticsValue | null)[], rows: number): ColumnStatistics {
  const values = sample.filter((value) => value !== null);
  const share = values.length / Math.max(1, sample.length);
  const counts = new Map<StatisticsValue, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const once = [...counts.values()].filter((count) => count === 1).length;
  const usual = values.length / Math.max(1, counts.size);
  const isWhole = once === 0 && counts.size <= most;
  const common = [...counts]
    .filter(([, count]) => isWhole || (count > 1 && count > frequentBy * usual))
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([value, count]) => ({ value, share: count / sample.length }));
  const listed = new Set(common.map(({ value }) => value));
  const others = values.filter((value) => !listed.has(value)).toSorted(ascending);
  const steps = Math.min(most, others.length - 1);
  const rowsOf = (sampled: number) => (rows * sampled) / Math.max(1, sample.length);
  return {
    nullShare: sample.length === 0 ? null : 1 - share,
    distinct:
      values.length === 0
        ? null
        : common.length + distinctIn(others.length, counts.size - common.length, once, rowsOf(others.length)),
    common,
    bounds:
      steps < 1
        ? []
        : Array.from({ length: steps + 1 }, (_, i) => others[Math.round((i / steps) * (others.length - 1))]!),
    meanBytes: values.length === 0 ? null : values.map(bytesOf).reduce((sum, bytes) => sum + bytes, 0) / values.length,
    rowOrder: rankCorrelation(values),
  };
}

/** n d / (n − f₁ + f₁ n / N): of n rows, f₁ have a value that occurs once among d different ones. */
function distinctIn(sampled: number, different: number, once: number, rows: number): number {
  if (sampled >= rows) return different;
  return Math.round(Math.min(rows, (sampled * different) / (sampled - once + (once * sampled) / rows)));
}

const bytesOf = (value: StatisticsValue): number => (typeof value === 'string' ? Buffer.byteLength(value) : 8);

function ascending(a: StatisticsValue, b: StatisticsValue): number {
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  return Number(a) - Number(b);
}

/** Rank correlation of values with their positions; null: too few, or all are equal. Equal values share a rank. */
function rankCorrelation(values: readonly StatisticsValue[]): number | null {
  const n = values.length;
  const order = values.map((value, i) => ({ value, i })).toSorted((a, b) => ascending(a.value, b.value));
  const ranks = new Float64Array(n);
  for (let at = 0; at < n; ) {
    let end = at + 1;
    while (end < n && order[end]!.value === order[at]!.value) end++;
    for (let k = at; k < end; k++) ranks[order[k]!.i] = (at + end - 1) / 2;
    at = end;
  }
  const middle = (n - 1) / 2;
  let [both, own, place] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    both += (ranks[i]! - middle) * (i - middle);
    own += (ranks[i]! - middle) ** 2;
    place += (i - middle) ** 2;
  }
  return n < 10 || own === 0 ? null : both / Math.sqrt(own * place);
}
