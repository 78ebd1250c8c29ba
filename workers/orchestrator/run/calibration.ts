import { createHash } from 'node:crypto';
import { cpus } from 'node:os';
import type { Dataset } from '#model/dataset/dataset.ts';
import { readJson, writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';
import type { CalibrationEntry } from '#protocol/measurement.ts';
import type { Control } from '../worker/control.ts';
import { startWorker } from '../worker/fork.ts';
import { measureNoopEngine } from '../worker/noop-rate.ts';
import { instrument } from '../worker/targets.ts';
import { runtimeVersions } from './environment.ts';

const seconds = 0.5;
/** Every run spends this time on each target. */
const roundTripSeconds = 0.2;
const maxAgeMs = 7 * 24 * 3_600_000;
const version = 2;

/**
 * Returns the ceilings of this machine from the cache. Measures them if their conditions have changed, or with `fresh`.
 */
interface Calibration {
  /** Calls/s of a loop around the no-op engine, which depend on runtime and machine. */
  noopEngine(signal: AbortSignal): Promise<CalibrationEntry>;
  /** Rows/s of the generator alone, which depend on runtime, machine and the dataset's columns. */
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
    // A calibration without a result is not stored.
    if (!isFresh(entry)) return entry;
    try {
      const fresh = Object.entries(readEntries(home)).filter(([, one]) => isFresh(one));
      writeAtomically(home.calibration, JSON.stringify({ ...Object.fromEntries(fresh), [key]: entry }, null, 1));
    } catch {
      // If the cache cannot be written, the next run spends two more seconds.
    }
    return entry;
  };
  return {
    noopEngine: (signal) => cached('noopEngine', () => measureNoopEngine(signal)),
    generation: (dataset, signal) => cached({ generation: dataset.columns }, () => measureGeneration(dataset, signal)),
  };
}

/**
 * Measures round trips/s of the cheapest statement to a target now, because networks and servers change from day to
 * day.
 */
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

async function measureGeneration(dataset: Dataset, signal: AbortSignal): Promise<CalibrationEntry> {
  await using worker = await startWorker({
    role: 'control',
    ...instrument,
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

/** True if the entry has values, is not older than a week, and is not from the future (a clock was set back). */
function isFresh(entry: CalibrationEntry): boolean {
  const age = Date.now() - Date.parse(entry.measuredAt);
  return entry.perSecond > 0 && age >= 0 && age < maxAgeMs;
}
