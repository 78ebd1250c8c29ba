import type { ClientHealth, Snapshot } from '#protocol/measurement.ts';
import type { HealthMeter } from '../timing/health.ts';
import type { Counts } from './counts.ts';
import type { Phase } from './phase.ts';

/**
 * Divides the measured phase into intervals of a second on its own clock. A late interval is longer; the next one ends
 * on time.
 */
interface SnapshotTicker {
  /**
   * Sends the last interval, up to the deadline or now, and returns the health of the whole phase. Later calls return
   * the same.
   */
  finish(): ClientHealth;
}

const intervalMs = 1_000;
/** A last interval shorter than this is too short for a point on a chart, unless something was counted in it. */
const negligibleMs = 5;

/** `totals` receives the counts of every finished interval. */
export function startSnapshots(
  phase: Phase,
  totals: Counts,
  worker: number,
  health: HealthMeter,
  send: (snapshot: Snapshot) => void,
): SnapshotTicker {
  const { counts } = phase;
  let lastMs = phase.startMs;
  let whole: ClientHealth | null = null;
  let targetMs = 0;
  let timer: NodeJS.Timeout;

  const cut = (endMs: number) => {
    const lengthMs = endMs - lastMs;
    send({ worker, atMs: endMs - phase.startMs, lengthMs, counts: counts.toData(), health: health.interval() });
    totals.add(counts);
    counts.reset();
    lastMs = endMs;
  };
  const finish = (): ClientHealth => {
    if (whole === null) {
      clearTimeout(timer);
      const endMs = Math.min(performance.now(), phase.deadlineMs);
      const busy = counts.calls > 0 || counts.failures > 0 || counts.commits > 0;
      if (busy || endMs - lastMs >= negligibleMs) cut(endMs);
      whole = health.whole();
    }
    return whole;
  };
  const tick = () => {
    const now = performance.now();
    // Timers count whole milliseconds and may be early by a fraction of one.
    if (now < targetMs) {
      timer = setTimeout(tick, 1);
      return;
    }
    // Calls that end from now on count in the totals only, because they must not be part of the last interval.
    if (now >= phase.deadlineMs) {
      finish();
      return;
    }
    cut(now);
    schedule();
  };
  const schedule = () => {
    const now = performance.now();
    const next = phase.startMs + (Math.floor((now - phase.startMs) / intervalMs) + 1) * intervalMs;
    targetMs = Math.min(next, phase.deadlineMs);
    timer = setTimeout(tick, Math.max(1, targetMs - now));
  };
  schedule();
  return { finish };
}
