import { againstRuns } from '#stats/intervals/between-runs.ts';
import { logOfTime, rounding } from '#stats/intervals/compare-times.ts';
import {
  chanceOf,
  halfOf,
  havePositive,
  type Interval,
  type LogDifference,
  type LogEstimate,
  logDifference,
  logOfMean,
} from '#stats/intervals/intervals.ts';
import { furtherRepeats } from '#stats/intervals/repeats-needed.ts';
import { mean } from '#stats/intervals/summary.ts';

/** Each bound of a judged interval holds with 90 %, so that both hold with this confidence. */
const level = 0.8;

/** The repeats of a run and of its baseline. */
export interface RatioSides {
  readonly kind: 'rates' | 'times';
  readonly own: readonly number[];
  readonly base: readonly number[];
  /**
   * The repeats of earlier runs of the same thing as the baseline, its own included, oldest first; null: one run has
   * measured both sides in turn.
   */
  readonly earlier: readonly (readonly number[])[] | null;
}

/** A limit of a ratio: rates are worse below it, times are worse above it. */
export interface JudgedRatio {
  /** The ratio to the baseline, or to the mean of all its runs. */
  readonly interval: Interval;
  /** The number of runs whose mean the run is compared with. */
  readonly runs: number;
  /** The position of the whole interval; null without bounds. */
  readonly side: 'beyond' | 'within' | 'around' | null;
  /** The ratio to the baseline's own run, if it is on the other side of the limit than the interval; otherwise null. */
  readonly contrary: number | null;
  /** The chance that the run looks as much worse than an equal baseline. */
  readonly chance: number;
}

const estimateOf = (kind: RatioSides['kind'], values: readonly number[]): LogEstimate =>
  kind === 'rates' ? logOfMean(values) : logOfTime(values);

/** The mean of several runs, whose error is that of their repeats alone. */
function pooled(estimates: readonly LogEstimate[]): LogEstimate {
  const repeated = estimates.filter(({ n }) => n > 1);
  return {
    value: mean(estimates.map(({ value }) => value)),
    variance: repeated.length === 0 ? 0 : mean(repeated.map((one) => one.variance)) / estimates.length,
    n:
      1 +
      Math.max(
        1,
        repeated.reduce((sum, { n }) => sum + n - 1, 0),
      ),
  };
}

/** A difference of logarithms, by one of the errors that it has. */
type Part = LogDifference & { readonly cautiousError?: number };

/** The difference between a run and its baseline, with the errors that all have to be exceeded. */
function partsOf({ kind, own, base, earlier }: RatioSides): readonly [Part, ...Part[]] {
  const estimate = estimateOf(kind, own);
  const between =
    earlier === null
      ? null
      : againstRuns(
          Math.exp(estimate.value),
          earlier.map((values) => Math.exp(estimateOf(kind, values).value)),
        );
  if (earlier === null || between === null) return [logDifference(estimate, estimateOf(kind, base))];
  return [logDifference(estimate, pooled(earlier.map((values) => estimateOf(kind, values)))), between];
}

/**
 * The ratio of a run to its baseline beside a limit. Measured in turn, its bounds are those of Welch's t over the
 * repeats. Between two runs the baseline is the mean of all earlier runs of the same thing, and the bounds are the
 * wider ones of Welch's t and of the differences between these runs, which include drift. The baseline's own run has to
 * be on the same side of the limit as the interval. Null where the ratio is undefined.
 */
export function judgeRatio(sides: RatioSides, limit: number): JudgedRatio | null {
  const { kind, own, base, earlier } = sides;
  if (!havePositive(own, base)) return null;
  const parts = partsOf(sides);
  const [{ value: log }] = parts;
  const slack = kind === 'times' ? rounding : 0;
  const value = Math.exp(log);
  const isSingle = own.length < 2 || (parts.length === 1 && base.length < 2);
  const half = Math.max(...parts.map((part) => halfOf(part, level))) + slack;
  const bounds = isSingle ? { low: null, high: null } : { low: Math.exp(log - half), high: Math.exp(log + half) };
  const interval = { value, ...bounds, n: Math.min(own.length, base.length) };
  const distance = Math.max(0, Math.abs(log) - slack);
  const twoSided = isSingle
    ? 1
    : Math.max(
        ...parts.map(({ error, cautiousError = error, freedom }) =>
          chanceOf(distance, { error: cautiousError, freedom }),
        ),
      );
  const isWorse = kind === 'rates' ? log < 0 : log > 0;
  const side = sideOf(kind, interval, limit);
  const ofRun = Math.exp(estimateOf(kind, own).value - estimateOf(kind, base).value);
  const isContrary = side === (isBeyond(kind, ofRun, limit) ? 'within' : 'beyond');
  return {
    interval,
    runs: parts.length === 1 ? 1 : (earlier?.length ?? 1),
    side: isContrary ? 'around' : side,
    contrary: isContrary ? ofRun : null,
    chance: isWorse ? twoSided / 2 : 1 - twoSided / 2,
  };
}

const isBeyond = (kind: RatioSides['kind'], ratio: number, limit: number): boolean =>
  kind === 'rates' ? ratio < limit : ratio > limit;

function sideOf(kind: RatioSides['kind'], { low, high }: Interval, limit: number): JudgedRatio['side'] {
  if (low === null || high === null) return null;
  const [best, worst] = kind === 'rates' ? [high, low] : [low, high];
  if (isBeyond(kind, best, limit)) return 'beyond';
  return isBeyond(kind, worst, limit) ? 'around' : 'within';
}

/**
 * Expected number of further repeats that decides the ratio: its interval no longer contains the limit, and where it is
 * beyond the limit, an equal baseline gives it with `chance` at most. Further repeats do not narrow the differences
 * between runs. Null where no practical number of repeats does.
 */
export function repeatsToDecide(
  sides: RatioSides,
  { interval: { value }, contrary }: JudgedRatio,
  limit: number,
  chance: number,
): number | null {
  const { kind, own, base, earlier } = sides;
  if (contrary !== null) return null;
  const [, between] = partsOf(sides);
  const estimate = estimateOf(kind, own);
  const other = between === undefined ? estimateOf(kind, base) : pooled(earlier!.map((one) => estimateOf(kind, one)));
  const repeated = [estimate, other].map(({ variance, n }, i) => ({
    cv: Math.sqrt(variance * n),
    n,
    grows: i === 0 || earlier === null,
  }));
  const [a, b] = repeated;
  if (!(a!.n > 1 && b!.n > 1 && Number.isFinite(a!.cv) && Number.isFinite(b!.cv))) return null;
  const needed = (distance: number, of: number, error?: number): number | null =>
    between !== undefined && halfOf({ ...between, error: error ?? between.error }, of) >= distance
      ? null
      : furtherRepeats([a!, b!], distance, of);
  const parts = [
    needed(Math.abs(Math.log(value / limit)), level),
    ...(isBeyond(kind, value, limit)
      ? [needed(Math.abs(Math.log(value)), 1 - 2 * chance, between?.cautiousError)]
      : []),
  ];
  return parts.includes(null) ? null : Math.max(...parts.map((one) => one ?? 0));
}
