import type { RunModel } from '#analysis/run-model/run-model.ts';
import { variantLabel } from '#planning/variant-of.ts';
import type { Phase } from '#protocol/measurement.ts';

/** The trial that runs now, with what it last measured; null where nothing was measured yet. */
export interface CurrentTrial {
  readonly variant: string;
  readonly target: string;
  readonly repeat: number;
  readonly phase: Phase;
  readonly rowsPerSecond: number | null;
  readonly p99Ms: number | null;
  /** The load generator: the utilisation (0…1) of its busiest event loop, the cores that it uses, its memory. */
  readonly client: { readonly utilisation: number; readonly cores: number; readonly rssBytes: number } | null;
}

/** The trial of a run that is under way; null between two trials. */
export function currentTrial(model: RunModel): CurrentTrial | null {
  const view = model.trials.find(({ phase, result }) => phase !== null && result === null);
  if (!view?.phase) return null;
  const { trial, phase, series } = view;
  const [utilisation, cores, rssBytes] = [
    series.eventLoopUtilisation.at(-1),
    series.clientCores.at(-1),
    series.rssBytes.at(-1),
  ];
  return {
    variant: variantLabel(model.plan, trial.variant),
    target: trial.target,
    repeat: trial.repeat,
    phase,
    rowsPerSecond: series.rowsPerSecond.at(-1) ?? null,
    p99Ms: series.p99Ms.findLast((value) => value !== null) ?? null,
    client:
      utilisation === undefined || cores === undefined || rssBytes === undefined
        ? null
        : { utilisation, cores, rssBytes },
  };
}
