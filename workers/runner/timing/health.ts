import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver, performance } from 'node:perf_hooks';
import type { ClientHealth, ProcessTime } from '#protocol/measurement.ts';
import { type CallTimes, callTimeBetween } from './call-times.ts';
import { Pauses } from './pauses.ts';

/** Running totals that the runner keeps, ms and bytes. */
export interface Activity {
  readonly generateMs: number;
  readonly encodeMs: number;
  readonly inCallsMs: number;
  readonly transactionMs: number;
  readonly pauseMs: number;
  /** Time of the process itself: see TimeSplit. */
  readonly driverMs: { readonly encode: number; readonly decode: number; readonly engine: number };
  /** Idle time of the event loop: all of it, and that without anything under way. */
  readonly idle: { readonly idleMs: number; readonly restMs: number };
  readonly calls: { readonly calls: CallTimes; readonly transactions: CallTimes } | null;
  readonly wire: { readonly sent: number; readonly received: number } | null;
}

/** The state of this process from `startHealth` on. */
export interface HealthMeter extends Disposable {
  /** Since the last call (or the start). */
  interval(): ClientHealth;
  /** Since the start. */
  whole(): ClientHealth;
  /** The pauses for garbage collection since the start, except for those of the event loop's current turn. */
  pauses(): Pauses;
}

/** The period of the delay monitor's timer; the monitor reports the period with the delay, so it is subtracted. */
const delayResolutionMs = 10;

export function startHealth(activity: () => Activity): HealthMeter {
  const gc = { totalMs: 0, pauses: 0, longestMs: 0, longestInIntervalMs: 0 };
  const pauses = new Pauses();
  const addPauses = (entries: readonly PerformanceEntry[]) => {
    for (const { startTime, duration } of entries) {
      pauses.add(startTime, duration);
      gc.totalMs += duration;
      gc.pauses++;
      gc.longestMs = Math.max(gc.longestMs, duration);
      gc.longestInIntervalMs = Math.max(gc.longestInIntervalMs, duration);
    }
  };
  const observer = new PerformanceObserver((list) => addPauses(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  const intervalDelay = monitorEventLoopDelay({ resolution: delayResolutionMs });
  const wholeDelay = monitorEventLoopDelay({ resolution: delayResolutionMs });
  intervalDelay.enable();
  wholeDelay.enable();

  const read = () => {
    addPauses(observer.takeRecords());
    return {
      nowMs: performance.now(),
      cpu: process.cpuUsage(),
      loop: performance.eventLoopUtilization(),
      gc: { ...gc },
      noProcessorMs: noProcessorMs(),
      activity: activity(),
    };
  };
  const start = read();
  let last = start;
  type State = ReturnType<typeof read>;
  const between = (from: State, to: State, delay: typeof wholeDelay, gcLongestMs: number): ClientHealth => {
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
      eventLoopDelayP99Ms: delayMs(delay.percentile(99)),
      gcMs: to.gc.totalMs - from.gc.totalMs,
      rssBytes: process.memoryUsage.rss(),
      generateMs: to.activity.generateMs - from.activity.generateMs,
      encodeMs: to.activity.encodeMs - from.activity.encodeMs,
      inCallsMs: to.activity.inCallsMs - from.activity.inCallsMs,
      transactionMs: to.activity.transactionMs - from.activity.transactionMs,
      pauseMs: to.activity.pauseMs - from.activity.pauseMs,
      wireSentBytes: wire?.sent ?? null,
      wireReceivedBytes: wire?.received ?? null,
      processTime: processTime(from, to),
      callTime: callsBetween(from.activity, to.activity, 'calls', to.activity.inCallsMs - from.activity.inCallsMs),
      transactionTime: callsBetween(from.activity, to.activity, 'transactions', null),
      pauses: {
        gcPauses: to.gc.pauses - from.gc.pauses,
        gcLongestMs,
        loopLongestMs: delayMs(delay.max),
        noProcessorMs:
          from.noProcessorMs === null || to.noProcessorMs === null ? null : to.noProcessorMs - from.noProcessorMs,
      },
    };
  };
  return {
    interval() {
      const now = read();
      const health = between(last, now, intervalDelay, now.gc.longestInIntervalMs);
      last = now;
      gc.longestInIntervalMs = 0;
      intervalDelay.reset();
      return health;
    },
    whole() {
      const now = read();
      return between(start, now, wholeDelay, now.gc.longestMs);
    },
    pauses() {
      addPauses(observer.takeRecords());
      return pauses;
    },
    [Symbol.dispose]() {
      observer.disconnect();
      intervalDelay.disable();
      wholeDelay.disable();
    },
  };
}

const delayMs = (ns: number): number => Math.max(0, ns / 1e6 - delayResolutionMs);

interface Reading {
  readonly nowMs: number;
  readonly activity: Activity;
}

/** The rest of the time is the event loop's own; if clocks differ by more, the whole is the sum of the parts. */
function processTime(from: Reading, to: Reading): ProcessTime {
  const passed = (pick: (activity: Activity) => number) => pick(to.activity) - pick(from.activity);
  const idleMs = passed(({ idle }) => idle.restMs);
  const parts = {
    generateMs: passed(({ generateMs }) => generateMs),
    encodeMs: passed(({ encodeMs, driverMs }) => encodeMs + driverMs.encode),
    decodeMs: passed(({ driverMs }) => driverMs.decode),
    engineMs: passed(({ driverMs }) => driverMs.engine),
    waitMs: Math.max(0, passed(({ idle }) => idle.idleMs) - idleMs),
    idleMs,
  };
  const known = Object.values(parts).reduce((sum, ms) => sum + ms, 0);
  const wallMs = Math.max(to.nowMs - from.nowMs, known);
  return { wallMs, ...parts, otherMs: wallMs - known };
}

const callsBetween = (from: Activity, to: Activity, kind: 'calls' | 'transactions', totalMs: number | null) =>
  from.calls && to.calls ? callTimeBetween(from.calls[kind], to.calls[kind], totalMs) : null;

/** The main thread's ns on a processor, ns waiting for one, slices (docs.kernel.org/scheduler/sched-stats.html). */
const file = '/proc/self/schedstat';

/** How long the main thread has been ready without a processor, ms since it began; null: the system does not tell. */
function noProcessorMs(): number | null {
  try {
    const waitedNs = Number(readFileSync(file, 'latin1').split(' ')[1]);
    return Number.isFinite(waitedNs) ? waitedNs / 1e6 : null;
  } catch {
    return null; // not Linux, or a kernel built without these statistics
  }
}
