import { createHash } from 'node:crypto';
import { cpus } from 'node:os';
import { tableColumns } from '#model/dataset/columns.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { fromErrorData } from '#model/error.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { readJson, writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';
import type { CalibrationEntry } from '#protocol/measurement.ts';
import type { Plan } from '#protocol/plan.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { runClients } from '../worker/clients.ts';
import type { Control } from '../worker/control.ts';
import { startWorker } from '../worker/fork.ts';
import { elapsedMs, mergeCounts } from '../worker/merge-results.ts';
import { runtimeVersions } from './environment.ts';

/** The instrument's own floor is measured with the engine that does nothing. */
const instrument = 'noop';
const seconds = 0.5;
/** Every run spends this on each target. */
const roundTripSeconds = 0.2;
const maxAgeMs = 7 * 24 * 3_600_000;
const version = 2;

/** Ceilings of this machine, from the cache unless what they depend on has changed, or with `fresh`. */
interface Calibration {
  /** Calls/s of a loop around an engine that does nothing: runtime and machine. */
  noopEngine(signal: AbortSignal): Promise<CalibrationEntry>;
  /** Rows/s of the generator alone: runtime, machine and the dataset's columns. */
  generation(dataset: Dataset, signal: AbortSignal): Promise<CalibrationEntry>;
}

export function openCalibration(home: Home, options: { readonly fresh?: boolean } = {}): Calibration {
  const machine = { runtime: runtimeVersions(), cpu: cpus()[0]?.model, cores: cpus().length };
  const cached = async (on: unknown, measure: () => Promise<CalibrationEntry>): Promise<CalibrationEntry> => {
    const key = createHash('sha256')
      .update(JSON.stringify([version, machine, on]))
      .digest('hex')
      .slice(0, 24);
    const known = readEntries(home)[key];
    if (!options.fresh && known && isFresh(known)) return known;
    const entry = await measure();
    // A calibration that measured nothing is not kept.
    if (!isFresh(entry)) return entry;
    try {
      const fresh = Object.entries(readEntries(home)).filter(([, one]) => isFresh(one));
      writeAtomically(home.calibration, JSON.stringify({ ...Object.fromEntries(fresh), [key]: entry }, null, 1));
    } catch {
      // A cache that cannot be written costs two seconds next time, not the run.
    }
    return entry;
  };
  return {
    noopEngine: (signal) => cached('noopEngine', () => measureNoopEngine(signal)),
    generation: (dataset, signal) => cached({ generation: dataset.columns }, () => measureGeneration(dataset, signal)),
  };
}

/** Round trips/s of the cheapest statement to a target, now: networks and servers are not the same a day later. */
export async function calibrateRoundTrip(control: Control, signal: AbortSignal): Promise<CalibrationEntry> {
  const answer = await control.ask({ call: 'roundTrip', seconds: roundTripSeconds }, signal);
  return {
    kind: 'roundTrip',
    target: control.planned.name,
    label: control.descriptor.inProcess
      ? `Cheapest statement of ${control.planned.name}, in process`
      : `Round trip to ${control.planned.name}`,
    perSecond: answer.perSecond,
    unit: 'calls',
    p50Us: answer.p50Us,
    p99Us: answer.p99Us,
    measuredAt: new Date().toISOString(),
  };
}

const calibrationDataset: Dataset = {
  rows: 1_000,
  seed: 1,
  key: 'id',
  columns: { id: { type: 'sequence', start: 1, nulls: 0 } },
};

async function measureNoopEngine(signal: AbortSignal): Promise<CalibrationEntry> {
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
    engine: instrument,
    config: { delayMs: 0 },
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
    signal,
    onPhase: () => {},
    onSnapshot: () => {},
    onSilence: () => {},
    beforeMeasure: async () => {},
    whileMeasuring: () => {},
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

async function measureGeneration(dataset: Dataset, signal: AbortSignal): Promise<CalibrationEntry> {
  await using worker = await startWorker({
    role: 'control',
    engine: instrument,
    config: { delayMs: 0 },
    secrets: [],
    tag: 'dyno-calibration',
    signal,
  });
  const { rowsPerSecond } = await worker.request({ call: 'generation', dataset, seconds });
  return {
    kind: 'generation',
    target: null,
    label: 'Rows generated, one process',
    perSecond: rowsPerSecond,
    unit: 'rows',
    p50Us: null,
    p99Us: null,
    measuredAt: new Date().toISOString(),
  };
}

function readEntries(home: Home): Readonly<Record<string, CalibrationEntry>> {
  const value = readJson(home.calibration);
  return typeof value === 'object' && value !== null ? (value as Record<string, CalibrationEntry>) : {};
}

/** Says something, is not older than a week, and not from the future (a clock that was set back). */
function isFresh(entry: CalibrationEntry): boolean {
  const age = Date.now() - Date.parse(entry.measuredAt);
  return entry.perSecond > 0 && age >= 0 && age < maxAgeMs;
}
