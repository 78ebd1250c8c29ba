import { holm } from '../intervals/intervals.ts';
import { tChance, tQuantile } from '../intervals/student-t.ts';
import { correlatedMeanFactor, correlationOf } from './autocorrelation.ts';
import { bestSplit } from './change-points.ts';

/** A change of the level of a short series. */
export interface LevelChange {
  /** Number of the first value after the change. */
  readonly at: number;
  /** Means of the stretches before and after, up to their next changes. */
  readonly before: number;
  readonly after: number;
  /** Bounds of `after − before` with 95 % confidence. */
  readonly low: number;
  readonly high: number;
  /** Probability of so good a split anywhere in a series of the same length without a change. */
  readonly p: number;
}

/** A series that is searched for changes. */
export interface LevelSeries {
  readonly values: readonly number[];
  /** Standard deviation that no value is more exact than, because the values are rounded. */
  readonly leastError: number;
  /** Smallest difference of two levels that is a change. */
  readonly leastChange: number;
}

/** One value that differs from all others cannot be told from an outlier. */
const leastLength = 2;
/** Two values among others cannot be told from two outliers; at the ends of a series two are enough. */
const leastBetween = 3;
/** Shorter stretches show no correlation, because subtracting their means hides it. */
const leastForCorrelation = 7;
/** The share of the chance that is spent on splits of a whole stretch; the rest is spent on dips within a stretch. */
const wholeShare = 0.8;
/** Dips are searched for in windows of this length, because the search takes the square of the length. */
const window = 60;

/**
 * Changes of level in several series of few values, such as one value for each run of a benchmark: E-divisive (see
 * change-points.ts) proposes the splits, and Student's t test judges them, because a permutation test of five to
 * fifteen values cannot reach the small probabilities that several series need. A probability is multiplied by the
 * number of splits that were tried (Bonferroni), and the series are judged together (Holm), so that at most `chance` of
 * all sets of series without a change have a change claimed anywhere. The values of a series are independent and about
 * normally distributed: logarithms of rates and times are. Each result belongs to the series at its position.
 */
export function findLevelChanges(all: readonly LevelSeries[], chance = 0.05): readonly (readonly LevelChange[])[] {
  const searches = all.map((series) => searchOf(series));
  const firsts = new Map<Search, number>();
  for (const search of searches) {
    const first = search.next();
    if (first !== null) firsts.set(search, first.p);
  }
  const changed = holm(firsts, chance);
  return searches.map((search) => {
    if (!changed.has(search)) return [];
    for (let found = search.next(); found !== null; found = search.next()) {
      // Holm's procedure covers only the first change of each series.
      if (search.hasChanges() && found.p > chance / firsts.size) break;
      search.accept(found);
    }
    return search.changes(chance / (firsts.size - changed.size + 1));
  });
}

/** A stretch [from, to) without a known change, and the splits that E-divisive proposes in it. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly proposals: readonly Proposal[];
}

/** A split of the values [from, to) at `at`, and the number by which its probability is multiplied. */
interface Proposal {
  readonly from: number;
  readonly at: number;
  readonly to: number;
  readonly tried: number;
}

interface Found extends Proposal {
  readonly stretch: Stretch;
  readonly p: number;
}

interface Search {
  /** The most significant split of the stretches so far; null: they are too short. */
  next(): Found | null;
  accept(found: Found): void;
  hasChanges(): boolean;
  /** The changes that are also as significant as this when all levels are known; the least significant goes first. */
  changes(chance: number): readonly LevelChange[];
}

function searchOf({ values, leastError, leastChange }: LevelSeries): Search {
  const n = values.length;
  const sums = sumsOf(values);
  const proposed = new Map<number, number>();
  const tried = { whole: triedWhole(n) / wholeShare, within: triedWithin(n) / (1 - wholeShare) };
  const stretchOf = (from: number, to: number): Stretch => ({
    from,
    to,
    proposals: proposalsOf(values.slice(from, to), from > 0, to < n).map((one) => ({
      from: from + one.from,
      at: from + one.at,
      to: from + one.to,
      tried: one.from === 0 && from + one.to === to ? tried.whole : tried.within,
    })),
  });
  let stretches: readonly Stretch[] = [stretchOf(0, n)];

  /** Sum of squares around the means of the stretches, with its degrees of freedom, where one of them is split. */
  const scatter = (split: Stretch | null, parts: readonly (readonly [number, number])[]) => {
    const whole = stretches.filter((one) => one !== split).map(({ from, to }) => [from, to] as const);
    const all = [...whole, ...parts].filter(([from, to]) => to > from);
    const squares = all.reduce((sum, [from, to]) => sum + sums.squares(from, to), 0);
    return { squares, freedom: n - all.length };
  };
  /** The correlation from run to run around the levels so far. Steps that are not known yet look like correlation. */
  const correlation = (): number => {
    const length = n / stretches.length;
    const products = stretches.reduce((sum, { from, to }) => sum + sums.products(from, to), 0);
    return length < leastForCorrelation ? 0 : correlationOf(scatter(null, []).squares, products, length).rho;
  };
  const errorOf = (
    { squares, freedom }: ReturnType<typeof scatter>,
    { from, at, to }: Pick<Proposal, 'from' | 'at' | 'to'>,
    rho = 0,
  ): number => {
    const factors = correlatedMeanFactor(at - from, rho) + correlatedMeanFactor(to - at, rho);
    return Math.sqrt(Math.max(squares / freedom, leastError ** 2) * factors);
  };
  const judged = (stretch: Stretch, proposal: Proposal): Found => {
    const { from, at, to } = proposal;
    const parts = [
      [stretch.from, from],
      [from, at],
      [at, to],
      [to, stretch.to],
    ] as const;
    const noise = scatter(stretch, parts);
    const difference = sums.mean(at, to) - sums.mean(from, at);
    const error = errorOf(noise, proposal);
    const p = difference === 0 ? 1 : error === 0 ? 0 : tChance(difference / error, noise.freedom);
    return { ...proposal, stretch, p: Math.min(1, p * proposal.tried) };
  };

  return {
    next() {
      const all = stretches.flatMap((stretch) => stretch.proposals.map((one) => judged(stretch, one)));
      return all.reduce<Found | null>((best, one) => (best === null || one.p < best.p ? one : best), null);
    },
    accept({ stretch, at, p }) {
      proposed.set(at, p);
      stretches = stretches.flatMap((one) =>
        one === stretch ? [stretchOf(one.from, at), stretchOf(at, one.to)] : [one],
      );
    },
    hasChanges: () => proposed.size > 0,
    changes(chance) {
      for (;;) {
        const noise = scatter(null, []);
        const rho = correlation();
        const made = stretches.slice(1).map(({ from: at, to }, i): LevelChange => {
          const from = stretches[i]!.from;
          const [before, after] = [sums.mean(from, at), sums.mean(at, to)];
          const difference = after - before;
          const error = errorOf(noise, { from, at, to }, rho);
          const half = tQuantile(0.975, noise.freedom) * error;
          const own = error === 0 ? 0 : tChance(difference / error, noise.freedom) * tried.whole;
          const p = Math.abs(difference) < leastChange ? 1 : Math.min(1, Math.max(own, proposed.get(at)!));
          return { at, before, after, low: difference - half, high: difference + half, p };
        });
        const least = made.reduce<number>((worst, { p }, i) => (p > (made[worst]?.p ?? -1) ? i : worst), -1);
        if (least < 0 || made[least]!.p <= chance) return made;
        const [before, after] = [stretches[least]!, stretches[least + 1]!];
        stretches = stretches.toSpliced(least, 2, { from: before.from, to: after.to, proposals: [] });
      }
    },
  };
}

/** Means and sums of squares of the values between two positions. */
function sumsOf(values: readonly number[]) {
  const center = values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
  const sum = new Float64Array(values.length + 1);
  const square = new Float64Array(values.length + 1);
  // product[i + 1]: sum of the products of each value up to i and the value before it.
  const product = new Float64Array(values.length + 1);
  values.forEach((value, i) => {
    product[i + 1] = product[i]! + (i === 0 ? 0 : (value - center) * (values[i - 1]! - center));
    sum[i + 1] = sum[i]! + (value - center);
    square[i + 1] = square[i]! + (value - center) ** 2;
  });
  return {
    mean: (from: number, to: number): number => center + (sum[to]! - sum[from]!) / (to - from),
    squares: (from: number, to: number): number =>
      Math.max(0, square[to]! - square[from]! - (sum[to]! - sum[from]!) ** 2 / (to - from)),
    /** Sum of the products of neighbours, both less the mean of all values in between. */
    products(from: number, to: number): number {
      const mean = (sum[to]! - sum[from]!) / (to - from);
      const ends = 2 * (sum[to]! - sum[from]!) - (sum[from + 1]! - sum[from]!) - (sum[to]! - sum[to - 1]!);
      return product[to]! - product[from + 1]! - mean * ends + (to - from - 1) * mean ** 2;
    },
  };
}

/** Number of splits of n values. */
const triedWhole = (n: number): number => Math.max(0, n - 2 * leastLength + 1);

/** Number of splits of n values with an end of the second part, over all windows. */
function triedWithin(n: number): number {
  const splits = triedWhole(Math.min(n, window));
  return windowsOf(n).length * ((splits * (splits + 1)) / 2);
}

/** The windows [from, to) of n values, each half over the next one. */
function windowsOf(n: number): readonly (readonly [number, number])[] {
  const step = window / 2;
  const count = Math.max(1, Math.ceil((n - window) / step) + 1);
  return Array.from({ length: count }, (_, i) => [i * step, Math.min(n, i * step + window)] as const);
}

/** The split of the whole stretch with the greatest energy distance, and that of each window's dips. */
function proposalsOf(
  values: readonly number[],
  isAfterChange: boolean,
  isBeforeChange: boolean,
): readonly Omit<Proposal, 'tried'>[] {
  const least = (isBetween: boolean) => (isBetween ? leastBetween : leastLength);
  const whole = bestWholeSplit(values, least(isAfterChange), least(isBeforeChange));
  if (whole === null) return [];
  const n = values.length;
  const dips = windowsOf(n).flatMap(([from, to]) => {
    const best = bestSplit(Float64Array.from(values.slice(from, to)), leastBetween);
    return best === null || from + best.end === n ? [] : [{ from, at: from + best.at, to: from + best.end }];
  });
  return [{ from: 0, at: whole, to: n }, ...dips];
}

/** The split with the greatest energy distance into parts of at least these lengths; null: there are too few values. */
export function bestWholeSplit(
  values: readonly number[],
  leastBefore = leastLength,
  leastAfter = leastLength,
): number | null {
  const n = values.length;
  if (n < leastBefore + leastAfter) return null;
  const before = distancesToEarlier(values);
  const after = distancesToEarlier(values.toReversed()).toReversed();
  let left = 0;
  let right = after.reduce((sum, value) => sum + value, 0);
  const all = right;
  let best = { at: leastBefore, energy: Number.NEGATIVE_INFINITY };
  for (let at = 1; at <= n - leastAfter; at++) {
    left += before[at - 1]!;
    right -= after[at - 1]!;
    if (at < leastBefore) continue;
    const m = n - at;
    const between = all - left - right;
    const within = (2 * left) / (at * (at - 1)) + (2 * right) / (m * (m - 1));
    const energy = ((at * m) / n) * ((2 * between) / (at * m) - within);
    if (energy > best.energy) best = { at, energy };
  }
  return best.at;
}

/**
 * For each value the sum of its distances to all values before it. Two binary indexed trees over the ranks (Fenwick
 * 1994) hold the number and the sum of the smaller values, so that long histories need no square of their length.
 */
function distancesToEarlier(values: readonly number[]): Float64Array {
  const n = values.length;
  const rankOf = new Uint32Array(n);
  Array.from(values.keys())
    .sort((a, b) => values[a]! - values[b]!)
    .forEach((position, i) => {
      rankOf[position] = i + 1;
    });
  const [count, sum] = [new Float64Array(n + 1), new Float64Array(n + 1)];
  let total = 0;
  return Float64Array.from(values, (value, i) => {
    let [smaller, smallerSum] = [0, 0];
    for (let rank = rankOf[i]!; rank > 0; rank -= rank & -rank) {
      smaller += count[rank]!;
      smallerSum += sum[rank]!;
    }
    for (let rank = rankOf[i]!; rank <= n; rank += rank & -rank) {
      count[rank]! += 1;
      sum[rank]! += value;
    }
    const distances = value * smaller - smallerSum + (total - smallerSum) - value * (i - smaller);
    total += value;
    return distances;
  });
}
