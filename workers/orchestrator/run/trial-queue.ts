import { type Ahead, whatFollows } from '#planning/search/search.ts';
import { serverOf } from '#planning/server-instances.ts';
import { judgeRepeats, wholeRounds } from '#planning/stopping/precision.ts';
import { variantOf } from '#planning/variant-of.ts';
import type { EnoughReason, Precision, TargetRecord } from '#protocol/journal.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Plan, PlannedTrial, Variant } from '#protocol/plan.ts';

/** The trials of one run: the results so far, the next trial, and whether more rounds are needed. */
export interface TrialQueue {
  /** Null if no trial is left. */
  readonly next: PlannedTrial | null;
  /** The trials that are expected to follow, `next` included. */
  readonly expected: readonly PlannedTrial[];
  readonly results: readonly TrialResult[];
  /** The reason why no more rounds are needed, if their number may vary; null if more are needed. */
  readonly enough: EnoughReason | null;
  /** The number of the last complete round; 0: none. */
  readonly round: number;
  /** Stores the result of `next` and chooses the following trial. A cancelled trial has no result. */
  finish(result: TrialResult): void;
  /** Judges the rounds so far; null if the number of repeats is fixed, or the last round is not complete. */
  judgeRounds(targets: readonly TargetRecord[]): Precision | null;
  /** An earlier result that shows that the server does not support this trial. */
  unsupportedBefore(trial: PlannedTrial): TrialResult | undefined;
  /** The possible variants of the server's next trial: one in the plan's order, several if a search chooses. */
  variantsAfter(trial: PlannedTrial): readonly Variant[];
}

export function createTrialQueue(plan: Plan, before: readonly TrialResult[]): TrialQueue {
  const done = new Map(before.map((result) => [result.number, result]));
  const results = () => [...done.values()];
  let ahead: Ahead = whatFollows(plan, before);
  let enough: EnoughReason | null = null;
  return {
    get next() {
      return ahead.next;
    },
    get expected() {
      return ahead.expected;
    },
    get results() {
      return results();
    },
    get enough() {
      return enough;
    },
    get round() {
      return wholeRounds(plan, done);
    },
    finish(result) {
      if (result.status !== 'cancelled') done.set(result.number, result);
      ahead = whatFollows(plan, results());
    },
    judgeRounds(targets) {
      const standing = judgeRepeats({ plan, targets, results: results() });
      enough = standing?.reason ?? null;
      return standing?.precision ?? null;
    },
    unsupportedBefore: ({ target, variant }) =>
      results().find((one) => one.status === 'cannot' && one.target === target && one.variant === variant),
    variantsAfter(trial) {
      const server = serverOf(plan, trial);
      const trials = plan.measure.search ? plan.trials : ahead.expected;
      const left = trials.filter(
        (one) =>
          one.target === trial.target &&
          one.number !== trial.number &&
          !done.has(one.number) &&
          serverOf(plan, one) === server,
      );
      const possible = plan.measure.search ? left : left.slice(0, 1);
      return [...new Set(possible.map(({ variant }) => variant))].flatMap((one) => variantOf(plan, one) ?? []);
    },
  };
}
