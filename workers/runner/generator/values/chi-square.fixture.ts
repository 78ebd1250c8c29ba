/**
 * Pearson's statistic ÷ its 0.999 quantile (Wilson and Hilferty 1931). Above 1, the counts do not fit the expectation.
 */
export function misfit(counts: readonly number[], expected: readonly number[]): number {
  const statistic = counts.reduce((sum, count, i) => sum + (count - expected[i]!) ** 2 / expected[i]!, 0);
  const freedom = counts.length - 1;
  const spread = 2 / (9 * freedom);
  return statistic / (freedom * (1 - spread + 3.0902 * Math.sqrt(spread)) ** 3);
}

/** The number of values that fall between neighbouring bounds. */
export function countsBetween(values: readonly number[], bounds: readonly number[]): number[] {
  return bounds.slice(1).map((to, i) => values.filter((value) => value >= bounds[i]! && value < to).length);
}
