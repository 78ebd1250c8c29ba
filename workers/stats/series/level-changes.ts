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
  const searches = all.map((series) => searchOf(series, chance));
  const firsts = new Map<Search, number>();
  for (const search of searches) if (search.isLongEnough) firsts.set(search, search.next()?.p ?? 1);
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

/** A stretch [from, to) without a known change. */
interface Stretch {
  readonly from: number;
  readonly to: number;
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
  /** False for a series that is too short to have a change. */
  readonly isLongEnough: boolean;
  /** The most significant split of the stretches so far; null: none is as significant as the chance that is allowed. */
  next(): Found | null;
  accept(found: Found): void;
  hasChanges(): boolean;
  /** The changes that are also as significant as this when all levels are known; the least significant goes first. */
  changes(chance: number): readonly LevelChange[];
}

function searchOf({ values, leastError, leastChange }: LevelSeries, chance: number): Search {
  const n = values.length;
  const sums = sumsOf(values);
  const proposed = new Map<number, number>();
  const tried = { whole: triedWhole(n) / wholeShare, within: triedWithin(n) / (1 - wholeShare) };
  let stretches: readonly Stretch[] = [{ from: 0, to: n }];
  const known = new Map<string, Proposal | null>();

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

  /** The split that E-divisive proposes in a part of a stretch, which is found once. */
  const proposalOf = (kind: 'whole' | 'within', from: number, to: number): Proposal | null => {
    const key = `${kind} ${from} ${to}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = proposals[kind](values.slice(from, to), from > 0, to < n);
    const proposal = made && { from, at: from + made.at, to: from + made.end, tried: tried[kind] };
    known.set(key, proposal);
    return proposal;
  };

  /**
   * The proposals of a stretch that may be significant. The distances of E-divisive take long, so that they are not
   * computed where no split at all reaches the t of the chance that is allowed.
   */
  const proposalsOf = (stretch: Stretch): readonly Found[] => {
    const { from, to } = stretch;
    const wholeLengths = leastLengths(from > 0, to < n);
    if (to - from < wholeLengths[0] + wholeLengths[1]) return [];
    const others = scatter(stretch, []);
    // The fewest parts have the most degrees of freedom, and so the least t.
    const freedom = others.freedom - 2;
    const leastOf = (count: number) => tQuantile(1 - chance / count / 2, freedom) ** 2 * almost;
    const least = { whole: leastOf(tried.whole), within: leastOf(tried.within) };
    const isPossible = (kind: 'whole' | 'within', between: number, squares: number): boolean =>
      between > 0 && between >= least[kind] * Math.max((others.squares + squares - between) / freedom, leastError ** 2);
    const whole = isPossible('whole', sums.mostBetween(from, to, ...wholeLengths), sums.squares(from, to))
      ? [proposalOf('whole', from, to)]
      : [];
    const dips = windowsOf(to - from).flatMap(([first, last]) => {
      const [begin, end] = [from + first, from + last];
      for (let until = begin + 2 * leastBetween; until <= end; until++) {
        const squares = sums.squares(from, begin) + sums.squares(begin, until) + sums.squares(until, to);
        if (isPossible('within', sums.mostBetween(begin, until, leastBetween, leastBetween), squares)) {
          const dip = proposalOf('within', begin, end);
          // A part that ends with the stretch is a split of the whole.
          return dip === null || dip.to === to ? [] : [dip];
        }
      }
      return [];
    });
    return [...whole, ...dips].flatMap((one) => (one === null ? [] : [judged(stretch, one)]));
  };

  return {
    isLongEnough: n >= 2 * leastLength,
    next() {
      const all = stretches.flatMap(proposalsOf).filter(({ p }) => p <= chance);
      return all.reduce<Found | null>((best, one) => (best === null || one.p < best.p ? one : best), null);
    },
    accept({ stretch, at, p }) {
      proposed.set(at, p);
      stretches = stretches.flatMap((one) =>
        one === stretch
          ? [
              { from: one.from, to: at },
              { from: at, to: one.to },
            ]
          : [one],
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
        stretches = stretches.toSpliced(least, 2, { from: before.from, to: after.to });
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
      from === to ? 0 : Math.max(0, square[to]! - square[from]! - (sum[to]! - sum[from]!) ** 2 / (to - from)),
    /** The greatest sum of squares between the two parts of [from, to), over all splits into parts of these lengths. */
    mostBetween(from: number, to: number, leastBefore: number, leastAfter: number): number {
      const length = to - from;
      const start = sum[from]!;
      const share = (sum[to]! - start) / length;
      let most = 0;
      for (let before = leastBefore; before <= length - leastAfter; before++) {
        const distance = sum[from + before]! - start - before * share;
        most = Math.max(most, (distance * distance * length) / (before * (length - before)));
      }
      return most;
    },
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

/** The shortest parts of a stretch that begins or ends at a change. */
const leastLengths = (isAfterChange: boolean, isBeforeChange: boolean): readonly [number, number] => [
  isAfterChange ? leastBetween : leastLength,
  isBeforeChange ? leastBetween : leastLength,
];

/** The splits that E-divisive proposes: of a whole stretch, and before a dip within a window. */
const proposals = {
  whole(values: readonly number[], isAfterChange: boolean, isBeforeChange: boolean) {
    const at = bestWholeSplit(values, ...leastLengths(isAfterChange, isBeforeChange));
    return at === null ? null : { at, end: values.length };
  },
  within: (values: readonly number[]) => bestSplit(Float64Array.from(values), leastBetween),
} as const;

/** A bound is kept but for this share, because sums and quantiles are rounded. */
const almost = 1 - 1e-4;

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
