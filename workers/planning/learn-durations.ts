import type { TrialResult } from '#protocol/measurement.ts';
import type { Plan } from '#protocol/plan.ts';
import {
  besideKey,
  type Durations,
  experimentKey,
  type FinishedTrial,
  noDurations,
  rateKey,
  tablesKey,
  targetOf,
  trialKey,
} from './durations.ts';
import { estimateTrial, usualBeside } from './estimate-seconds.ts';
import { variantOf } from './variant-of.ts';

/** No trial takes less time beside its calls than a fork. */
const leastBeside = 0.05;

/** The durations of a run, for the next one. `startSeconds`: its time beside its trials; null if it is not typical. */
export function durationsOf(
  plan: Plan,
  finished: readonly FinishedTrial[],
  results: readonly TrialResult[],
  startSeconds: number | null,
  rounds: number | null,
): Omit<Durations, 'isEmpty'> {
  const ok = new Map(results.filter(({ status }) => status === 'ok').map((result) => [result.number, result]));
  const done = finished.filter(({ number }) => ok.has(number));
  const rates = ratesOf(plan, [...ok.values()]);
  const own = (one: FinishedTrial) => one.seconds - one.tablesSeconds;
  const of = (key: (one: FinishedTrial) => string, seconds: (one: FinishedTrial) => number, all = done) =>
    new Map([...Map.groupBy(all, key)].map(([name, group]) => [name, mean(group.map(seconds))]));
  return {
    rates,
    trials: of((one) => trialKey(plan, one), own),
    // The part of a trial's time that its calls and the check of its rows do not explain.
    besides: of(
      (one) => besideKeyOf(plan, one),
      (one) => Math.max(leastBeside, own(one) - (estimateTrial(plan, one, { ...noDurations, rates }) - usualBeside)),
    ),
    tables: of(
      (one) => tablesKey(plan, one),
      (one) => one.tablesSeconds,
      done.filter(({ tablesSeconds }) => tablesSeconds > 0),
    ),
    starts: new Map(startSeconds === null ? [] : [[experimentKey(plan), startSeconds]]),
    rounds: new Map(rounds === null ? [] : [[experimentKey(plan), rounds]]),
  };
}

const ratesOf = (plan: Plan, results: readonly TrialResult[]): Durations['rates'] =>
  new Map(
    results.flatMap((result): [string, number][] => {
      const settings = variantOf(plan, result.variant)?.settings;
      const engine = targetOf(plan, result.target)?.engine;
      const { rows, calls } = result.totals;
      if (!settings || !engine || result.elapsedMs <= 0 || calls === 0) return [];
      return [[rateKey(engine, settings), ((rows || calls) / result.elapsedMs) * 1_000]];
    }),
  );

function besideKeyOf(plan: Plan, { variant, target }: FinishedTrial): string {
  const settings = variantOf(plan, variant)?.settings;
  return settings ? besideKey(targetOf(plan, target)?.engine ?? '', settings) : '';
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
