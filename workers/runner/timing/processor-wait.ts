import { readFileSync } from 'node:fs';

/** The main thread's ns on a processor, ns waiting for one, slices (docs.kernel.org/scheduler/sched-stats.html). */
const file = '/proc/self/schedstat';

/** How long the main thread has been ready without a processor, ms since it began; null: the system does not tell. */
export function noProcessorMs(): number | null {
  try {
    const waitedNs = Number(readFileSync(file, 'latin1').split(' ')[1]);
    return Number.isFinite(waitedNs) ? waitedNs / 1e6 : null;
  } catch {
    return null; // not Linux, or a kernel built without these statistics
  }
}
