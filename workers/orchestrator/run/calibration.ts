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
import { deviceOf, fileSystemOf } from './storage/file-system-of.ts';
import { probeStorage } from './storage/probe-storage.ts';
import { storageEntries } from './storage/storage-entries.ts';

/** `npm test` sets the variable: hundreds of its runs would otherwise measure for longer than their trials take. */
const isBrief = process.env.DYNO_TEST_BRIEF_CALIBRATION !== undefined;
const seconds = isBrief ? 0.1 : 0.5;
/** Every run spends this time on each target. */
const roundTripSeconds = isBrief ? 0.05 : 0.2;
const maxAgeMs = 7 * 24 * 3_600_000;
const version = 3;

/** About a second before a run, and six in `dyno calibrate`: p99 needs 1,000 syncs. */
const storageTimes = { run: { syncMs: 250, dataMs: 150 }, fresh: { syncMs: 2_000, dataMs: 500 } };

/**
 * Returns the ceilings of this machine from the cache. Measures them if their conditions have changed, or with `fresh`.
 */
export interface Calibration {
  /** Calls/s of a loop around the no-op engine, which depend on runtime and machine. */
  noopEngine(signal: AbortSignal): Promise<readonly CalibrationEntry[]>;
  /** Rows/s of the generator alone, which depend on runtime, machine and the dataset's columns. */
  generation(dataset: Dataset, signal: AbortSignal): Promise<readonly CalibrationEntry[]>;
  /** The file system of Dyno's home, so far without its targets (storageOf). Throws what probeStorage throws. */
  storage(signal: AbortSignal): Promise<readonly CalibrationEntry[]>;
}

export function openCalibration(home: Home, options: { readonly fresh?: boolean } = {}): Calibration {
  const machine = { runtime: runtimeVersions(), cpu: cpus()[0]?.model, cores: cpus().length };
  const cached = async (
    on: unknown,
    measure: () => Promise<readonly CalibrationEntry[]>,
  ): Promise<readonly CalibrationEntry[]> => {
    const key = createHash('sha256')
      .update(JSON.stringify([version, machine, on]))
      .digest('hex')
      .slice(0, 24);
    const known = readEntries(home)[key];
    if (!options.fresh && known && areFresh(known)) return known;
    const entries = await measure();
    // A calibration without a result is not stored.
    if (!areFresh(entries)) return entries;
    try {
      const fresh = Object.entries(readEntries(home)).filter(([, some]) => areFresh(some));
      writeAtomically(home.calibration, JSON.stringify({ ...Object.fromEntries(fresh), [key]: entries }, null, 1));
    } catch {
      // If the cache cannot be written, the next run spends four more seconds.
    }
    return entries;
  };
  return {
    noopEngine: (signal) => cached('noopEngine', async () => [await measureNoopEngine(signal)]),
    generation: (dataset, signal) =>
      cached({ generation: dataset.columns }, async () => [await measureGeneration(dataset, signal)]),
    storage(signal) {
      const fileSystem = fileSystemOf(home.embedded);
      const times = options.fresh ? storageTimes.fresh : storageTimes.run;
      return cached({ storage: deviceOf(home.embedded), fileSystem }, async () =>
        storageEntries(await probeStorage(home, times, signal), fileSystem),
      );
    },
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

function readEntries(home: Home): Readonly<Record<string, readonly CalibrationEntry[]>> {
  const value = readJson(home.calibration);
  return typeof value === 'object' && value !== null ? (value as Record<string, readonly CalibrationEntry[]>) : {};
}

/** True if the entries have values, are not older than a week, and are not from the future (a clock was set back). */
const areFresh = (entries: readonly CalibrationEntry[]): boolean =>
  entries.length > 0 &&
  entries.every(({ perSecond, measuredAt }) => {
    const age = Date.now() - Date.parse(measuredAt);
    return perSecond > 0 && age >= 0 && age < maxAgeMs;
  });
