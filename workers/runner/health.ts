import { monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver, performance } from 'node:perf_hooks';
import type { ClientHealth } from '#contract/measurement.ts';

/** What the runner itself knows; running totals, ms and bytes. */
export interface Activity {
  readonly generateMs: number;
  readonly encodeMs: number;
  readonly inCallsMs: number;
  readonly transactionMs: number;
  readonly wire: { readonly sent: number; readonly received: number } | null;
}

/** The state of this process from `startHealth` on. */
export interface HealthMeter extends Disposable {
  /** Since the last call (or the start). */
  interval(): ClientHealth;
  /** Since the start. */
  whole(): ClientHealth;
}

/** The delay monitor is a timer of this period; it reports the period with the delay, so it is taken off again. */
const delayResolutionMs = 10;

export function startHealth(activity: () => Activity): HealthMeter {
  let gcMs = 0;
  const addPauses = (entries: readonly PerformanceEntry[]) => {
    for (const entry of entries) gcMs += entry.duration;
  };
  const observer = new PerformanceObserver((list) => addPauses(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  const intervalDelay = monitorEventLoopDelay({ resolution: delayResolutionMs });
  const wholeDelay = monitorEventLoopDelay({ resolution: delayResolutionMs });
  intervalDelay.enable();
  wholeDelay.enable();

  const read = () => {
    addPauses(observer.takeRecords());
    return { cpu: process.cpuUsage(), loop: performance.eventLoopUtilization(), gcMs, activity: activity() };
  };
  const start = read();
  let last = start;
  const between = (from: ReturnType<typeof read>, to: ReturnType<typeof read>, delayP99Ns: number): ClientHealth => {
    const wire =
      from.activity.wire && to.activity.wire
        ? {
            sent: to.activity.wire.sent - from.activity.wire.sent,
            received: to.activity.wire.received - from.activity.wire.received,
          }
        : null;
    return {
      cpuUserMs: (to.cpu.user - from.cpu.user) / 1_000,
      cpuSystemMs: (to.cpu.system - from.cpu.system) / 1_000,
      eventLoopUtilisation: performance.eventLoopUtilization(to.loop, from.loop).utilization,
      eventLoopDelayP99Ms: Math.max(0, delayP99Ns / 1e6 - delayResolutionMs),
      gcMs: to.gcMs - from.gcMs,
      rssBytes: process.memoryUsage.rss(),
      generateMs: to.activity.generateMs - from.activity.generateMs,
      encodeMs: to.activity.encodeMs - from.activity.encodeMs,
      inCallsMs: to.activity.inCallsMs - from.activity.inCallsMs,
      transactionMs: to.activity.transactionMs - from.activity.transactionMs,
      wireSentBytes: wire?.sent ?? null,
      wireReceivedBytes: wire?.received ?? null,
    };
  };
  return {
    interval() {
      const now = read();
      const health = between(last, now, intervalDelay.percentile(99));
      last = now;
      intervalDelay.reset();
      return health;
    },
    whole: () => between(start, read(), wholeDelay.percentile(99)),
    [Symbol.dispose]() {
      observer.disconnect();
      intervalDelay.disable();
      wholeDelay.disable();
    },
  };
}
