/** Intervals of few scattering repeats end decades away from all that was measured, or below zero. */
const farthest = 10;

/**
 * The range of a log axis: all points, and the ends of their intervals that are not farther than this from every point.
 */
export function withinReach(points: readonly number[], ends: readonly number[]): readonly number[] {
  const positive = points.filter((value) => value > 0);
  const [low, high] = [Math.min(...positive) / farthest, Math.max(...positive) * farthest];
  return [...positive, ...ends.filter((end) => end > 0).map((end) => Math.min(Math.max(end, low), high))];
}

/** The powers of ten around the points and the ends within reach. */
export function decadesWithinReach(points: readonly number[], ends: readonly number[]): Record<'min' | 'max', number> {
  const logs = withinReach(points, ends).map(Math.log10);
  return { min: 10 ** Math.floor(Math.min(...logs)), max: 10 ** Math.ceil(Math.max(...logs)) };
}
