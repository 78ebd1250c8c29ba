import type { JudgedTime } from '#planning/judged/judged-times.ts';
import { timesOf, timesSinceStartOf } from '#planning/judged/trial-times.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { compareTimes, timesChance } from '#stats/intervals/compare-times.ts';
import type { RunModel } from '../run-model/run-model.ts';

type Sides<T> = readonly [own: T, base: T];

/** The repeats of one target's cell. */
type Repeats = readonly TrialResult[];

/** Late starts of the load generator may change the ratio of two times by this factor at most. */
const mostChange = 1.1;

/**
 * One value for each repeat of a cell, ms, as if the load generator had started each unit of work when it was due. An
 * engine inside the client process delays the starts itself, so that late starts belong to its times.
 */
export function timesOnTime(
  { targets }: Pick<RunModel, 'targets'>,
  results: Repeats,
  { work, figure }: JudgedTime,
): readonly number[] | null {
  const isInside = targets.some(({ name, descriptor }) => name === results[0]?.target && descriptor.inProcess === true);
  return (isInside ? timesOf : timesSinceStartOf)(results, work, figure);
}

/** The values of two cells as measured, and on time. */
function timesBothWays(
  model: Pick<RunModel, 'targets'>,
  { work, figure }: JudgedTime,
  sides: Sides<Repeats>,
): readonly [measured: Sides<readonly number[]>, onTime: Sides<readonly number[]>] {
  const measured = (results: Repeats) => timesOf(results, work, figure) ?? [];
  const onTime = (results: Repeats) => timesOnTime(model, results, { work, figure }) ?? [];
  const [own, base] = sides;
  return [
    [measured(own), measured(base)],
    [onTime(own), onTime(base)],
  ];
}

/**
 * True if late starts may have made the difference between two times: without them the ratio has another verdict, or
 * differs by more than a tenth.
 */
export function dependsOnLateStarts(
  model: Pick<RunModel, 'targets'>,
  time: JudgedTime,
  sides: Sides<Repeats>,
): boolean {
  const [measured, onTime] = timesBothWays(model, time, sides).map(([own, base]) => compareTimes(own, base));
  if (!measured || !onTime) return measured !== onTime;
  const change = Math.abs(Math.log(measured.ratio.value / onTime.ratio.value));
  return measured.verdict !== onTime.verdict || change > Math.log(mostChange);
}

/** The chance of the difference between equals (timesChance): the larger one of those with and without late starts. */
export function chanceBothWays(
  model: Pick<RunModel, 'targets'>,
  time: JudgedTime,
  sides: Sides<Repeats>,
): number | null {
  const [measured, onTime] = timesBothWays(model, time, sides).map(([own, base]) => timesChance(own, base));
  return measured == null || onTime == null ? null : Math.max(measured, onTime);
}
