/** With two repeats an interval of logarithms spans any number of decades, beside which the values themselves are one point. */
const mostBeyond = 10;

/** How far a log axis goes beyond its (positive) values for the bounds of intervals; whiskers that reach farther end there. */
export const logReach = (values: readonly number[]): { readonly low: number; readonly high: number } => ({
  low: Math.min(...values) / mostBeyond,
  high: Math.max(...values) * mostBeyond,
});
