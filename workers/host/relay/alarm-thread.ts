import { readlinkSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { AlarmMemory } from './alarm.ts';

/** Sleeps until the time that was asked for, to the precision of the system's clock, and says so; see alarm.ts. */
const { turn, dueNs } = workerData as AlarmMemory;
const port = parentPort!;

// Linux lets timers be 50 µs late, to wake up for several at once; a thread may ask for less of that for itself (proc(5), timerslack_ns).
try {
  writeFileSync(`/proc/${basename(readlinkSync('/proc/thread-self'))}/timerslack_ns`, '1');
} catch {
  // Another system, or one without /proc: as late as it is.
}

let seen = 0;
port.postMessage(null); // ready
for (;;) {
  const now = Atomics.load(turn, 0);
  if (now !== seen) {
    const leftMs = Number(Atomics.load(dueNs, 0) - process.hrtime.bigint()) / 1e6;
    if (leftMs > 0 && Atomics.wait(turn, 0, now, leftMs) !== 'timed-out') continue;
    seen = now;
    port.postMessage(null);
  } else Atomics.wait(turn, 0, seen);
}
