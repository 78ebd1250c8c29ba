import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * A timer that is late by tens of microseconds, where setTimeout counts whole milliseconds. A thread of its own sleeps
 * on a futex, which costs no processor time. The thread does not keep the process alive.
 */
export interface HighResolutionTimer extends AsyncDisposable {
  /** Is called when the time has come; does nothing by default. */
  onExpiry: () => void;
  /**
   * Expires once at this time (performance.now), which replaces an earlier time. An expiry that is already under way
   * still comes.
   */
  setAt(dueMs: number): void;
}

/** Shared by the two threads: `settings` counts the calls of setAt, `dueNs` is the due time by process.hrtime. */
export interface TimerMemory {
  readonly settings: Int32Array;
  readonly dueNs: BigInt64Array;
}

export async function openHighResolutionTimer(): Promise<HighResolutionTimer> {
  const settings = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const dueNs = new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT));
  const workerData: TimerMemory = { settings, dueNs };
  const thread = new Worker(new URL('./high-resolution-timer-thread.ts', import.meta.url), { workerData });
  await once(thread, 'message');
  thread.unref();
  const timer: HighResolutionTimer = {
    onExpiry: () => {},
    setAt(dueMs) {
      const leftNs = BigInt(Math.round((dueMs - performance.now()) * 1e6));
      Atomics.store(dueNs, 0, process.hrtime.bigint() + leftNs);
      Atomics.add(settings, 0, 1);
      Atomics.notify(settings, 0);
    },
    async [Symbol.asyncDispose]() {
      await thread.terminate();
    },
  };
  thread.on('message', () => timer.onExpiry());
  return timer;
}
