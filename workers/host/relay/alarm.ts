import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** What alarm and thread share: `turn` counts what was asked for; `dueNs` is the last of it, by process.hrtime. */
export interface AlarmMemory {
  readonly turn: Int32Array;
  readonly dueNs: BigInt64Array;
}

/**
 * A timer that is late by tens of microseconds, where setTimeout has whole milliseconds. A thread of its own sleeps on a futex, which burns
 * nothing.
 */
export interface Alarm extends AsyncDisposable {
  /** Rings once at this time (performance.now), instead of any time it was set to before. A ring that is under way already still comes. */
  set(atMs: number): void;
}

export async function openAlarm(ring: () => void): Promise<Alarm> {
  const turn = new Int32Array(new SharedArrayBuffer(4));
  const dueNs = new BigInt64Array(new SharedArrayBuffer(8));
  const thread = new Worker(new URL('./alarm-thread.ts', import.meta.url), {
    workerData: { turn, dueNs } satisfies AlarmMemory,
  });
  await once(thread, 'message');
  thread.on('message', ring);
  return {
    set(atMs) {
      const leftNs = BigInt(Math.round((atMs - performance.now()) * 1e6));
      Atomics.store(dueNs, 0, process.hrtime.bigint() + leftNs);
      Atomics.add(turn, 0, 1);
      Atomics.notify(turn, 0);
    },
    async [Symbol.asyncDispose]() {
      await thread.terminate();
    },
  };
}
