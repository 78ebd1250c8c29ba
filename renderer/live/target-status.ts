import type { ErrorData } from '#contract/error.ts';
import type { Phase } from '#contract/measurement.ts';
import { variantLabel } from '#contract/variant-of.ts';
import { throughputOf } from '../../workers/analysis/cell-summary.ts';
import type { RunModel, TrialView } from '../../workers/analysis/model.ts';

/** What a target is doing now, or did last. */
export interface TargetStatus {
  readonly name: string;
  readonly index: number;
  /** What the figures belong to: the newest trial of this target that has any. */
  readonly measuredVariant: string | null;
  /** The trial that runs now. */
  readonly now: { readonly variant: string; readonly phase: Phase } | null;
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
  if (view.result && view.result.elapsedMs > 0) return throughputOf(view.result);
  return view.series.rowsPerSecond.at(-1) ?? null;
}

function errorsOf(view: TrialView): number {
  if (view.result) return sum(Object.values(view.result.totals.errors));
  return Math.round(sum(view.series.errorsPerSecond));
}

export function targetStatuses(model: RunModel): readonly TargetStatus[] {
  return model.plan.targets.map(({ name, index }) => {
    const mine = model.trials.filter((view) => view.trial.target === name);
    const measured = mine.findLast((view) => view.result !== null || view.series.atMs.length > 0) ?? null;
    const current = mine.find((view) => view.phase !== null && view.result === null);
    const label = (view: TrialView) => variantLabel(model.plan, view.trial.variant);
    return {
      name,
      index,
      measuredVariant: measured && label(measured),
      now: current?.phase ? { variant: label(current), phase: current.phase } : null,
      rowsPerSecond: measured && rateOf(measured),
      p99Ms: measured?.series.p99Ms.findLast((value) => value !== null) ?? null,
      errors: measured ? errorsOf(measured) : 0,
      trialsDone: mine.filter((view) => view.result !== null).length,
      trialsPlanned: mine.length,
      problem: model.targets.find((target) => target.name === name)?.error ?? null,
    };
  });
}
