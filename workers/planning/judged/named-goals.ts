import type { Experiment } from '#experiment/schema/experiment.ts';
import { type Goal, goalList } from '#experiment/schema/goals.ts';
import { formatUpTo } from '#model/format/format.ts';
import { formatFigure, type TimedWork, type TimeFigure } from './trial-times.ts';

/** One goal of the file: a time in ms, or the share (0…1) of calls that fail. */
export interface NamedGoal {
  readonly work: TimedWork;
  readonly of: TimeFigure | 'errors';
  /** The value that must not be exceeded. */
  readonly limit: number;
}

const figures = {
  meanMs: 'mean',
  p50Ms: 0.5,
  p95Ms: 0.95,
  p99Ms: 0.99,
  maxMs: 1,
} as const satisfies Readonly<Partial<Record<keyof Goal, TimeFigure>>>;

/** The goals of the file, one by one. */
export const namedGoals = ({ goals }: Pick<Experiment, 'goals'>): readonly NamedGoal[] =>
  goalList(goals).flatMap(({ of, errorsPercent, ...limits }) => {
    const work = of ?? null;
    const times = Object.entries(figures).flatMap(([key, figure]): readonly NamedGoal[] => {
      const limit = limits[key as keyof typeof figures];
      return limit === undefined ? [] : [{ work, of: figure, limit }];
    });
    return [
      ...times,
      ...(errorsPercent === undefined ? [] : [{ work, of: 'errors' as const, limit: errorsPercent / 100 }]),
    ];
  });

/** True for the goal for p99 of all units of work, which charts of p99 draw as a line. */
const isForP99 = ({ work, of }: NamedGoal): boolean => work === null && of === 0.99;

/** The goal for p99 of all units of work, ms; null: the file has none. */
export const p99GoalMs = (file: Pick<Experiment, 'goals'>): number | null =>
  namedGoals(file).find(isForP99)?.limit ?? null;

/** The figure of a goal and its limit: ["p99 of sell", "50 ms"], ["errors", "0.1 %"]. */
export function goalParts({ work, of, limit }: NamedGoal): readonly [figure: string, limit: string] {
  const what = of === 'errors' ? 'errors' : formatFigure(of);
  return [
    `${what}${work === null ? '' : ` of ${work}`}`,
    of === 'errors' ? `${formatUpTo(limit * 100, 3)} %` : `${formatUpTo(limit)} ms`,
  ];
}

/** "p99 ≤ 50 ms", "errors of sell ≤ 0.1 %". */
export const formatGoal = (goal: NamedGoal): string => goalParts(goal).join(' ≤ ');
