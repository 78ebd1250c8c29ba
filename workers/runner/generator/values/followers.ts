import type { ColumnSpec } from '#model/dataset/column-specs.ts';
import { variance } from '#stats/intervals/summary.ts';
import type { Stream } from '#stats/random/random.ts';
import { firstWord, secondWord } from '../hash.ts';
import { type Rows, rowAt } from '../rows.ts';
import { normalOf } from './distributed.ts';

/** Writes the values of a column from those of other columns of the same rows, in the order of the column's spec. */
export type WriteFollowing = (rows: Rows, key: Stream, sources: readonly Float64Array[], values: Float64Array) => void;

type CorrelatedSpec = ColumnSpec & { readonly type: 'correlated' };

/** `units`: the integer that stands for 1 in each source (100 for 1.00). `sample`: values of the sources. */
export function correlate(
  spec: CorrelatedSpec,
  units: readonly number[],
  sample: () => readonly Float64Array[],
): WriteFollowing {
  const unit = units.reduce((product, one) => product * one, 1);
  const factor = spec.factor / unit;
  const signal = (sources: readonly Float64Array[], r: number) =>
    sources.reduce((product, values) => product * values[r]!, factor);
  const noise = spec.noise ?? (spec.correlation === undefined ? 0 : noiseFor(spec.correlation, signal, sample()));
  const scale = 10 ** spec.scale;
  const most = 10 ** spec.precision - 1;
  return (rows, key, sources, values) => {
    for (let r = 0; r < rows.count; r++) {
      let value = signal(sources, r) + spec.plus;
      if (noise > 0) value += noise * normalAt(rows, r, key);
      values[r] = Math.max(-most, Math.min(most, Math.round(value * scale)));
    }
  };
}

/** r² is the signal's share of the variance, and the noise is the rest. */
function noiseFor(
  correlation: number,
  signal: (sources: readonly Float64Array[], r: number) => number,
  sources: readonly Float64Array[],
): number {
  const values = Array.from(sources[0]!, (_, r) => signal(sources, r));
  return Math.sqrt(variance(values) * (1 / correlation ** 2 - 1));
}

const usPerHour = 3_600_000_000;
const tenYearsUs = 87_600 * usPerHour;

export const delay =
  ({ medianHours, spread }: ColumnSpec & { readonly type: 'delayed' }): WriteFollowing =>
  (rows, key, [from], values) => {
    for (let r = 0; r < rows.count; r++) {
      const us = medianHours * usPerHour * Math.exp(spread * normalAt(rows, r, key));
      values[r] = from![r]! + Math.floor(Math.min(us, tenYearsUs));
    }
  };

function normalAt(rows: Rows, r: number, key: Stream): number {
  const row = rowAt(rows, r);
  const first = firstWord(key, row);
  return normalOf(first, secondWord(key, row, first));
}
