import type { ProbeSample } from '#engine-api/probe.ts';
import { latencyText } from '#planning/rates/load-rates.ts';
import type { HostFacts, HostSecond, UnmeasuredServer } from '#protocol/host-second.ts';
import type { Snapshot, StatementLatencies } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { percentilesMs } from '#stats/histogram/percentiles.ts';
import { clientShares } from '../client/client-time.ts';
import type { ClientTimeline, LatencyColumns, TrialSeries } from '../run-model/run-model.ts';
import { createEventSeries } from '../server/event-series.ts';
import { createForeignLocks } from '../server/foreign-locks.ts';
import { createHostSeries } from '../server/host-series.ts';
import { createProbeSeries } from '../server/probe-series.ts';
import { timeParts, WorkerNumbers } from './worker-numbers.ts';

/** Seconds that stay open for workers with late reports; older seconds keep only their numbers. */
const openSeconds = 5;
/**
 * An interval of this length comes from a worker with a blocked event loop; its counts are spread over the seconds it
 * covers.
 */
const longIntervalMs = 1_500;
/** A remainder this short (the end of a phase) is merged with the second before it, because its rate would be noise. */
const stubMs = 200;

/** Per-second merge of all workers' snapshots of one trial. Folds each snapshot and forgets it. */
export interface SeriesBuilder {
  add(snapshot: Snapshot): void;
  /** Adds a probe of the server; differences start from the first probe. */
  addProbe(atMs: number, sample: ProbeSample, tookMs: number): void;
  /** The hosts of the trial, and the servers that are on none of them. */
  beginHosts(hosts: readonly HostFacts[], unmeasured: readonly UnmeasuredServer[]): void;
  addHostSecond(host: string, atMs: number, second: HostSecond): void;
  /** Closes all seconds at the end of the trial. */
  close(): void;
  /** The series so far; the same object until something is added. */
  series(): TrialSeries;
}

type Percentiles = { readonly [Column in keyof LatencyColumns]: LatencyColumns[Column][number] };

/** The latencies of a second whose histograms were not kept. */
const noPercentiles: Percentiles = { timed: null, p50Ms: null, p95Ms: null, p99Ms: null, maxMs: null };

/** The latencies of a second: of all calls, or of one statement. */
interface Latencies {
  /** Encoded histograms; null after merging. */
  encoded: string[] | null;
  /** The percentiles after merging. */
  percentiles: Percentiles;
}

interface Second {
  readonly workers: WorkerNumbers;
  readonly all: Latencies;
  /** The latencies by titles of statements; null without statements. */
  statements: Map<string, Latencies> | null;
  endMs: number;
  /**
   * The series' entry of the second; null if the second has changed since. The cache matters because long trials have
   * tens of thousands of seconds.
   */
  told: ToldSecond | null;
}

/**
 * Keeps the histograms of finished seconds until they are read, or until there is time to merge them: for a thousand
 * short trials, merging takes longer than the rest of the reading. All trials of a run share one.
 */
export class KeptLatencies {
  #roomInCharacters: number;
  #kept: Latencies[] = [];
  #next = 0;

  /** `mostCharacters` limits memory, because the histograms of hours are too many to keep. */
  constructor(mostCharacters = 32 * 2 ** 20) {
    this.#roomInCharacters = mostCharacters;
  }

  /** Adds latencies of a finished second, which are merged at once if there is no room. */
  keep(latencies: Latencies): void {
    this.#roomInCharacters -= lengthOf(latencies);
    if (this.#roomInCharacters < 0) this.merge(latencies);
    else this.#kept.push(latencies);
  }

  /** Merges kept latencies. */
  merge(latencies: Latencies): void {
    if (latencies.encoded === null) return;
    this.#roomInCharacters += lengthOf(latencies);
    latencies.percentiles = percentilesOf(latencies.encoded);
    latencies.encoded = null;
  }

  /** Merges the oldest latencies as long as `goesOn` returns true; returns true if some are left. */
  mergeWhile(goesOn: () => boolean): boolean {
    while (this.#next < this.#kept.length) {
      if (!goesOn()) return true;
      this.merge(this.#kept[this.#next++]!);
    }
    this.#kept = [];
    this.#next = 0;
    return false;
  }
}

const lengthOf = ({ encoded }: Latencies): number => encoded?.reduce((sum, { length }) => sum + length, 0) ?? 0;

/** A second in the form of the series of a trial. */
type ToldSecond = Readonly<ReturnType<typeof tell>>;

export function createSeriesBuilder(kept = new KeptLatencies()): SeriesBuilder {
  const seconds = createSeconds(kept);
  const lastSecondOf = new Map<number, number>();
  const probes = createProbeSeries();
  const events = createEventSeries();
  const foreignLocks = createForeignLocks();
  const hosts = createHostSeries();
  const probing: { atMs: number; tookMs: number }[] = [];
  const missing = new Set<string>();
  let cached: TrialSeries | null = null;

  return {
    addProbe(atMs, sample, tookMs) {
      cached = null;
      // The "before" probe ran ahead of the measured phase.
      if (atMs > 0) probing.push({ atMs, tookMs });
      probes.add(atMs, sample);
      events.add(atMs, sample);
      foreignLocks.add(atMs, sample);
      for (const one of [...sample.unavailable, ...(sample.optional ?? [])]) missing.add(one);
    },

    beginHosts(facts, unmeasured) {
      cached = null;
      hosts.begin(facts, unmeasured);
    },

    addHostSecond(host, atMs, second) {
      cached = null;
      hosts.add(host, atMs, second);
    },

    add(snapshot) {
      const { worker, atMs, lengthMs } = snapshot;
      cached = null;
      const last = lastSecondOf.get(worker);
      const middle = Math.max(0, Math.floor((atMs - lengthMs / 2) / 1_000));
      const home = lengthMs < stubMs && last !== undefined ? last : middle;
      const parts = lengthMs < longIntervalMs ? [{ index: home, ms: lengthMs }] : overlaps(atMs - lengthMs, atMs);
      for (const { index, ms } of parts) {
        const second = seconds.at(index);
        second.told = null;
        fold(second, snapshot, ms);
        second.endMs = Math.max(second.endMs, parts.length === 1 ? atMs : Math.min(atMs, (index + 1) * 1_000));
      }
      // The calls ended in one of several seconds, so their latencies count for the last of these.
      const end = parts.at(-1)!.index;
      seconds.addLatencies(end, latencyText(snapshot.counts), snapshot.statements);
      lastSecondOf.set(worker, end);
    },

    close() {
      seconds.close();
      events.close();
    },

    series() {
      cached ??= withLatencies(
        {
          ...build(seconds.all, [...lastSecondOf.keys()]),
          ...probes.series(),
          ...hosts.series(),
          events: events.series(),
          foreignLocks: foreignLocks.found(),
          probing: { atMs: probing.map(({ atMs }) => atMs), tookMs: probing.map(({ tookMs }) => tookMs) },
          missing: [...missing],
        },
        seconds.percentiles(),
        seconds.statements(),
      );
      return cached;
    },
  };
}

/** The seconds of a trial; only the newest are open. */
function createSeconds(kept: KeptLatencies) {
  const all = new Map<number, Second>();
  const open = new Map<number, Second>();
  const titles = new Set<string>();
  let newest = -1;

  /** Closes a second that is no longer expected to change. */
  const settle = (index: number, second: Second) => {
    open.delete(index);
    kept.keep(second.all);
    for (const latencies of second.statements?.values() ?? []) kept.keep(latencies);
  };
  const read = (index: number, latencies: Latencies): Percentiles => {
    if (open.has(index)) return percentilesOf(latencies.encoded ?? []);
    kept.merge(latencies);
    return latencies.percentiles;
  };

  return {
    all: all as ReadonlyMap<number, Second>,
    /** The second of this number, created at its first use. */
    at(index: number): Second {
      const known = all.get(index);
      if (known !== undefined) return known;
      const recent = index > newest - openSeconds;
      const made: Second = {
        workers: new WorkerNumbers(),
        all: { encoded: recent ? [] : null, percentiles: noPercentiles },
        statements: null,
        endMs: 0,
        told: null,
      };
      all.set(index, made);
      if (recent) open.set(index, made);
      newest = Math.max(newest, index);
      for (const [at, second] of open) if (at <= newest - openSeconds) settle(at, second);
      return made;
    },
    /** Adds encoded histograms to a second, if the second is open. */
    addLatencies(index: number, text: string, parts: readonly StatementLatencies[] = []): void {
      const second = open.get(index);
      if (second === undefined) return;
      second.all.encoded?.push(text);
      if (parts.length > 0) second.statements ??= new Map();
      for (const { name, kind, service } of parts) {
        const title = kind === 'statement' ? name : `${name} (${kind})`;
        titles.add(title);
        const known = second.statements!.get(title);
        if (known === undefined) second.statements!.set(title, { encoded: [service], percentiles: noPercentiles });
        else known.encoded?.push(service);
      }
    },
    close() {
      for (const [index, second] of open) settle(index, second);
    },
    /** Reads the percentiles of the seconds so far, in order. */
    percentiles(): () => readonly Percentiles[] {
      const sorted = inOrder(all);
      return () => sorted.map(([index, { all: latencies }]) => read(index, latencies));
    },
    /** The statements in the order of their first calls, and functions that read their percentiles. */
    statements(): readonly { readonly name: string; readonly percentiles: () => readonly Percentiles[] }[] {
      const sorted = inOrder(all);
      return [...titles].map((name) => ({
        name,
        percentiles: () =>
          sorted.map(([index, { all: whole, statements }]) => {
            const latencies = statements?.get(name);
            if (latencies !== undefined) return read(index, latencies);
            return { ...noPercentiles, timed: read(index, whole).timed === null ? null : 0 };
          }),
      }));
    },
  };
}

const inOrder = (seconds: ReadonlyMap<number, Second>): [number, Second][] => [...seconds].sort(([a], [b]) => a - b);

/** A series with latencies that are merged at the first read. */
function withLatencies(
  series: Omit<TrialSeries, keyof LatencyColumns | 'statements'>,
  percentiles: () => readonly Percentiles[],
  statements: readonly { readonly name: string; readonly percentiles: () => readonly Percentiles[] }[],
): TrialSeries {
  const columns = columnsOf(percentiles);
  return {
    ...series,
    statements: statements.map((one) => ({ name: one.name, latencies: columnsOf(one.percentiles) })),
    get timed() {
      return columns.timed;
    },
    get p50Ms() {
      return columns.p50Ms;
    },
    get p95Ms() {
      return columns.p95Ms;
    },
    get p99Ms() {
      return columns.p99Ms;
    },
    get maxMs() {
      return columns.maxMs;
    },
  };
}

/** The columns of percentiles, which are read at the first access. */
function columnsOf(percentiles: () => readonly Percentiles[]): LatencyColumns {
  let columns: LatencyColumns | null = null;
  const read = (): LatencyColumns => {
    if (columns !== null) return columns;
    const all = percentiles();
    const column = (key: keyof Percentiles) => all.map((second) => second[key]);
    columns = {
      timed: column('timed'),
      p50Ms: column('p50Ms'),
      p95Ms: column('p95Ms'),
      p99Ms: column('p99Ms'),
      maxMs: column('maxMs'),
    };
    return columns;
  };
  return {
    get timed() {
      return read().timed;
    },
    get p50Ms() {
      return read().p50Ms;
    },
    get p95Ms() {
      return read().p95Ms;
    },
    get p99Ms() {
      return read().p99Ms;
    },
    get maxMs() {
      return read().maxMs;
    },
  };
}

/** Whole seconds covered by [fromMs, toMs), each with its share in ms. */
function overlaps(fromMs: number, toMs: number): { index: number; ms: number }[] {
  const parts: { index: number; ms: number }[] = [];
  for (let index = Math.max(0, Math.floor(fromMs / 1_000)); index * 1_000 < toMs; index++) {
    const ms = Math.min(toMs, (index + 1) * 1_000) - Math.max(fromMs, index * 1_000);
    if (ms >= stubMs || parts.length === 0) parts.push({ index, ms });
    else parts.at(-1)!.ms += ms;
  }
  return parts;
}

function fold({ workers }: Second, { worker, lengthMs, counts, health }: Snapshot, ms: number): void {
  const share = lengthMs > 0 ? ms / lengthMs : 1;
  const { pauses, processTime } = health;
  const row = workers.rowOf(worker);
  workers.add(row, 'lengthMs', ms);
  workers.add(row, 'rows', counts.rows * share);
  workers.add(row, 'calls', counts.calls * share);
  for (const count of Object.values(counts.errors)) workers.add(row, 'errors', count * share);
  workers.add(row, 'retries', counts.retries * share);
  workers.add(row, 'lostMs', counts.lostMs * share);
  workers.set(row, 'waiting', counts.load?.waiting ?? Number.NaN);
  workers.add(row, 'cpuMs', (health.cpuUserMs + health.cpuSystemMs) * share);
  workers.raise(row, 'eventLoopUtilisation', health.eventLoopUtilisation);
  workers.raise(row, 'rssBytes', health.rssBytes);
  workers.raise(row, 'loopLongestMs', pauses.loopLongestMs);
  workers.add(row, 'noProcessorMs', (pauses.noProcessorMs ?? Number.NaN) * share);
  for (const part of timeParts) workers.add(row, part, processTime[part] * share);
}

/** This histogram of 300 kB receives the seconds one after the other. */
const merged = new Histogram();

function percentilesOf(latencies: readonly string[]): Percentiles {
  merged.reset();
  for (const text of latencies) merged.addEncoded(text);
  const [p50Ms, p95Ms, p99Ms] = percentilesMs(merged, [50, 95, 99]);
  return { timed: merged.count, p50Ms, p95Ms, p99Ms, maxMs: merged.count > 0 ? merged.max / 1e6 : null };
}

function tell(index: number, second: Second) {
  const { workers } = second;
  // Rates use the longest interval in the second, because a worker that finished early did nothing in the rest of it.
  const lengthMs = workers.most('lengthMs');
  const rate = (sum: number) => (lengthMs > 0 ? (sum * 1_000) / lengthMs : 0);
  const edge = (index + 1) * 1_000;
  const noProcessorMs = workers.most('noProcessorMs');
  return {
    atMs: Math.abs(second.endMs - edge) <= 150 ? edge : Math.round(second.endMs),
    rowsPerSecond: rate(workers.sum('rows')),
    callsPerSecond: rate(workers.sum('calls')),
    errorsPerSecond: rate(workers.sum('errors')),
    retriesPerSecond: rate(workers.sum('retries')),
    lostMsPerSecond: rate(workers.sum('lostMs')),
    waiting: workers.sumOfKnown('waiting'),
    clientCores: rate(workers.sum('cpuMs') / 1_000),
    eventLoopUtilisation: workers.most('eventLoopUtilisation'),
    rssBytes: workers.sum('rssBytes'),
    loopLongestMs: workers.most('loopLongestMs'),
    noProcessorMs: Number.isNaN(noProcessorMs) ? null : noProcessorMs,
    clientTime: clientShares([workers.time()]),
  };
}

function build(
  seconds: ReadonlyMap<number, Second>,
  workers: readonly number[],
): Omit<
  TrialSeries,
  | keyof LatencyColumns
  | 'statements'
  | 'probes'
  | 'gauges'
  | 'events'
  | 'foreignLocks'
  | 'probing'
  | 'missing'
  | 'hosts'
  | 'unmeasuredServers'
> {
  const sorted = inOrder(seconds);
  const told = sorted.map(([index, second]) => {
    second.told ??= tell(index, second);
    return second.told;
  });
  const column = <Key extends keyof ToldSecond>(key: Key): ToldSecond[Key][] => told.map((second) => second[key]);
  return {
    atMs: column('atMs'),
    rowsPerSecond: column('rowsPerSecond'),
    callsPerSecond: column('callsPerSecond'),
    errorsPerSecond: column('errorsPerSecond'),
    retriesPerSecond: column('retriesPerSecond'),
    lostMsPerSecond: column('lostMsPerSecond'),
    waiting: column('waiting'),
    clientCores: column('clientCores'),
    eventLoopUtilisation: column('eventLoopUtilisation'),
    rssBytes: column('rssBytes'),
    loopLongestMs: column('loopLongestMs'),
    noProcessorMs: column('noProcessorMs'),
    clientTime: clientTimelines(
      column('clientTime'),
      sorted.map(([, second]) => second),
      workers,
    ),
  };
}

/**
 * The timelines of single workers are made on demand, because a trial of hours has hundreds of thousands of seconds.
 */
function clientTimelines(
  ofAll: ClientTimeline['shares'],
  seconds: readonly Second[],
  workers: readonly number[],
): readonly ClientTimeline[] {
  if (ofAll.every((shares) => shares === null)) return [];
  const each = workers
    .toSorted((a, b) => a - b)
    .map((worker) => ({
      worker,
      get shares() {
        return seconds.map(({ workers: own }) => (own.has(worker) ? clientShares([own.time(worker)]) : null));
      },
    }));
  return [{ worker: null, shares: ofAll }, ...(each.length > 1 ? each : [])];
}

export const emptySeries: TrialSeries = {
  ...build(new Map(), []),
  timed: [],
  p50Ms: [],
  p95Ms: [],
  p99Ms: [],
  maxMs: [],
  statements: [],
  probes: {},
  gauges: {},
  events: {},
  foreignLocks: { samples: 0, named: 0, holders: [] },
  probing: { atMs: [], tookMs: [] },
  missing: [],
  hosts: [],
  unmeasuredServers: [],
};
