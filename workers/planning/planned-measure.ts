import { type Experiment, type MeasurePlan, usualRange, usualRepeats } from '#experiment/schema/experiment.ts';
import { allRows, usualSeconds } from '#experiment/schema/until.ts';
import { secondsOf } from '#model/stages.ts';
import { hasArrivals } from '#model/statements/load-model.ts';
import type { PlannedMeasure, Variant } from '#protocol/plan.ts';

/** The experiment's measurement plan with everything that the file leaves open decided. */
export function plannedMeasure({ measure, dataset }: Experiment, variants: readonly Variant[]): PlannedMeasure {
  const { until = {}, stages, warmupRows } = measure;
  const rows = until.rows === undefined || until.rows === allRows ? dataset.rows : until.rows;
  return {
    ...measure,
    until: trialEnd(measure, variants),
    rows,
    seconds: stages ? secondsOf(stages) : (until.seconds ?? usualSeconds),
    calls: until.calls,
    // Each row of a file with the key is usable once, and a warm-up would take some of them.
    warmupRows: warmupRows ?? (hasKeyOfFile(dataset) ? 0 : Math.min(10_000, Math.floor(rows / 10))),
    repeats: plannedRepeats(measure),
  };
}

const hasKeyOfFile = ({ key = '', columns }: Experiment['dataset']): boolean => columns[key]?.type === 'file';

function trialEnd({ until = {}, stages }: MeasurePlan, variants: readonly Variant[]): PlannedMeasure['until'] {
  if (until.calls !== undefined) return 'calls';
  if (until.rows !== undefined) return 'rows';
  if (until.seconds !== undefined || stages) return 'time';
  // All trials of a run end by the same rule, so that they are comparable; reads and arrivals never run out of rows,
  // while inserts, copies and deletes end with the last row.
  const consumesRows = variants.every(
    ({ settings }) => ['insert', 'copy', 'delete'].includes(settings.operation) && !hasArrivals(settings),
  );
  return consumesRows ? 'rows' : 'time';
}

function plannedRepeats({ until, repeats }: Pick<MeasurePlan, 'until' | 'repeats'>): PlannedMeasure['repeats'] {
  if (until?.precision === undefined) return typeof repeats === 'number' ? repeats : usualRepeats;
  return { ...(typeof repeats === 'object' ? repeats : usualRange), relativeMargin: until.precision };
}
