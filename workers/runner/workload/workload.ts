import type { Support } from '#engine-api/support.ts';
import { rangeColumnOf } from '#model/dataset/named-columns.ts';
import { DynoError } from '#model/error.ts';
import type { Settings } from '#model/settings/settings.ts';
import { hasStagedWeights } from '#model/stages.ts';
import type { ClientJob } from '#protocol/messages.ts';
import { callsPerBlock } from './batch-maker.ts';
import { CallTracker } from './call-tracker.ts';
import { numberDealt, numberRange, share } from './numbering.ts';
import { workingRows } from './working-set.ts';

/** A worker's share of a trial: its calls, and the number of rows that each must touch. */
export interface Workload {
  readonly warmup: CallTracker;
  /** Equal to `warmup` if the clock ends the phases, because the numbers continue. */
  readonly measure: CallTracker;
  readonly rowsPerCall: number;
  /** Number of rows that every call must touch; null: the rows of its batch. */
  readonly expected: { readonly low: number; readonly high: number } | null;
  /** Number of calls of each tracker to encode before the warm-up; the others are made inside the loop. */
  readonly preparedCalls: { readonly warmup: number; readonly measure: number };
  /**
   * Returns the number of further calls to encode for this many seconds at a rate (null if unknown). If the clock ends
   * the phases, only the warm-up shows how many they need.
   */
  callsToPrepare(seconds: number, callsPerSecond: number | null): number;
}

/** Expected calls per second without a warm-up. */
const guessedPerSecond = 30_000;
/**
 * Later calls may be faster than the calls of the known rate by this factor; further calls are made when they are
 * taken.
 */
const headroom = 1.5;
/** Maximum number of rows to prepare, so that a long phase of a fast engine does not fill the memory. */
const mostPreparedRows = 1_000_000;

/**
 * Plans the calls of a worker. Where rows end the phases, new rows are numbered from loadedRows on: first those of the
 * warm-up, then the measured ones, both divided exactly among the workers; deletes take positions in one random order
 * of the loaded rows instead, and copies as many rows as were loaded. Where time ends them, numbers are dealt out as
 * long as the clock runs; deletes and copies end with the last row. Throws 'badInput' for too few loaded rows.
 */
export function planWorkload(job: ClientJob, support: Support): Workload {
  const { settings, measure, worker, workers, loadedRows } = job;
  const { operation, generation, rangeRows } = settings;
  if (operation !== 'insert' && operation !== 'statement') requireRows(job);
  if (settings.rowsPerCall > support.maxRowsPerCall && operation !== 'scan' && operation !== 'readRange') {
    throw new DynoError('badInput', `${support.implementation} takes at most ${support.maxRowsPerCall} rows per call.`);
  }
  const consumes = operation === 'delete' || operation === 'copy';
  const expected =
    operation === 'readRange'
      ? rangeColumnOf(job.table, settings)
        ? { low: 0, high: loadedRows }
        : { low: 1, high: rangeRows }
      : operation === 'scan'
        ? { low: loadedRows, high: loadedRows }
        : operation === 'statement'
          ? { low: 0, high: 0 } // Calls of a mix return 0 (mix-operation.ts).
          : null;
  const unit = operation === 'readRange' ? rangeRows : operation === 'scan' ? loadedRows : settings.rowsPerCall;

  if (measure.until !== 'rows') {
    const end = consumes ? loadedRows : Number.POSITIVE_INFINITY;
    const start = consumes ? 0 : loadedRows;
    const tracker = new CallTracker(numberDealt(start, end, unit, callsPerBlock(unit), worker, workers));
    return {
      warmup: tracker,
      measure: tracker,
      rowsPerCall: unit,
      expected,
      preparedCalls: {
        warmup: 0,
        measure: generation === 'prepared' ? Math.min(measure.calls ?? 0, tracker.numbering.calls) : 0,
      },
      callsToPrepare(seconds, callsPerSecond) {
        // The work of a call may depend on the stage in which it begins, and on its user.
        if (generation === 'inline' || measure.until === 'calls' || hasStagedWeights(measure) || job.mix?.scenarios)
          return 0;
        const enough = seconds * (callsPerSecond === null ? guessedPerSecond : callsPerSecond * headroom);
        const left = tracker.numbering.calls - tracker.nextCall;
        const { preparedLeft } = tracker;
        return Math.ceil(Math.max(0, Math.min(enough - preparedLeft, mostPreparedRows / unit - preparedLeft, left)));
      },
    };
  }

  const { warmupRows } = measure;
  const measuredRows = consumes ? Math.min(measure.rows, loadedRows - warmupRows) : measure.rows;
  const start = consumes ? 0 : loadedRows;
  const warm = share(warmupRows, worker, workers);
  const measured = share(measuredRows, worker, workers);
  // Calls are small enough to give every connection of this worker one.
  const rowsPerCall =
    expected === null
      ? Math.max(1, Math.min(unit, Math.ceil((measured.end - measured.start) / job.connections)))
      : unit;
  const warmup = new CallTracker(numberRange(start + warm.start, start + warm.end, rowsPerCall));
  const measuredTracker = new CallTracker(
    numberRange(start + warmupRows + measured.start, start + warmupRows + measured.end, rowsPerCall),
  );
  const prepared = generation === 'prepared';
  return {
    warmup,
    measure: measuredTracker,
    rowsPerCall,
    expected,
    preparedCalls: {
      warmup: prepared ? warmup.numbering.calls : 0,
      measure: prepared ? measuredTracker.numbering.calls : 0,
    },
    callsToPrepare: () => 0,
  };
}

function requireRows({ settings, measure, loadedRows }: ClientJob): void {
  const { operation, rowsPerCall } = settings;
  const needed = operation === 'delete' || operation === 'copy' ? consumedRows(settings, measure) : 1;
  if (loadedRows < needed)
    throw new DynoError(
      'badInput',
      `${operation} needs rows that are there before, ${needed} at least; ${loadedRows} are loaded.`,
      {
        hint: `Give the dataset more rows, or ${measure.until === 'calls' ? 'lower measure.until.calls or rowsPerCall' : 'the warm-up fewer'}.`,
      },
    );
  const working = workingRows(loadedRows, settings);
  if ((operation === 'readByKey' || operation === 'update') && rowsPerCall > working) {
    throw new DynoError(
      'badInput',
      `A call of ${rowsPerCall} different keys needs as many rows; ${working < loadedRows ? `the working set has ${working} of ${loadedRows}` : `${loadedRows} are loaded`}.`,
      {
        hint: 'Lower rowsPerCall, or raise dataset.rows or workingSet.',
      },
    );
  }
}

/** Minimum number of rows that a delete or copy needs. */
function consumedRows({ rowsPerCall }: Settings, { until, calls = 1, warmupRows }: ClientJob['measure']): number {
  switch (until) {
    case 'calls':
      return calls * rowsPerCall;
    case 'rows':
      return warmupRows + 1;
    case 'time':
      return 1;
  }
}
