import type { Operation } from '#contract/engine.ts';
import { DynoError } from '#contract/error.ts';
import type { CallFeed } from './feed.ts';
import type { Ledger } from './ledger.ts';

/** All workers of a trial together. */
const limitBytes = 1_000_000_000;
/** The event loop gets a turn, and memory a look, this often. */
const turnMs = 20;
/** From here on an extrapolation is worth something, and twice the limit leaves room for garbage in it. */
const earlyBytes = 128_000_000;

export interface PrepareOptions {
  readonly feed: CallFeed;
  readonly ledger: Ledger;
  /** One a connection; call c is encoded by number c mod connections. */
  readonly operations: readonly Operation[];
  /** How many calls of the ledger. */
  readonly calls: number;
  /** Workers of the trial that do the same at the same time. */
  readonly workers: number;
  readonly stopped: () => boolean;
  readonly onCalls?: (done: number) => void;
}

/** Generates and encodes calls before the clock. Returns early when stopped. Throws 'limit' when they would need more than a gigabyte. */
export async function prepareCalls(options: PrepareOptions): Promise<void> {
  const { feed, ledger, operations, calls, workers, stopped, onCalls } = options;
  const limit = limitBytes / workers;
  const before = usedBytes();
  const check = (made: number) => {
    const used = usedBytes() - before;
    const projected = (used / made) * calls;
    if (used > limit || (used > earlyBytes / workers && projected > 2 * limit)) throw tooMuch(calls, projected);
  };
  let turnAt = performance.now() + turnMs;
  for (let call = ledger.preparedCalls; call < calls; call++) {
    feed.prepare(ledger, operations[call % operations.length]!, operations.length);
    if (performance.now() < turnAt) continue;
    check(call + 1);
    onCalls?.(call + 1);
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (stopped()) return;
    turnAt = performance.now() + turnMs;
  }
  if (calls > 0) check(calls);
}

function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const tooMuch = (calls: number, bytes: number) =>
  new DynoError(
    'limit',
    `Preparing ${calls.toLocaleString('en')} calls before the clock would take about ${(bytes / 1e9).toFixed(2)} GB of one worker's memory.`,
    { hint: 'Use generation: inline (its cost is shown apart), or fewer rows.' },
  );
