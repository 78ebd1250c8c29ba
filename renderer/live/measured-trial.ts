import type { RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import { countsRows } from '#analysis/run-model/select-cells.ts';
import { trialLatency } from '#planning/rates/load-rates.ts';
import { throughputOf } from '#planning/rates/trial-rate.ts';
import { variantText } from '#planning/variant-of.ts';

/** A latency of a trial: the p99, or the maximum if there are too few calls for it. */
interface LiveLatency {
  readonly of: 'p99' | 'max';
  readonly ms: number;
}

/** The metrics of a trial: those of its last second, or of the whole trial once it has finished. */
export interface Figures {
  readonly perSecond: number;
  /** The latency. Null if no call was timed. */
  readonly latency: LiveLatency | null;
}

/** The trial with the newest metrics, which may have finished. */
export interface MeasuredTrial {
  readonly variant: string;
  readonly target: string;
  readonly repeat: number;
  readonly isOver: boolean;
  readonly figures: Figures;
  /** The load generator: the utilisation (0…1) of its busiest event loop, its cores and its memory. */
  readonly client: { readonly utilisation: number; readonly cores: number; readonly rssBytes: number } | null;
}

const worthOf = (p99Ms: number | null, maxMs: number | null): LiveLatency | null =>
  p99Ms !== null ? { of: 'p99', ms: p99Ms } : maxMs !== null ? { of: 'max', ms: maxMs } : null;

/** The metrics of a trial. Null in its first second. */
export function figuresOf(model: RunModel, { series, result }: TrialView): Figures | null {
  if (result !== null && result.elapsedMs > 0) {
    const { p99, max } = trialLatency(result.totals);
    return { perSecond: throughputOf(result), latency: worthOf(p99, max) };
  }
  const perSecond = (countsRows(model) ? series.rowsPerSecond : series.callsPerSecond).at(-1);
  if (perSecond === undefined) return null;
  return { perSecond, latency: worthOf(series.p99Ms.at(-1) ?? null, series.maxMs.at(-1) ?? null) };
}

/**
 * The trial with the newest metrics: the current trial once it has any, or else the last finished trial, so that trials
 * shorter than a second are shown, too. Null before the first metrics of a run.
 */
export function measuredTrial(model: RunModel): MeasuredTrial | null {
  const view =
    model.trials.find(({ phase, result, series }) => phase !== null && result === null && series.atMs.length > 0) ??
    model.trials.findLast(({ result }) => result !== null && result.elapsedMs > 0);
  const figures = view && figuresOf(model, view);
  if (!view || !figures) return null;
  const { series, result } = view;
  const [utilisation, cores, rssBytes] = [
    series.eventLoopUtilisation.at(-1),
    series.clientCores.at(-1),
    series.rssBytes.at(-1),
  ];
  return {
    variant: variantText(model.plan, view.trial.variant),
    target: view.trial.target,
    repeat: view.trial.repeat,
    isOver: result !== null,
    figures,
    client:
      utilisation === undefined || cores === undefined || rssBytes === undefined
        ? null
        : { utilisation, cores, rssBytes },
  };
}
