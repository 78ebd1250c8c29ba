/** Arithmetic mean; NaN for no values. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Arithmetic mean; null for no values. */
export const meanOrNull = (values: readonly number[]): number | null => (values.length === 0 ? null : mean(values));

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

/**
 * The quantile 0 ≤ q ≤ 1 of values sorted in ascending order, interpolated linearly between order statistics (type 7
 * of Hyndman & Fan 1996).
 */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  const position = (sorted.length - 1) * q;
  const below = Math.floor(position);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (position - below);
}
