import { readlinkSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { TimerMemory } from './high-resolution-timer.ts';

/** The timer's thread: sleeps until the due time, to the precision of the system's clock, and then posts a message. */
const { settings, dueNs } = workerData as TimerMemory;
const port = parentPort!;

// Linux lets timers be 50 µs late; a thread may lower that for itself (proc(5), timerslack_ns).
try {
  writeFileSync(`/proc/${basename(readlinkSync('/proc/thread-self'))}/timerslack_ns`, '1');
} catch {
  // Other systems, and those without /proc, keep their own precision.
}

let seen = 0;
port.postMessage(null); // ready
for (;;) {
  const latest = Atomics.load(settings, 0);
  if (latest === seen) {
    Atomics.wait(settings, 0, seen);
    continue;
  }
  const leftMs = Number(Atomics.load(dueNs, 0) - process.hrtime.bigint()) / 1e6;
  if (leftMs > 0 && Atomics.wait(settings, 0, latest, leftMs) !== 'timed-out') continue;
  seen = latest;
  port.postMessage(null);
}
