import type { ProbeInfo } from '#engine-api/probe.ts';
import { probeInfoOf, waitName } from '#engine-api/probe-info.ts';
import { type ResourceClass, resourceClasses } from '#model/resource.ts';
import type { EventMark, TrialView } from '../run-model/run-model.ts';

type Infos = Readonly<Record<string, ProbeInfo>>;
export type ClassTimes = Readonly<Partial<Record<ResourceClass, number>>>;

/**
 * The source of server time by class. timed: differences of the server's own clocks (counters in ms or µs, work that it
 * timed). sampled: the run's sessions, sampled once a second by their work or wait; their mean number × the elapsed
 * time is session time. Average active sessions are estimated in the same way: Shallahamer, Oracle Performance
 * Firefighting (2009); Beresniewicz, "Average Active Sessions" (2007). The error falls with the root of the number of
 * observations.
 */
export type ServerTimeMethod = 'timed' | 'sampled';

/** The time of a server's sessions by class, over one or more trials. */
export interface ServerTime {
  readonly method: ServerTimeMethod;
  /**
   * Session time by class, ms: for n sessions, up to n × the elapsed time. Absent: none was seen, or the server does
   * not report it.
   */
  readonly classMs: ClassTimes;
  readonly totalMs: number;
  /** The parts of the classes by the engine's names, the longest first. */
  readonly parts: readonly ServerTimePart[];
  /**
   * Samples taken within the measured phases, and the sessions in them except those that waited for the client; 0 if
   * time is timed.
   */
  readonly samples: number;
  readonly observations: number;
  /** The observations of each of these samples, by class. */
  readonly seen: readonly ClassTimes[];
}

interface ServerTimePart {
  readonly class: ResourceClass;
  /** Name of the counter, gauge or kind of event. */
  readonly name: string;
  /** The engine's own name of a wait, `running`, or the label of a counter. */
  readonly label: string;
  readonly ms: number;
}

/** Sessions by class over a trial: means over the time before each sample (timed), or sampled values. */
export interface ServerTimeline {
  readonly method: ServerTimeMethod;
  readonly atMs: readonly number[];
  readonly sessions: Readonly<Partial<Record<ResourceClass, readonly number[]>>>;
}

/** A session in one of these waits is idle: its time belongs to the client, or to the network. */
const othersSide: readonly ResourceClass[] = ['client', 'network'];

/**
 * Server time over trials of one cell, or null if the engine reported none. The time is timed if the server also times
 * its processors' work, because its clocks then account for everything. Otherwise it is sampled, because a few timed
 * waits alone would look complete. `connections`: the number of working sessions; other sessions of the run, with which
 * client processes monitor it, wait for their client all the time and are left out.
 */
export function serverTimeOf(
  infos: Infos,
  views: readonly TrialView[],
  connections = Number.POSITIVE_INFINITY,
): ServerTime | null {
  const method = methodOf(infos, views);
  if (method === null) return null;
  const parts = new Map<string, ServerTimePart>();
  for (const view of views)
    for (const part of method === 'timed' ? timedParts(infos, view) : sampledParts(infos, view, connections))
      parts.set(part.name, { ...part, ms: part.ms + (parts.get(part.name)?.ms ?? 0) });
  const seen = [...parts.values()].filter(({ ms }) => ms > 0);
  if (seen.length === 0) return null;
  const classMs: Partial<Record<ResourceClass, number>> = {};
  const each = method === 'timed' ? [] : views.flatMap((view) => observations(infos, view));
  for (const part of seen) classMs[part.class] = (classMs[part.class] ?? 0) + part.ms;
  return {
    method,
    classMs,
    totalMs: seen.reduce((sum, { ms }) => sum + ms, 0),
    parts: seen.toSorted((a, b) => b.ms - a.ms),
    samples: method === 'timed' ? 0 : views.reduce((sum, view) => sum + samplesWithin(view).length, 0),
    observations: sumOf(each.flatMap((one) => Object.values(one))),
    seen: each,
  };
}

/** Server time by class over the seconds of one trial. */
export function serverTimelineOf(
  infos: Infos,
  view: TrialView,
  connections = Number.POSITIVE_INFINITY,
): ServerTimeline | null {
  const method = methodOf(infos, [view]);
  if (method === null) return null;
  return method === 'timed' ? timedTimeline(infos, view) : sampledTimeline(infos, view, connections);
}

/**
 * Shares (0…1) of the server's own time: all classes except waits for the client or the network. Empty: there was none.
 */
export function ownShares({ classMs }: Pick<ServerTime, 'classMs'>): ClassTimes {
  const own = resourceClasses.filter((one) => !othersSide.includes(one) && classMs[one] !== undefined);
  const total = own.reduce((sum, one) => sum + classMs[one]!, 0);
  return total === 0 ? {} : Object.fromEntries(own.map((one) => [one, classMs[one]! / total]));
}

/** With fewer samples, an idle server looks like a server that works half of the time. */
const leastSamples = 5;

/** Mean number of sessions that the server worked for, or delayed, over this many ms. Null with too few samples. */
export function atWork({ method, samples, classMs }: ServerTime, elapsedMs: number): number | null {
  if (elapsedMs <= 0 || (method === 'sampled' && samples < leastSamples)) return null;
  const own = resourceClasses.filter((one) => !othersSide.includes(one));
  return own.reduce((sum, one) => sum + (classMs[one] ?? 0), 0) / elapsedMs;
}

/** Sorted by share, the largest first. */
export const rankedClasses = (shares: ClassTimes): readonly (readonly [ResourceClass, number])[] =>
  resourceClasses.flatMap((one) => (shares[one] ? [[one, shares[one]] as const] : [])).toSorted((a, b) => b[1] - a[1]);

const msPerUnit = ({ unit }: ProbeInfo): number | null => (unit === 'ms' ? 1 : unit === 'us' ? 1e-3 : null);

/** Counters of a server's time, with the activity that they time and the factor to ms. */
function timedCounters<T>(infos: Infos, counters: Readonly<Record<string, T>>) {
  return Object.entries(counters).flatMap(([name, value]) => {
    const info = probeInfoOf(infos, name);
    const scale = info && msPerUnit(info);
    return info?.class === undefined || scale == null
      ? []
      : [{ name, class: info.class, label: info.label, scale, value }];
  });
}

function methodOf(infos: Infos, views: readonly TrialView[]): ServerTimeMethod | null {
  const timed = views.flatMap(({ result, series }) => [
    ...timedCounters<unknown>(infos, result?.probeDelta ?? series.probes).map((one) => one.class),
    ...Object.keys(series.events).flatMap((kind) => probeInfoOf(infos, kind)?.class ?? []),
  ]);
  if (timed.includes('cpu')) return 'timed';
  const isSampled = views.some((view) =>
    Object.keys(view.series.gauges).some((name) => probeInfoOf(infos, name)?.class !== undefined),
  );
  return isSampled ? 'sampled' : timed.length > 0 ? 'timed' : null;
}

const endOf = ({ result, series }: TrialView): number => result?.elapsedMs ?? series.atMs.at(-1) ?? 0;

/**
 * Times of the samples within the measured phase: sessions had not started in the sample before it, and were finished
 * in the sample after it.
 */
function samplesWithin(view: TrialView): readonly number[] {
  const moments = Object.values(view.series.gauges)[0]?.atMs ?? [];
  return moments.filter((ms) => ms > 0 && ms <= endOf(view));
}

/**
 * Gauges with a class, sampled within the measured phase; of the sessions that wait for the client only those that may
 * have work.
 */
function classGauges(infos: Infos, view: TrialView, connections = Number.POSITIVE_INFINITY) {
  const all = everyClassGauge(infos, view);
  const working = (i: number) => sumOf(all.map(({ class: of, seen }) => (of === 'client' ? 0 : seen[i]!)));
  const waiting = (i: number) => sumOf(all.map(({ class: of, seen }) => (of === 'client' ? seen[i]! : 0)));
  return all.map((one) => {
    if (one.class !== 'client') return one;
    const seen = one.seen.map((value, i) => {
      const most = Math.max(0, connections - working(i));
      return waiting(i) <= most ? value : (value * most) / waiting(i);
    });
    return { ...one, seen };
  });
}

function everyClassGauge(infos: Infos, view: TrialView) {
  const endMs = endOf(view);
  return Object.entries(view.series.gauges).flatMap(([name, { atMs, values }]) => {
    const info = probeInfoOf(infos, name);
    if (info?.class === undefined) return [];
    const seen = values.filter((_, i) => atMs[i]! > 0 && atMs[i]! <= endMs);
    return seen.length === 0 ? [] : [{ name, class: info.class, label: waitName(name) ?? name, seen }];
  });
}

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

function sampledParts(infos: Infos, view: TrialView, connections: number): readonly ServerTimePart[] {
  return classGauges(infos, view, connections).map(({ name, class: of, label, seen }) => ({
    name,
    class: of,
    label,
    ms: (sumOf(seen) / seen.length) * endOf(view),
  }));
}

/**
 * The waits in which sessions of the run were seen, over trials of one cell, without waits for the client's next call.
 * Empty: the server does not report waits, or no session waited.
 */
export function sampledWaits(
  infos: Infos,
  views: readonly TrialView[],
  connections = Number.POSITIVE_INFINITY,
): readonly ServerTimePart[] {
  const parts = views.flatMap((view) =>
    sampledParts(infos, view, connections).filter(
      ({ name, class: of, ms }) => waitName(name) !== undefined && of !== 'client' && ms > 0,
    ),
  );
  return [...Map.groupBy(parts, ({ name }) => name).values()].map((own) => ({
    ...own[0]!,
    ms: sumOf(own.map(({ ms }) => ms)),
  }));
}

/**
 * Sessions of the run in lock waits, summed over the samples within the measured phases. Null: the server does not
 * report waits.
 */
export function lockObservations(infos: Infos, views: readonly TrialView[]): number | null {
  const gauges = views.flatMap((view) => everyClassGauge(infos, view));
  return gauges.length === 0 ? null : sumOf(gauges.flatMap(({ class: of, seen }) => (of === 'lock' ? seen : [])));
}

/** Sampled session time in lock waits, ms, even if the server's clocks contain it. */
export const sampledLockMs = (infos: Infos, views: readonly TrialView[]): number =>
  sumOf(
    views.flatMap((view) =>
      sampledParts(infos, view, Number.POSITIVE_INFINITY).flatMap(({ class: of, ms }) => (of === 'lock' ? ms : [])),
    ),
  );

/** Sessions in each of a trial's samples, by class, except those that waited for the client or the network. */
function observations(infos: Infos, view: TrialView): readonly ClassTimes[] {
  const each = samplesWithin(view).map((): Partial<Record<ResourceClass, number>> => ({}));
  for (const { class: of, seen } of classGauges(infos, view))
    if (!othersSide.includes(of))
      seen.forEach((value, i) => {
        each[i]![of] = (each[i]![of] ?? 0) + value;
      });
  return each;
}

function timedParts(infos: Infos, { result, series }: TrialView): readonly ServerTimePart[] {
  const counters = timedCounters(infos, result?.probeDelta ?? {}).map(({ scale, value: delta, ...counter }) => ({
    ...counter,
    ms: Math.max(0, delta) * scale,
  }));
  const events = Object.entries(series.events).flatMap(([name, { totalMs }]) => {
    const info = probeInfoOf(infos, name);
    return info?.class === undefined ? [] : [{ name, class: info.class, label: info.label, ms: totalMs }];
  });
  return [...counters, ...events];
}

function sampledTimeline(infos: Infos, view: TrialView, connections: number): ServerTimeline | null {
  const atMs = samplesWithin(view);
  if (atMs.length === 0) return null;
  const sessions: Partial<Record<ResourceClass, number[]>> = {};
  for (const { class: of, seen } of classGauges(infos, view, connections)) {
    sessions[of] = (sessions[of] ?? atMs.map(() => 0)).map((sum, i) => sum + seen[i]!);
  }
  return { method: 'sampled', atMs, sessions };
}

function timedTimeline(infos: Infos, { series }: TrialView): ServerTimeline | null {
  const counters = timedCounters(infos, series.probes);
  const events = Object.entries(series.events).flatMap(([kind, { marks }]) => {
    const of = probeInfoOf(infos, kind)?.class;
    return of === undefined ? [] : [{ class: of, marks }];
  });
  // If the server has no counters except those of its work, the samples of other probes give the seconds.
  const timelines = counters.length > 0 ? counters.map(({ value }) => value) : Object.values(series.probes);
  const moments = timelines.flatMap(({ atMs }) => atMs);
  const atMs = [...new Set(moments)].toSorted((a, b) => a - b);
  if (atMs.length === 0) return null;
  const sessions: Partial<Record<ResourceClass, number[]>> = {};
  const own = (of: ResourceClass): number[] => {
    sessions[of] ??= atMs.map(() => 0);
    return sessions[of];
  };
  const places = new Map(atMs.map((ms, i) => [ms, i]));
  for (const { class: of, scale, value } of counters)
    value.atMs.forEach((ms, i) => {
      own(of)[places.get(ms)!]! += (value.perSecond[i]! * scale) / 1_000;
    });
  for (const { class: of, marks } of events) for (const mark of marks) spread(mark, atMs, own(of));
  return { method: 'timed', atMs, sessions };
}

/** Assigns an event's time to the seconds in which it was spent, without the part beyond the axis. */
function spread({ atMs, durationMs, totalMs, sum }: EventMark, moments: readonly number[], into: number[]): void {
  const lengthMs = Math.max(sum?.spanMs ?? durationMs, 1e-3);
  moments.forEach((toMs, i) => {
    const fromMs = moments[i - 1] ?? 0;
    const within = Math.min(toMs, atMs + lengthMs) - Math.max(fromMs, atMs);
    if (within > 0) into[i]! += (totalMs * within) / lengthMs / (toMs - fromMs);
  });
}
