import { describe, expect, it } from 'vitest';
import type { ProbeSample, ServerEvent } from '#engine-api/probe.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { createEventSeries, thinned } from './event-series.ts';

const sample = (...events: ServerEvent[]): ProbeSample => ({ counters: {}, gauges: {}, unavailable: [], events });
const event = (kind: string, agoMs: number, durationMs: number, bytes: number | null = null): ServerEvent => ({
  kind,
  agoMs,
  durationMs,
  bytes,
});

function timelinesOf(...samples: readonly (readonly [number, ...ServerEvent[]])[]) {
  const series = createEventSeries();
  for (const [atMs, ...events] of samples) series.add(atMs, sample(...events));
  return series.series();
}

describe('events of the server', () => {
  it('stand on the axis of the trial where they began, in order', () => {
    const { flush } = timelinesOf([1_000, event('flush', 300, 40, 4_096), event('flush', 900, 20, 8_192)]);
    expect(flush!.marks.map(({ atMs, durationMs, bytes }) => [atMs, durationMs, bytes])).toEqual([
      [100, 20, 8_192],
      [700, 40, 4_096],
    ]);
    expect(flush).toMatchObject({ count: 2, totalMs: 60, bytes: 12_288 });
  });

  it('are left out if they ended before the measured phase, and count if they extended into it', () => {
    const { flush } = timelinesOf(
      [0, event('flush', 40, 30)],
      [1_000, event('flush', 1_200, 100), event('flush', 1_050, 400)],
    );
    expect(flush!.marks.map(({ atMs }) => atMs)).toEqual([-50]);
    expect(timelinesOf([0, event('flush', 40, 30)])).toEqual({});
  });

  it('count once, although a server reports them again', () => {
    const { sync } = timelinesOf(
      [1_000, event('sync', 500, 30, 10)],
      // The same events with the clocks 7 ms apart, and one new event.
      [2_000, event('sync', 1_507, 30, 10), event('sync', 200, 30, 10)],
      [3_000, event('sync', 2_495, 30, 10), event('sync', 1_200, 30, 10)],
    );
    expect(sync!.marks.map(({ atMs }) => atMs)).toEqual([500, 1_800]);
    expect(sync!.count).toBe(2);
  });

  it('that are equal in all but their time are not taken for repeats', () => {
    // Two repeated events of a pair, then equal events right after the sample.
    const { write } = timelinesOf(
      [1_000, event('write', 20, 1, 4_096), event('write', 10, 1, 4_096)],
      [2_000, event('write', 1_020, 1, 4_096), event('write', 1_010, 1, 4_096), event('write', 995, 1, 4_096)],
    );
    expect(write!.marks.map(({ atMs }) => atMs)).toEqual([980, 990, 1_005]);
    // A late report, but the first one of this event.
    expect(timelinesOf([1_000, event('write', 20, 1)], [2_000, event('write', 1_500, 1)]).write!.count).toBe(2);
    const late = timelinesOf(
      [1_000, event('write', 20, 1, 4)],
      [2_000, event('write', 1_020, 1, 4), event('write', 1_020, 1, 4)],
    );
    expect(late.write!.count).toBe(2);
  });

  it('count by their number over their whole time if the server reports only a sum', () => {
    const sum = { count: 256, totalMs: 120, spanMs: 635 };
    const { write } = timelinesOf([1_000, { ...event('write', 700, 38, 12_000), sum }, event('write', 40, 2, 100)]);
    expect(write).toMatchObject({ count: 257, totalMs: 122, longestMs: 38, bytes: 12_100 });
    expect(Histogram.decode(write!.durations).count).toBe(1);
    expect(write!.marks[0]).toEqual({
      atMs: 300,
      durationMs: 38,
      bytes: 12_000,
      sum: { count: 256, spanMs: 635 },
      count: 256,
      totalMs: 120,
      totalBytes: 12_000,
    });
    // An event that began before the measured phase and extended into it. A repeated report changes nothing.
    const early = { ...event('write', 1_300, 38, 12_000), sum };
    const again = { ...early, agoMs: 2_302 };
    expect(timelinesOf([1_000, early], [2_000, again]).write!.count).toBe(256);
    expect(timelinesOf([1_000, { ...early, sum: { ...sum, spanMs: 200 } }])).toEqual({});
  });

  it('that cannot be placed are not counted', () => {
    const odd = [
      event('x', Number.NaN, 1),
      event('x', 5, Number.POSITIVE_INFINITY),
      event('x', 5, -1),
      { ...event('x', 5, 1), sum: { count: -1, totalMs: 1, spanMs: 1 } },
    ];
    expect(timelinesOf([1_000, ...odd])).toEqual({});
  });

  it('stay exact in number, sum, bytes and longest, however many there are', () => {
    const random = new Sfc32(1, 2);
    const series = createEventSeries();
    const all: ServerEvent[] = [];
    for (let second = 1; second <= 30; second++) {
      const events = Array.from({ length: 700 }, () =>
        event('write', random.unit() * 999, random.unit() * 5, random.below(9_000)),
      );
      all.push(...events);
      series.add(second * 1_000, sample(...events));
    }
    const live = series.series();
    series.close();
    expect(series.series()).toEqual(live);
    const { write } = live;
    const total = (of: (one: ServerEvent) => number) => all.reduce((sum, one) => sum + of(one), 0);
    expect(write!.marks.length).toBeLessThanOrEqual(500);
    expect(write!.count).toBe(all.length);
    expect(write!.totalMs).toBeCloseTo(
      total(({ durationMs }) => durationMs),
      3,
    );
    expect(write!.bytes).toBe(total(({ bytes }) => bytes ?? 0));
    const longest = Math.max(...all.map(({ durationMs }) => durationMs));
    expect(write!.longestMs).toBe(longest);
    expect(Math.max(...write!.marks.map(({ durationMs }) => durationMs))).toBe(longest);
    expect(write!.marks.reduce((sum, { count }) => sum + count, 0)).toBe(all.length);
    expect(write!.marks.reduce((sum, { totalBytes }) => sum + (totalBytes ?? 0), 0)).toBe(write!.bytes);
    expect(Histogram.decode(write!.durations).count).toBe(all.length);
    // Every part of the axis keeps a mark.
    const stretches = new Set(write!.marks.map(({ atMs }) => Math.floor(atMs / 250)));
    expect(stretches.size).toBe(120);
  });
});

describe('thinned marks', () => {
  const marks = Array.from({ length: 10 }, (_, i) => ({
    atMs: i * 10,
    durationMs: i === 3 ? 50 : 1,
    bytes: i === 0 ? null : 5,
    sum: null,
    count: 1,
    totalMs: i === 3 ? 50 : 1,
    totalBytes: i === 0 ? null : 5,
  }));

  it('are the same where there are few, and the longest of neighbours where there are many', () => {
    expect(thinned(marks.toReversed(), 10)).toEqual(marks);
    expect(thinned(marks, 2)).toEqual([
      { atMs: 30, durationMs: 50, bytes: 5, sum: null, count: 5, totalMs: 54, totalBytes: 20 },
      { atMs: 50, durationMs: 1, bytes: 5, sum: null, count: 5, totalMs: 5, totalBytes: 25 },
    ]);
  });

  it('at one moment are one', () => {
    const same = marks.map((mark) => ({ ...mark, atMs: 7 }));
    expect(thinned(same, 3)).toEqual([expect.objectContaining({ atMs: 7, count: 10, durationMs: 50 })]);
  });
});
