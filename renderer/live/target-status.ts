import type { RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import { countsRows } from '#analysis/run-model/select-cells.ts';
import type { ErrorData } from '#model/error.ts';
import { variantOf, variantText } from '#planning/variant-of.ts';
import type { Phase } from '#protocol/measurement.ts';
import { type Figures, figuresOf } from './measured-trial.ts';
import { repeatsAreOpen } from './repeats-open.ts';

/** The current or last work of a target. */
export interface TargetStatus {
  readonly name: string;
  readonly index: number;
  /** The variant of the newest trial of this target that has metrics. */
  readonly measuredVariant: string | null;
  /** The variant and phase of the running trial. */
  readonly now: { readonly variant: string; readonly phase: Phase } | null;
  /** The metrics of that trial. Null before its first metrics. */
  readonly figures: Figures | null;
  /** The throughput of the measured seconds of this variant, the newest last. */
  readonly rates: readonly number[];
  readonly errors: number;
  /** The retries after write conflicts, and their share (0…1) of client time. Null without retries. */
  readonly lost: { readonly retries: number; readonly share: number } | null;
  readonly trialsDone: number;
  /** The planned trials. Null during searches, because they choose their trials. */
  readonly trialsPlanned: number | null;
  /** True if the number of repeats varies, so that fewer trials may run. */
  readonly atMost: boolean;
  /** The error that prevents the use of the target. */
  readonly problem: ErrorData | null;
}

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

function errorsOf(view: TrialView): number {
  if (view.result) return sum(Object.values(view.result.totals.errors));
  return Math.round(sum(view.series.errorsPerSecond));
}

function lostOf({ result, series, trial }: TrialView, plan: RunModel['plan']): TargetStatus['lost'] {
  const connections = variantOf(plan, trial.variant)?.settings.connections ?? 1;
  const retries = result ? result.totals.retries : Math.round(sum(series.retriesPerSecond));
  const lostMs = result ? result.totals.lostMs : sum(series.lostMsPerSecond);
  const userMs = (result?.elapsedMs ?? series.atMs.length * 1_000) * connections;
  return lostMs > 0 && userMs > 0 ? { retries, share: lostMs / userMs } : null;
}

const mostRates = 60;

/** The measured seconds of a variant on a target, over its trials. */
const ratesOf = (model: RunModel, trials: readonly TrialView[], variant: string): readonly number[] =>
  trials
    .filter(({ trial }) => trial.variant === variant)
    .flatMap(({ series }) => (countsRows(model) ? series.rowsPerSecond : series.callsPerSecond))
    .slice(-mostRates);

export function targetStatuses(model: RunModel): readonly TargetStatus[] {
  return model.plan.targets.map(({ name, index }) => {
    const mine = model.trials.filter((view) => view.trial.target === name);
    const measured = mine.findLast((view) => view.result !== null || view.series.atMs.length > 0) ?? null;
    const current = mine.find((view) => view.phase !== null && view.result === null);
    const label = (view: TrialView) => variantText(model.plan, view.trial.variant);
    return {
      name,
      index,
      measuredVariant: measured && label(measured),
      now: current?.phase ? { variant: label(current), phase: current.phase } : null,
      figures: measured && figuresOf(model, measured),
      rates: measured ? ratesOf(model, mine, measured.trial.variant) : [],
      errors: measured ? errorsOf(measured) : 0,
      lost: measured && lostOf(measured, model.plan),
      trialsDone: mine.filter((view) => view.result !== null).length,
      trialsPlanned: model.searches.some((one) => one.target === name && one.end === null) ? null : mine.length,
      atMost: repeatsAreOpen(model),
      problem: model.targets.find((target) => target.name === name)?.error ?? null,
    };
  });
}
