import { readFileSync } from 'node:fs';

/**
 * The main thread's time on a processor and time waiting for one, ns, and its time slices
 * (docs.kernel.org/scheduler/sched-stats.html).
 */
const file = '/proc/self/schedstat';

/**
 * How long this process' main thread has been ready to run and had no processor, ms since it began; null where the
 * system does not tell.
 */
export function noProcessorMs(): number | null {
  try {
    const waitedNs = Number(readFileSync(file, 'latin1').split(' ')[1]);
    return Number.isFinite(waitedNs) ? waitedNs / 1e6 : null;
  } catch {
    return null; // not Linux, or a kernel built without these statistics
  }
}
