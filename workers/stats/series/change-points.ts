import { Sfc32 } from '../random/random.ts';
import { correlatedMeanFactor, correlationOf, effectiveSize } from './autocorrelation.ts';

interface ChangePoint {
  /** Number of the first value after the change. */
  readonly at: number;
  /** Probability of so good a split in a series without a change; at most `significance`. */
  readonly p: number;
  /** Means of the stretches before and after, up to their next change points. */
  readonly before: number;
  readonly after: number;
}

interface ChangePointOptions {
  /** Fewest values between two changes; 5 by default. */
  readonly leastLength?: number;
  readonly significance?: number;
  readonly permutations?: number;
  /** Number of values that are permuted together: about the length of the correlation. 1: independent values. */
  readonly blockLength?: number;
  readonly seed?: number;
}

/** With more values, the quadratic search takes seconds: aggregate them first. */
export const mostValues = 600;

/**
 * Moments at which the distribution of a series changes: E-divisive (Matteson & James 2014, "A nonparametric approach
 * for multiple change point analysis of multivariate data"), the hierarchical bisection by energy distance (α = 1) with
 * a permutation test of each split. It tries all splits of a stretch and permutes blocks, so that correlation in time
 * is not mistaken for a change. Ordered by time. Throws RangeError above mostValues.
 */
export function findChangePoints(
  series: readonly number[],
  { leastLength = 5, significance = 0.01, permutations = 199, blockLength = 1, seed = 1 }: ChangePointOptions = {},
): readonly ChangePoint[] {
  if (series.length > mostValues) throw new RangeError(`${series.length} values; at most ${mostValues}.`);
  const random = new Sfc32(seed);
  const found = new Map<number, number>();
  const stretches: (readonly [number, number])[] = [[0, series.length]];
  for (let stretch = stretches.pop(); stretch; stretch = stretches.pop()) {
    const [from, to] = stretch;
    const values = Float64Array.from(series.slice(from, to));
    const best = bestSplit(values, leastLength);
    if (best === null) continue;
    const p = chanceOf(best.energy, values, { leastLength, significance, permutations, blockLength }, random);
    if (p > significance) continue;
    found.set(from + best.at, p);
    stretches.push([from, from + best.at], [from + best.at, to]);
  }
  const at = [...found.keys()].sort((a, b) => a - b);
  return at.map((position, i) => ({
    at: position,
    p: found.get(position)!,
    before: meanOf(series, at[i - 1] ?? 0, position),
    after: meanOf(series, position, at[i + 1] ?? series.length),
  }));
}

/** A change whose means differ by fewer standard errors is what correlated values do by themselves (see the test). */
const leastErrors = 6;

/**
 * Change points of a series whose values may be correlated in time: those of findChangePoints in blocks, without the
 * ones whose means differ by fewer than six standard errors under first-order autoregressive noise, the least certain
 * left out first. Blocks alone are too short where the correlation is high, because it is estimated after steps were
 * taken out, and a slow wave looks like steps.
 */
export function findSteps(series: readonly number[], seed = 1): readonly ChangePoint[] {
  let points = findChangePoints(series, { blockLength: blockLengthOf(series), seed });
  while (points.length > 0) {
    const errors = errorsOf(series, points);
    const least = errors.indexOf(Math.min(...errors));
    if (errors[least]! >= leastErrors) break;
    const left = points.filter((_, i) => i !== least);
    points = left.map((point, i) => ({
      ...point,
      before: meanOf(series, left[i - 1]?.at ?? 0, point.at),
      after: meanOf(series, point.at, left[i + 1]?.at ?? series.length),
    }));
  }
  return points;
}

/** The difference of the means before and after each change, in standard errors. */
function errorsOf(series: readonly number[], points: readonly ChangePoint[]): readonly number[] {
  const cuts = [0, ...points.map(({ at }) => at), series.length];
  const stretches = cuts.slice(1).map((to, i) => series.slice(cuts[i]!, to));
  let squares = 0;
  let products = 0;
  for (const stretch of stretches) {
    const mean = meanOf(stretch, 0, stretch.length);
    stretch.forEach((value, i) => {
      squares += (value - mean) ** 2;
      if (i > 0) products += (value - mean) * (stretch[i - 1]! - mean);
    });
  }
  if (squares === 0) return points.map(() => Number.POSITIVE_INFINITY);
  const { rho } = correlationOf(squares, products, series.length / stretches.length);
  const factors = stretches.map((stretch) => correlatedMeanFactor(stretch.length, rho));
  const variance = squares / stretches.reduce((sum, { length: n }, i) => sum + n * (1 - factors[i]!), 0);
  return points.map(
    ({ before, after }, i) => Math.abs(after - before) / Math.sqrt(variance * (factors[i]! + factors[i + 1]!)),
  );
}

/** Shorter blocks would cut correlated values apart too often (see the test). */
const blockMargin = 1.5;

/**
 * A `blockLength` for a series that may have changes: from the effective size of the residuals after subtracting the
 * means of up to four stretches. The series itself would give a useless length, because a change is the strongest
 * correlation in it.
 */
export function blockLengthOf(series: readonly number[], leastLength = 5): number {
  const halves = splitOnce(series, leastLength);
  const stretches = halves.length === 1 ? halves : halves.flatMap((half) => splitOnce(half, leastLength));
  const left = stretches.flatMap((stretch) => {
    const mean = meanOf(stretch, 0, stretch.length);
    return stretch.map((value) => value - mean);
  });
  return Math.max(1, Math.round((blockMargin * left.length) / effectiveSize(left)));
}

function splitOnce(series: readonly number[], leastLength: number): readonly (readonly number[])[] {
  const best = bestSplit(Float64Array.from(series), leastLength);
  return best === null ? [series] : [series.slice(0, best.at), series.slice(best.at)];
}

/** The sums of `bestSplit`, which every permutation would otherwise allocate. */
let scratch = new Float64Array(0);

/**
 * The split whose part before it differs most from the part between it and some later moment (the paper's τ and κ): the
 * choice of that moment (`end`) detects a short dip, which the whole rest would hide. The energy distance is scaled by
 * the sizes. Null where the stretch is too short.
 */
export function bestSplit(
  values: Float64Array,
  leastLength: number,
): { readonly at: number; readonly end: number; readonly energy: number } | null {
  const n = values.length;
  if (n < 2 * leastLength) return null;
  // toLeft[j * n + i], for 1 ≤ i ≤ j: sum of the distances of value j to the first i values.
  if (scratch.length < n * n) scratch = new Float64Array(n * n);
  const toLeft = scratch;
  // first[i]: sum of the distances among the first i values.
  const first = new Float64Array(n + 1);
  for (let j = 0; j < n; j++) {
    const value = values[j]!;
    let sum = 0;
    for (let i = 0, place = j * n + 1; i < j; i++, place++) {
      sum += Math.abs(value - values[i]!);
      toLeft[place] = sum;
    }
    first[j + 1] = first[j]! + sum;
  }
  let [bestAt, bestEnd, energy] = [0, 0, Number.NEGATIVE_INFINITY];
  for (let at = leastLength; at <= n - leastLength; at++) {
    const left = within(first[at]!, at);
    // Adds the values from `at` on one by one: distances among them, and to the earlier values.
    let among = 0;
    let between = 0;
    for (let end = at, row = at * n; end < n; end++, row += n) {
      const toEarlier = toLeft[row + at]!;
      among += toLeft[row + end]! - toEarlier;
      between += toEarlier;
      const m = end + 1 - at;
      if (m < leastLength) continue;
      // The energy distance (2 between / (at m) − left − within) times at m / (at + m), with fewer divisions.
      const here = (2 * (between - (at * among) / (m - 1)) - at * m * left) / (at + m);
      if (here > energy) [bestAt, bestEnd, energy] = [at, end + 1, here];
    }
  }
  return Number.isFinite(energy) ? { at: bestAt, end: bestEnd, energy } : null;
}

/** Mean distance within a part. */
const within = (sum: number, count: number): number => (2 * sum) / (count * (count - 1));

/** Share of permuted series with a split as good; ends early where it can no longer be significant. */
function chanceOf(
  energy: number,
  values: Float64Array,
  { leastLength, significance, permutations, blockLength }: Required<Omit<ChangePointOptions, 'seed'>>,
  random: Sfc32,
): number {
  let asGood = 0;
  const allowed = Math.floor(significance * (permutations + 1)) - 1;
  for (let i = 0; i < permutations && asGood <= allowed; i++)
    if (bestSplit(shuffled(values, blockLength, random), leastLength)!.energy >= energy) asGood++;
  return asGood > allowed ? 1 : (asGood + 1) / (permutations + 1);
}

/** Blocks in a random order (Fisher & Yates); a random length of the first one moves the borders each time. */
function shuffled(values: Float64Array, blockLength: number, random: Sfc32): Float64Array {
  const offset = random.below(Math.min(blockLength, values.length));
  const blocks: Float64Array[] = offset > 0 ? [values.subarray(0, offset)] : [];
  for (let from = offset; from < values.length; from += blockLength)
    blocks.push(values.subarray(from, from + blockLength));
  for (let i = blocks.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [blocks[i], blocks[j]] = [blocks[j]!, blocks[i]!];
  }
  const result = new Float64Array(values.length);
  let end = 0;
  for (const block of blocks) {
    result.set(block, end);
    end += block.length;
  }
  return result;
}

function meanOf(series: readonly number[], from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += series[i]!;
  return sum / (to - from);
}
