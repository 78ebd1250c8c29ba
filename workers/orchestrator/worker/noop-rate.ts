import type { LoadHost } from '#load-hosts/load-host.ts';
import { localHost } from '#load-hosts/local-host.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { fromErrorData } from '#model/error.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { CalibrationEntry } from '#protocol/measurement.ts';
import type { Plan } from '#protocol/plan.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { runClients } from './clients.ts';
import { elapsedMs, mergeCounts } from './merge-results.ts';
import { instrument } from './targets.ts';

const seconds = 0.5;

const calibrationDataset: Dataset = {
  rows: 1_000,
  seed: 1,
  key: 'id',
  columns: { id: { type: 'sequence', start: 1, nulls: 0 } },
};

/** Calls of the no-op engine, from one process on a load host. */
export async function measureNoopEngine(signal: AbortSignal, host: LoadHost = localHost): Promise<CalibrationEntry> {
  const measure: Plan['measure'] = {
    repeats: 1,
    until: 'time',
    rows: calibrationDataset.rows,
    seconds,
    warmupSeconds: 0.2,
    warmupRows: 0,
    timeoutSeconds: 30,
    order: 'declared',
    seed: 1,
  };
  const outcome = await runClients({
    ...instrument,
    secrets: [],
    tag: 'dyno-calibration',
    settings: { ...defaultSettings, operation: 'readByKey' },
    job: {
      table: { name: 'dyno_calibration', columns: tableColumns(calibrationDataset), key: 0, options: {} },
      dataset: calibrationDataset,
      measure,
      loadedRows: calibrationDataset.rows,
      trialSeed: 1,
    },
    hosts: [{ host, workers: 1 }],
    signal,
  });
  if (outcome.error) throw fromErrorData(outcome.error);
  const totals = mergeCounts(outcome.results.map((one) => one.totals));
  const service = Histogram.decode(totals.service);
  const elapsed = elapsedMs(outcome.results);
  return {
    kind: 'noopEngine',
    target: null,
    label: 'Calls of an engine that does nothing, one process',
    perSecond: elapsed > 0 ? (totals.calls / elapsed) * 1_000 : 0,
    unit: 'calls',
    p50Us: service.count > 0 ? service.percentile(50) / 1_000 : null,
    p99Us: service.count > 0 ? service.percentile(99) / 1_000 : null,
    measuredAt: new Date().toISOString(),
  };
}
