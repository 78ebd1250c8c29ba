import { betweenRuns, betweenRunsChance } from '#stats/intervals/between-runs.ts';
import { compareTimes, timesChance } from '#stats/intervals/compare-times.ts';
import { type Interval, ratioChance, ratioInterval } from '#stats/intervals/intervals.ts';
import { furtherRepeats } from '#stats/intervals/repeats-needed.ts';
import { variance, variationOf } from '#stats/intervals/summary.ts';
import { wider } from '../compare/compare-runs.ts';

/** Each bound of a judged interval holds with 90 %, so that both hold with this confidence. */
const level = 0.8;

/** The repeats of a run and of its baseline. */
export interface RatioSides {
  readonly kind: 'rates' | 'times';
  readonly own: readonly number[];
  readonly base: readonly number[];
  /** The means of earlier runs, the baseline's included; null: one run has measured both sides in turn. */
  readonly earlier: readonly number[] | null;
}

/** A limit of a ratio: rates are worse below it, times are worse above it. */
export interface JudgedRatio {
  readonly interval: Interval;
  /** The position of the whole interval; null without bounds. */
  readonly side: 'beyond' | 'within' | 'around' | null;
  /** The chance that the run looks as much worse than an equal baseline. */
  readonly chance: number;
}

/**
 * The ratio of a run to its baseline beside a limit. The bounds are the wider ones of Welch's t over the repeats, and
 * of the differences between earlier runs, which include drift. Null where the ratio is undefined.
 */
export function judgeRatio({ kind, own, base, earlier }: RatioSides, limit: number): JudgedRatio | null {
  const within = kind === 'rates' ? ratioInterval(own, base, level) : (compareTimes(own, base, level)?.ratio ?? null);
  if (within === null) return null;
  const between = earlier === null ? null : betweenRuns(within.value, earlier, level);
  const interval = between === null || within.low === null ? within : wider(within, between);
  const twoSided = Math.max(
    (kind === 'rates' ? ratioChance : timesChance)(own, base) ?? 1,
    (earlier && betweenRunsChance(within.value, earlier)) ?? 0,
  );
  const isWorse = kind === 'rates' ? within.value < 1 : within.value > 1;
  return { interval, side: sideOf(kind, interval, limit), chance: isWorse ? twoSided / 2 : 1 - twoSided / 2 };
}

function sideOf(kind: RatioSides['kind'], { low, high }: Interval, limit: number): JudgedRatio['side'] {
  if (low === null || high === null) return null;
  const [isBelow, isAbove] = [high < limit, low > limit];
  if (kind === 'rates') return isBelow ? 'beyond' : low >= limit ? 'within' : 'around';
  return isAbove ? 'beyond' : high <= limit ? 'within' : 'around';
}

/**
 * Expected number of further repeats that decides the ratio: its interval no longer contains the limit, and where it is
 * beyond the limit, an equal baseline gives it with `chance` at most. Further repeats do not narrow the differences
 * between runs. Null where no practical number of repeats does.
 */
export function repeatsToDecide(
  sides: RatioSides,
  { interval: { value } }: JudgedRatio,
  limit: number,
  chance: number,
): number | null {
  const { kind, own, base, earlier } = sides;
  const repeated = ([own, base] as const).map((values) => ({
    cv: kind === 'rates' ? variationOf(values) : Math.sqrt(variance(values.map(Math.log))),
    n: values.length,
    grows: values === own || earlier === null,
  }));
  const [a, b] = repeated;
  if (a?.cv == null || b?.cv == null || !(a.n > 1 && b.n > 1)) return null;
  const needed = (distance: number, of: number): number | null => {
    const between = earlier === null ? null : betweenRuns(1, earlier, of);
    if (between !== null && Math.log(between.high) >= distance) return null;
    return furtherRepeats(
      [
        { ...a, cv: a.cv! },
        { ...b, cv: b.cv! },
      ],
      distance,
      of,
    );
  };
  const isBeyond = kind === 'rates' ? value < limit : value > limit;
  const parts = [
    needed(Math.abs(Math.log(value / limit)), level),
    ...(isBeyond ? [needed(Math.abs(Math.log(value)), 1 - 2 * chance)] : []),
  ];
  return parts.includes(null) ? null : Math.max(...parts.map((one) => one ?? 0));
}
