import type { Operation } from '#engine-api/operation.ts';
import { DynoError } from '#model/error.ts';
import { formatBytes, formatCount } from '#model/format/format.ts';
import type { CallSource } from './call-source.ts';
import type { CallTracker } from './call-tracker.ts';

/** The memory that all workers of a trial together may use. */
const limitBytes = 1_000_000_000;
/** The time after which the event loop gets a turn and the memory is checked. */
const turnMs = 20;
/** The memory from which on the need is extrapolated, and compared with twice the limit because it includes garbage. */
const earlyBytes = 128_000_000;

export interface PrepareOptions {
  readonly callSource: CallSource;
  readonly tracker: CallTracker;
  /** The operations of the connections; the n-th call is encoded by number n mod connections. */
  readonly operations: readonly Operation[];
  /** The number of calls of the tracker to prepare in addition. */
  readonly calls: number;
  /** Workers of the trial, which all prepare calls at the same time. */
  readonly workers: number;
  readonly stopped: () => boolean;
  /** Stops at the limit instead of failing; the other calls are made when they are taken. */
  readonly asManyAsFit?: boolean;
  readonly onCalls?: (done: number) => void;
}

/** Generates and encodes calls before the clock runs, until stopped. Rejects with 'limit' above a gigabyte. */
export async function prepareCalls(options: PrepareOptions): Promise<void> {
  const { callSource, tracker, operations, calls, workers, stopped, asManyAsFit = false, onCalls } = options;
  const limit = limitBytes / workers;
  const before = usedBytes();
  const fits = (made: number): boolean => {
    const used = usedBytes() - before;
    if (asManyAsFit) return used < limit;
    const projected = (used / made) * calls;
    if (used > limit || (used > earlyBytes / workers && projected > 2 * limit)) throw tooMuch(calls, projected);
    return true;
  };
  let turnAt = performance.now() + turnMs;
  for (let call = 0; call < calls; call++) {
    const connection = call % operations.length;
    callSource.prepare(tracker, operations[connection]!, connection);
    if (performance.now() < turnAt) continue;
    if (!fits(call + 1)) return;
    onCalls?.(call + 1);
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (stopped()) return;
    turnAt = performance.now() + turnMs;
  }
  if (calls > 0) fits(calls);
}

function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const tooMuch = (calls: number, bytes: number) =>
  new DynoError(
    'limit',
    `Preparing ${formatCount(calls)} calls before the clock would take about ${formatBytes(bytes)} of one worker's memory.`,
    { hint: 'Use generation: inline (its cost is shown apart), or fewer rows.' },
  );
