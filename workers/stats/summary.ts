/**
 * Summary statistics of a sample. Quantiles interpolate linearly between order statistics (type 7 of Hyndman & Fan
 * 1996).
 */
interface Summary {
  readonly n: number;
  readonly mean: number;
  /** Standard deviation with the divisor n − 1; NaN for one value. */
  readonly sd: number;
  /** Coefficient of variation, sd ÷ mean. */
  readonly cv: number;
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Summary statistics; null for no values. */
export function summarise(values: readonly number[]): Summary | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const average = mean(values);
  const sd = Math.sqrt(variance(values));
  return {
    n: values.length,
    mean: average,
    sd,
    cv: sd / average,
    median: quantile(sorted, 0.5),
    min: sorted[0]!,
    max: sorted.at(-1)!,
  };
}

/** Arithmetic mean; NaN for no values. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Sample variance (n − 1), in two passes for precision; NaN for fewer than two values. */
export function variance(values: readonly number[]): number {
  const average = mean(values);
  return values.length < 2
    ? Number.NaN
    : values.reduce((sum, value) => sum + (value - average) ** 2, 0) / (values.length - 1);
}

/** Coefficient of variation, sd ÷ mean; null for fewer than two values, or a mean that is not positive. */
export function variationOf(values: readonly number[]): number | null {
  const average = mean(values);
  return values.length < 2 || !(average > 0) ? null : Math.sqrt(variance(values)) / average;
}

/** Median; NaN for no values. */
export const median = (values: readonly number[]): number =>
  values.length === 0
    ? Number.NaN
    : quantile(
        values.toSorted((a, b) => a - b),
        0.5,
      );

/** The quantile 0 ≤ q ≤ 1 of values sorted in ascending order. */
export function quantile(sorted: readonly number[], q: number): number {
  const position = (sorted.length - 1) * q;
  const below = Math.floor(position);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (position - below);
}
