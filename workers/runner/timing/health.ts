import { readFileSync } from 'node:fs';
import {
  type ELDHistogram,
  monitorEventLoopDelay,
  type PerformanceEntry,
  PerformanceObserver,
  performance,
} from 'node:perf_hooks';
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
  /** Idle time of the event loop: in total, and without any call under way. */
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
  const collections = watchCollections();
  const intervalDelay = monitorEventLoopDelay({ resolution: delayResolutionMs });
  const wholeDelay = monitorEventLoopDelay({ resolution: delayResolutionMs });
  intervalDelay.enable();
  wholeDelay.enable();

  const read = (): Reading => ({
    gc: collections.counts(),
    nowMs: performance.now(),
    cpu: process.cpuUsage(),
    loop: performance.eventLoopUtilization(),
    noProcessorMs: noProcessorMs(),
    activity: activity(),
  });
  const start = read();
  let last = start;
  return {
    interval() {
      const now = read();
      const health = healthBetween(last, now, intervalDelay, now.gc.longestInIntervalMs);
      last = now;
      collections.startInterval();
      intervalDelay.reset();
      return health;
    },
    whole() {
      const now = read();
      return healthBetween(start, now, wholeDelay, now.gc.longestMs);
    },
    pauses: () => collections.pauses(),
    [Symbol.dispose]() {
      collections[Symbol.dispose]();
      intervalDelay.disable();
      wholeDelay.disable();
    },
  };
}

/** Pauses for garbage collection since the start; the longest ones also since the start of the interval. */
interface GcCounts {
  totalMs: number;
  pauses: number;
  longestMs: number;
  longestInIntervalMs: number;
}

/** Counts this process's pauses for garbage collection from now on. */
function watchCollections() {
  const counts: GcCounts = { totalMs: 0, pauses: 0, longestMs: 0, longestInIntervalMs: 0 };
  const pauses = new Pauses();
  const add = (entries: readonly PerformanceEntry[]) => {
    for (const { startTime, duration } of entries) {
      pauses.add(startTime, duration);
      counts.totalMs += duration;
      counts.pauses++;
      counts.longestMs = Math.max(counts.longestMs, duration);
      counts.longestInIntervalMs = Math.max(counts.longestInIntervalMs, duration);
    }
  };
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  return {
    counts(): Readonly<GcCounts> {
      add(observer.takeRecords());
      return { ...counts };
    },
    startInterval() {
      counts.longestInIntervalMs = 0;
    },
    pauses() {
      add(observer.takeRecords());
      return pauses;
    },
    [Symbol.dispose]: () => observer.disconnect(),
  };
}

/** The process' use of resources up to a moment. */
interface Reading {
  readonly nowMs: number;
  readonly cpu: NodeJS.CpuUsage;
  readonly loop: ReturnType<typeof performance.eventLoopUtilization>;
  readonly gc: Readonly<GcCounts>;
  readonly noProcessorMs: number | null;
  readonly activity: Activity;
}

const passedBetween =
  (from: Reading, to: Reading) =>
  (pick: (activity: Activity) => number): number =>
    pick(to.activity) - pick(from.activity);

function healthBetween(from: Reading, to: Reading, delay: ELDHistogram, gcLongestMs: number): ClientHealth {
  const passed = passedBetween(from, to);
  const wire = from.activity.wire && to.activity.wire ? { from: from.activity.wire, to: to.activity.wire } : null;
  const inCallsMs = passed((activity) => activity.inCallsMs);
  const time = processTime(from, to);
  return {
    cpuUserMs: (to.cpu.user - from.cpu.user) / 1_000,
    cpuSystemMs: (to.cpu.system - from.cpu.system) / 1_000,
    eventLoopUtilisation: performance.eventLoopUtilization(to.loop, from.loop).utilization,
    eventLoopDelayP99Ms: delayMs(delay.percentile(99)),
    gcMs: to.gc.totalMs - from.gc.totalMs,
    rssBytes: process.memoryUsage.rss(),
    generateMs: time.parts.generateMs,
    encodeMs: passed(({ encodeMs }) => encodeMs) * time.scale,
    inCallsMs,
    transactionMs: passed(({ transactionMs }) => transactionMs),
    pauseMs: passed(({ pauseMs }) => pauseMs),
    wireSentBytes: wire && wire.to.sent - wire.from.sent,
    wireReceivedBytes: wire && wire.to.received - wire.from.received,
    processTime: time.parts,
    callTime: callsBetween(from.activity, to.activity, 'calls', inCallsMs),
    transactionTime: callsBetween(from.activity, to.activity, 'transactions', null),
    pauses: {
      gcPauses: to.gc.pauses - from.gc.pauses,
      gcLongestMs,
      loopLongestMs: delayMs(delay.max),
      noProcessorMs:
        from.noProcessorMs === null || to.noProcessorMs === null ? null : to.noProcessorMs - from.noProcessorMs,
    },
  };
}

const delayMs = (ns: number): number => Math.max(0, ns / 1e6 - delayResolutionMs);

/**
 * The rest of the time is the event loop's own. Generating, encoding and decoding are estimated from samples, of which
 * a single one may have lost the processor: together they get at most the time that the exact parts leave (`scale`, at
 * most 1). If the clocks differ by more, the whole is the sum of the parts.
 */
function processTime(from: Reading, to: Reading): { readonly parts: ProcessTime; readonly scale: number } {
  const passed = passedBetween(from, to);
  const idleMs = passed(({ idle }) => idle.restMs);
  const exact = {
    engineMs: passed(({ driverMs }) => driverMs.engine),
    waitMs: Math.max(0, passed(({ idle }) => idle.idleMs) - idleMs),
    idleMs,
  };
  const sampled = {
    generateMs: passed(({ generateMs }) => generateMs),
    encodeMs: passed(({ encodeMs, driverMs }) => encodeMs + driverMs.encode),
    decodeMs: passed(({ driverMs }) => driverMs.decode),
  };
  const left = Math.max(0, to.nowMs - from.nowMs - sumOf(exact));
  const estimate = sumOf(sampled);
  const scale = estimate > left ? left / estimate : 1;
  const parts = {
    generateMs: sampled.generateMs * scale,
    encodeMs: sampled.encodeMs * scale,
    decodeMs: sampled.decodeMs * scale,
    ...exact,
  };
  const known = sumOf(parts);
  const wallMs = Math.max(to.nowMs - from.nowMs, known);
  return { parts: { wallMs, ...parts, otherMs: wallMs - known }, scale };
}

const sumOf = (parts: Readonly<Record<string, number>>): number =>
  Object.values(parts).reduce((sum, ms) => sum + ms, 0);

const callsBetween = (from: Activity, to: Activity, kind: 'calls' | 'transactions', totalMs: number | null) =>
  from.calls && to.calls ? callTimeBetween(from.calls[kind], to.calls[kind], totalMs) : null;

/** The main thread's ns on a processor, ns waiting for one, slices (docs.kernel.org/scheduler/sched-stats.html). */
const file = '/proc/self/schedstat';

/**
 * The time for which the main thread has been ready without a processor, ms since it began; null: the system does not
 * tell.
 */
function noProcessorMs(): number | null {
  try {
    const waitedNs = Number(readFileSync(file, 'latin1').split(' ')[1]);
    return Number.isFinite(waitedNs) ? waitedNs / 1e6 : null;
  } catch {
    return null; // not Linux, or a kernel built without these statistics
  }
}
