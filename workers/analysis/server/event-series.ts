import type { ProbeSample, ServerEvent } from '#engine-api/probe.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import type { EventMark, EventTimeline } from '../run-model/run-model.ts';

/**
 * The most marks of one kind of event in one trial: a chart could not show more as separate marks, and more would need
 * more memory than the rest of the run. The journal has all events.
 */
export const mostMarks = 500;

/** Greatest difference between the beginnings of one event in two samples, including slow answers of a busy server. */
const sameBeginMs = 100;

/** An event on the time axis of its trial. */
interface Placed extends ServerEvent {
  readonly atMs: number;
}

interface Kind {
  marks: EventMark[];
  count: number;
  totalMs: number;
  longestMs: number;
  bytes: number | null;
  readonly durations: Histogram;
}

/**
 * Places the events of a trial's probe samples on its time axis, without events that ended before the measured phase.
 */
export function createEventSeries() {
  const kinds = new Map<string, Kind>();
  let before: { readonly atMs: number; readonly told: readonly Placed[] } | null = null;
  let closed: Readonly<Record<string, EventTimeline>> | null = null;

  return {
    /** `atMs` of the sample, since the measured phase began. */
    add(atMs: number, { events = [] }: ProbeSample): void {
      const told = events
        .filter(isTimed)
        .map((event) => ({ ...event, bytes: event.bytes ?? null, atMs: atMs - event.agoMs }));
      const isRepeat = repeatsOf(before);
      before = { atMs, told };
      for (const event of told) if (!isRepeat(event) && endMs(event) > 0) count(kinds, event);
    },

    /** Frees the memory for further events after the end of the trial. */
    close(): void {
      closed = timelines(kinds);
      kinds.clear();
      before = null;
    },

    series: (): Readonly<Record<string, EventTimeline>> => closed ?? timelines(kinds),
  };
}

/**
 * True if a reader can place and count the event. A server's clock may have been set between two of its own readings.
 */
const isTimed = ({ agoMs, durationMs, sum }: ServerEvent): boolean =>
  Number.isFinite(agoMs) && [durationMs, sum?.count, sum?.totalMs, sum?.spanMs].every(isAmount);
const isAmount = (value = 0): boolean => Number.isFinite(value) && value >= 0;

const endMs = ({ atMs, durationMs, sum }: Placed): number => atMs + (sum?.spanMs ?? durationMs);

/**
 * Recognises events that the previous sample already contained. Servers keep lists of their latest work, and events
 * have no identity. A repeated event ended before the previous sample and equals one of its events in everything that
 * does not depend on the time of the query.
 */
function repeatsOf(before: { readonly atMs: number; readonly told: readonly Placed[] } | null) {
  let begins: Map<string, number[]> | null = null;
  return (event: Placed): boolean => {
    if (before === null || endMs(event) > before.atMs) return false;
    begins ??= beginsByLook(before.told);
    const own = begins.get(look(event)) ?? [];
    const at = own.findIndex((atMs) => Math.abs(atMs - event.atMs) <= sameBeginMs);
    // Each previous event stands for one repeat, because equal events may come in pairs.
    if (at >= 0) own.splice(at, 1);
    return at >= 0;
  };
}

/** A key of the event that does not depend on the time of the query. */
const look = ({ kind, durationMs, bytes, sum }: Placed): string => `${durationMs} ${bytes} ${sum?.count ?? 1} ${kind}`;

function beginsByLook(events: readonly Placed[]): Map<string, number[]> {
  const begins = new Map<string, number[]>();
  for (const event of events) {
    const own = begins.get(look(event));
    if (own) own.push(event.atMs);
    else begins.set(look(event), [event.atMs]);
  }
  return begins;
}

const noEvents = (): Kind => ({
  marks: [],
  count: 0,
  totalMs: 0,
  longestMs: 0,
  bytes: null,
  durations: new Histogram(),
});

function count(kinds: Map<string, Kind>, { kind, atMs, durationMs, bytes, sum }: Placed): void {
  const { count: events, totalMs } = sum ?? { count: 1, totalMs: durationMs };
  const own = kinds.get(kind) ?? noEvents();
  kinds.set(kind, own);
  own.marks.push({
    atMs,
    durationMs,
    bytes,
    sum: sum ? { count: sum.count, spanMs: sum.spanMs } : null,
    count: events,
    totalMs,
    totalBytes: bytes,
  });
  own.count += events;
  own.totalMs += totalMs;
  own.longestMs = Math.max(own.longestMs, durationMs);
  own.bytes = knownSum(own.bytes, bytes);
  if (!sum) own.durations.record(durationMs * 1e6);
  if (own.marks.length >= 2 * mostMarks) own.marks = [...thinned(own.marks, mostMarks)];
}

const timelines = (kinds: ReadonlyMap<string, Kind>): Readonly<Record<string, EventTimeline>> =>
  Object.fromEntries(
    [...kinds].map(([kind, { marks, durations, ...sums }]) => [
      kind,
      {
        ...sums,
        durations: durations.encode(),
        marks: thinned(marks, mostMarks),
      },
    ]),
  );

/**
 * At most `most` marks in order of time. Events that are close together share one mark, at the place of the longest.
 */
export function thinned(marks: readonly EventMark[], most: number): readonly EventMark[] {
  const ordered = marks.toSorted((a, b) => a.atMs - b.atMs);
  if (ordered.length <= most) return ordered;
  const fromMs = ordered[0]!.atMs;
  const slotMs = (ordered.at(-1)!.atMs - fromMs) / most;
  const slots = new Map<number, EventMark>();
  for (const mark of ordered) {
    const slot = slotMs > 0 ? Math.min(most - 1, Math.floor((mark.atMs - fromMs) / slotMs)) : 0;
    const known = slots.get(slot);
    slots.set(slot, known ? joined(known, mark) : mark);
  }
  return [...slots.values()];
}

function joined(a: EventMark, b: EventMark): EventMark {
  return {
    ...(b.durationMs > a.durationMs ? b : a),
    count: a.count + b.count,
    totalMs: a.totalMs + b.totalMs,
    totalBytes: knownSum(a.totalBytes, b.totalBytes),
  };
}

/** The sum of the known values; null if both are unknown. */
export const knownSum = (a: number | null, b: number | null): number | null => (a === null ? b : a + (b ?? 0));
