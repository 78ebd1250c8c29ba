import type { ErrorData } from '#contract/error.ts';
import type { Phase } from '#contract/measurement.ts';
import type { RunModel, TrialView } from '../../workers/analysis/model.ts';

/** What a target is doing now, or did last. */
export interface TargetStatus {
  readonly name: string;
  readonly index: number;
  /** The newest trial of this target that has begun. */
  readonly trial: TrialView | null;
  readonly variantLabel: string | null;
  readonly phase: Phase | null;
  readonly rowsPerSecond: number | null;
  readonly p99Ms: number | null;
  readonly errors: number;
  readonly trialsDone: number;
  readonly trialsPlanned: number;
  /** Why the target cannot be used at all. */
  readonly problem: ErrorData | null;
}

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

function rateOf(view: TrialView): number | null {
  if (view.result && view.result.elapsedMs > 0) return (view.result.totals.rows * 1_000) / view.result.elapsedMs;
  return view.series.rowsPerSecond.at(-1) ?? null;
}

function errorsOf(view: TrialView): number {
  if (view.result) return sum(Object.values(view.result.totals.errors));
  return Math.round(sum(view.series.errorsPerSecond));
}

export function targetStatuses(model: RunModel): readonly TargetStatus[] {
  return model.plan.targets.map(({ name, index }) => {
    const mine = model.trials.filter((view) => view.trial.target === name);
    const trial = mine.findLast((view) => view.phase !== null || view.result !== null) ?? null;
    const variant = model.plan.variants.find(({ id }) => id === trial?.trial.variant);
    return {
      name,
      index,
      trial,
      variantLabel: variant?.label ?? null,
      phase: trial && !trial.result ? trial.phase : null,
      rowsPerSecond: trial ? rateOf(trial) : null,
      p99Ms: trial?.series.p99Ms.findLast((value) => value !== null) ?? null,
      errors: trial ? errorsOf(trial) : 0,
      trialsDone: mine.filter((view) => view.result !== null).length,
      trialsPlanned: mine.length,
      problem: model.targets.find((target) => target.name === name)?.error ?? null,
    };
  });
}
