import { expect, test } from 'vitest';
import { Sfc32 } from '#stats/random/random.ts';
import { Pauses } from './pauses.ts';
import { Slowest } from './slowest.ts';

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

const overlap = (a: Span, b: Span): number => Math.max(0, Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs));

/** The same by sorting all calls, and looking at every pause for each. */
function expected(calls: readonly Span[], pauses: readonly Span[]) {
  const length = ({ startMs, endMs }: Span) => endMs - startMs;
  const slowest = calls.toSorted((a, b) => length(b) - length(a)).slice(0, Math.ceil(calls.length / 100));
  const paused = slowest.map((call) => pauses.reduce((sum, pause) => sum + overlap(call, pause), 0));
  const delayedByPauses = slowest.filter((call, i) => paused[i]! > length(call) / 2);
  return {
    calls: slowest.length,
    ms: slowest.reduce((sum, call) => sum + length(call), 0),
    pausedMs: paused.reduce((sum, ms) => sum + ms, 0),
    delayedByPauses: delayedByPauses.length,
    pauses: pauses.filter((pause) => delayedByPauses.some((call) => overlap(call, pause) > 0)).length,
  };
}

function against(calls: readonly Span[], pauses: readonly Span[]) {
  const slowest = new Slowest();
  const all = new Pauses();
  for (const { startMs, endMs } of calls) slowest.add(startMs, endMs);
  for (const { startMs, endMs } of pauses) all.add(startMs, endMs - startMs);
  return slowest.against(all);
}

const random = new Sfc32(9);
/** Pauses of up to 20 ms, one after the other; and calls, some of them slow by themselves and some by a pause. */
function made(count: number): readonly [readonly Span[], readonly Span[]] {
  const pauses: Span[] = [];
  for (let atMs = 0; atMs < count / 10; ) {
    const startMs = atMs + 200 * random.unit();
    pauses.push({ startMs, endMs: startMs + 20 * random.unit() });
    atMs = pauses.at(-1)!.endMs;
  }
  const calls = Array.from({ length: count }, () => {
    const startMs = (random.unit() * count) / 10;
    const serviceMs = random.unit() + (random.unit() < 0.005 ? 30 * random.unit() : 0);
    const pause = pauses.find((one) => one.endMs > startMs);
    const waitedMs = pause && pause.startMs < startMs + serviceMs ? pause.endMs - startMs : 0;
    return { startMs, endMs: startMs + serviceMs + waitedMs };
  });
  return [calls, pauses];
}

test.each([1, 50, 101, 5_000])('of %i calls it is the slowest hundredth, against every pause', (count) => {
  const [calls, pauses] = made(count);
  const found = against(calls, pauses);
  const slow = expected(calls, pauses);
  expect(found).toEqual({
    ...slow,
    ms: expect.closeTo(slow.ms, 6) as number,
    pausedMs: expect.closeTo(slow.pausedMs, 6) as number,
  });
});

test('of more than are kept, the slowest are', () => {
  const times = Float64Array.from({ length: 1_050_000 }, () => random.unit());
  const slowest = new Slowest();
  for (const ms of times) slowest.add(0, ms);
  const found = slowest.against(new Pauses());
  expect(found).toMatchObject({ calls: 10_000, delayedByPauses: 0, pausedMs: 0, pauses: 0 });
  const sum = times
    .sort()
    .subarray(-10_000)
    .reduce((total, ms) => total + ms, 0);
  expect(found.ms).toBeCloseTo(sum, 6);
});

test('what overlapping pauses share counts once, and without calls there is nothing', () => {
  const call = { startMs: 0, endMs: 10 };
  const twice = [
    { startMs: 2, endMs: 5 },
    { startMs: 4, endMs: 8 },
  ];
  expect(against([call], twice)).toEqual({ calls: 1, ms: 10, pausedMs: 6, delayedByPauses: 1, pauses: 2 });
  expect(against([], twice)).toEqual({ calls: 0, ms: 0, pausedMs: 0, delayedByPauses: 0, pauses: 0 });
});
