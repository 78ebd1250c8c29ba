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
  /** Variant of the newest trial of this target that has figures. */
  readonly measuredVariant: string | null;
  /** Variant and phase of the trial that runs now. */
  readonly now: { readonly variant: string; readonly phase: Phase } | null;
  /** The figures of that trial; null before its first figures. */
  readonly figures: Figures | null;
  /** Throughput of the measured seconds of this variant so far, the newest last. */
  readonly rates: readonly number[];
  readonly errors: number;
  /** Retries after write conflicts, and the share (0…1) of client time that they took; null without any. */
  readonly lost: { readonly retries: number; readonly share: number } | null;
  readonly trialsDone: number;
  /** Null while searches go on, because they choose their trials. */
  readonly trialsPlanned: number | null;
  /** True if repeats vary, so that fewer trials may run. */
  readonly atMost: boolean;
  /** The error that prevents using the target. */
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
