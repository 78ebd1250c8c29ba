/** Values of calls, such as the rows that each returned: their number, sum, sum of squares, and largest value. */
export interface CallValues {
  readonly calls: number;
  readonly sum: number;
  readonly squares: number;
  readonly most: number;
}

/**
 * True if calls of two sides differ in the mean of a value that is never negative, beyond random draws: the chance of a
 * difference as large among draws from one distribution is below `chance`. It uses Bernstein's inequality for the
 * difference of two means (S. Boucheron, G. Lugosi, P. Massart, "Concentration Inequalities", 2013, 2.8), with the
 * variance and the largest value of both sides together, so that a few calls with very many rows make no difference.
 * `spread`: the factor by which the means of repeats vary more than draws do, on the variance.
 */
export function meansDiffer(a: CallValues, b: CallValues, chance: number, spread = 1): boolean {
  const calls = a.calls + b.calls;
  if (a.calls === 0 || b.calls === 0) return false;
  const mean = (a.sum + b.sum) / calls;
  const variance = Math.max(0, (a.squares + b.squares) / calls - mean ** 2) * spread;
  const farthest = Math.max(a.most - mean, b.most - mean, mean);
  const difference = Math.abs(a.sum / a.calls - b.sum / b.calls);
  if (difference === 0) return false;
  const scatter = variance * (1 / a.calls + 1 / b.calls);
  const tail = (farthest * difference) / (3 * Math.min(a.calls, b.calls));
  return difference ** 2 / (2 * (scatter + tail)) > Math.log(2 / chance);
}

/**
 * The factor, on the variance, by which the means of repeats vary more than draws of their calls do; 1 if they do not.
 * `sides`: the repeats of each side.
 */
export function spreadOfRepeats(sides: readonly (readonly CallValues[])[]): number {
  let excess = 0;
  let degrees = 0;
  for (const repeats of sides) {
    const calls = repeats.reduce((sum, one) => sum + one.calls, 0);
    if (repeats.length < 2 || calls === 0) continue;
    const mean = repeats.reduce((sum, one) => sum + one.sum, 0) / calls;
    const variance = repeats.reduce((sum, one) => sum + one.squares, 0) / calls - mean ** 2;
    degrees += repeats.length - 1;
    if (variance <= 0) continue;
    for (const one of repeats) if (one.calls > 0) excess += (one.calls * (one.sum / one.calls - mean) ** 2) / variance;
  }
  return degrees === 0 ? 1 : Math.max(1, excess / degrees);
}
