import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Rings once, some time after it was set. A thread waits for it: timers of the event loop know whole milliseconds only. */
export interface Alarm extends AsyncDisposable {
  onRing: () => void;
  /** In so many ms, instead of when it was to ring before. */
  set(delayMs: number): void;
}

/** What the two threads share. */
export interface AlarmMemory {
  /** How often it was set. */
  readonly armings: Int32Array;
  readonly delays: Float64Array;
}

export async function createAlarm(): Promise<Alarm> {
  const memory: AlarmMemory = {
    armings: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    delays: new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)),
  };
  const thread = new Worker(new URL('./high-resolution-timer-thread.ts', import.meta.url), { workerData: memory });
  await once(thread, 'online');
  // What it is an alarm for keeps the process alive.
  thread.unref();
  const alarm: Alarm = {
    onRing: () => {},
    set(delayMs) {
      memory.delays[0] = delayMs;
      Atomics.add(memory.armings, 0, 1);
      Atomics.notify(memory.armings, 0);
    },
    async [Symbol.asyncDispose]() {
      await thread.terminate();
    },
  };
  thread.on('message', () => alarm.onRing());
  return alarm;
}
