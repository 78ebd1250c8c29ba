import type { ProbeInfo, ServerEvent } from '#engine-api/probe.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { Sfc32 } from '#stats/random/random.ts';

/**
 * A server that reports the work of a document store on one journal: many short journal writes, a flush of the data
 * every few seconds, an occasional sync; only for tests. The same journal gives the same events.
 */

interface Kind {
  readonly kind: string;
  readonly everyMs: number;
  /** Median, around which the drawn values scatter. */
  readonly durationMs: number;
  readonly bytes: number | null;
}

const eventKinds: readonly Kind[] = [
  { kind: 'JournalWrite', everyMs: 90, durationMs: 1.8, bytes: 262_144 },
  { kind: 'DataFlush', everyMs: 2_900, durationMs: 120, bytes: 25_165_824 },
  { kind: 'DataSync', everyMs: 6_500, durationMs: 340, bytes: null },
];

const words: Readonly<Record<string, ProbeInfo>> = {
  JournalWrite: { unit: 'ms', label: 'Journal write' },
  DataFlush: { unit: 'ms', label: 'Data flush' },
  DataSync: { unit: 'ms', label: 'Data sync' },
};

/** No event of the fixture takes longer. */
const longestMs = 4_000;

/**
 * The same journal with events in every probe of `target`. `rate`: factor for their number. `listed`: above this number
 * between two samples, the server reports only sums.
 */
export function* withServerEvents(
  journal: Iterable<JournalRecord>,
  target = 'PostgreSQL',
  rate = 1,
  listed = Number.POSITIVE_INFINITY,
): Generator<JournalRecord> {
  const own = new Set<number>();
  const since = new Map<number, number>();
  for (const record of journal) {
    if (record.record === 'header')
      for (const trial of record.plan.trials) if (trial.target === target) own.add(trial.number);
    if (record.record === 'target' && record.target.name === target)
      yield { ...record, target: { ...record.target, probeInfo: { ...record.target.probeInfo, ...words } } };
    else if (record.record === 'probe' && own.has(record.trial)) {
      const all = eventsBetween(record.trial, since.get(record.trial) ?? 0, record.atMs, rate);
      const events = eventKinds.flatMap(({ kind }) =>
        summedUp(
          all.filter((one) => one.kind === kind),
          listed,
        ),
      );
      since.set(record.trial, record.atMs);
      yield { ...record, sample: { ...record.sample, events } };
    } else yield record;
  }
}

/** The events that ended after `fromMs` and until `toMs`: servers report work after its end. */
function eventsBetween(trial: number, fromMs: number, toMs: number, rate: number): readonly ServerEvent[] {
  return eventKinds.flatMap(({ kind, everyMs, durationMs: median, bytes }, k) => {
    const spacingMs = everyMs / rate;
    const first = Math.max(0, Math.floor((fromMs - longestMs) / spacingMs));
    const places = Array.from({ length: Math.max(0, Math.ceil(toMs / spacingMs) - first) }, (_, i) => first + i);
    return places.flatMap((place) => {
      const random = new Sfc32(trial * 31 + k, place);
      const scatter = Math.exp(random.unit() + random.unit() + random.unit() - 1.5);
      const slow = kind === 'JournalWrite' && random.below(60) === 0 ? 18 : 1;
      const durationMs = Math.round(median * scatter * slow * 100) / 100;
      const endMs = place * spacingMs + durationMs;
      if (endMs <= fromMs || endMs > toMs) return [];
      const size = bytes === null ? null : Math.round((bytes * scatter) / 4_096) * 4_096;
      return [{ kind, agoMs: toMs - place * spacingMs, durationMs, bytes: size }];
    });
  });
}

/** Every full list as one sum, and the events since. */
function summedUp(events: readonly ServerEvent[], listed: number): readonly ServerEvent[] {
  const [first] = events;
  if (first === undefined || events.length < listed) return events;
  const all = events.slice(0, listed);
  const total = (of: (event: ServerEvent) => number) => all.reduce((sum, event) => sum + of(event), 0);
  const sum: ServerEvent = {
    kind: first.kind,
    agoMs: first.agoMs,
    durationMs: Math.max(...all.map(({ durationMs }) => durationMs)),
    bytes: first.bytes === null ? null : total(({ bytes }) => bytes ?? 0),
    sum: {
      count: all.length,
      totalMs: total(({ durationMs }) => durationMs),
      spanMs: first.agoMs - Math.min(...all.map(({ agoMs, durationMs }) => agoMs - durationMs)),
    },
  };
  return [sum, ...summedUp(events.slice(listed), listed)];
}
