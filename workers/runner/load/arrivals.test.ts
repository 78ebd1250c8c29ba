import { expect, test } from 'vitest';
import { type ArrivalShare, Arrivals } from './arrivals.ts';

const alone: ArrivalShare = { worker: 0, workers: 1, connections: 1 };

/** Returns the times of all arrivals before this many ms. */
function before(endMs: number, arrivals: Arrivals): readonly number[] {
  const times: number[] = [];
  for (; arrivals.nextMs < endMs; arrivals.take()) times.push(arrivals.nextMs);
  return times;
}

test.each([0.3, 1, 7.25, 1_234.5, 5_000])('constant arrivals keep to a rate of %d exactly', (arrivalsPerSecond) => {
  const times = before(1_000_000, new Arrivals({ arrivals: 'constant', arrivalsPerSecond }, alone, 1, 1));
  expect(times).toHaveLength(Math.ceil(1_000 * arrivalsPerSecond));
  expect(times.at(-1)).toBe(((times.length - 1) * 1_000) / arrivalsPerSecond);
});

test('distances of Poisson arrivals are exponential (Kolmogorov and Smirnov)', () => {
  const arrivalsPerSecond = 250.5;
  const times = before(80_000, new Arrivals({ arrivals: 'poisson', arrivalsPerSecond }, alone, 42, 1));
  const gaps = times.map((time, i) => time - (times[i - 1] ?? 0)).sort((a, b) => a - b);
  const distance = Math.max(
    ...gaps.map((gap, i) => {
      const expected = 1 - Math.exp((-gap * arrivalsPerSecond) / 1_000);
      return Math.max(expected - i / gaps.length, (i + 1) / gaps.length - expected);
    }),
  );
  // This is the critical value at 1 %.
  expect(distance).toBeLessThan(1.63 / Math.sqrt(gaps.length));
});

test('counts of Poisson arrivals in a second scatter as much as they are on average', () => {
  const seconds = 4_000;
  const counts = Array.from({ length: seconds }, () => 0);
  for (const time of before(seconds * 1_000, new Arrivals({ arrivals: 'poisson', arrivalsPerSecond: 20 }, alone, 7, 1)))
    counts[Math.floor(time / 1_000)]!++;
  const mean = counts.reduce((sum, count) => sum + count, 0) / seconds;
  const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / (seconds - 1);
  // The tolerance is five standard errors.
  expect(Math.abs(mean - 20)).toBeLessThan(5 * Math.sqrt(20 / seconds));
  expect(Math.abs(variance / 20 - 1)).toBeLessThan(5 * Math.sqrt(2 / seconds));
});

test.each(['constant', 'poisson'] as const)('the shares of all workers are the arrivals of one (%s)', (arrivals) => {
  const rate = { arrivals, arrivalsPerSecond: 123.4 };
  const shares = [0, 1, 2].map((worker) =>
    before(30_000, new Arrivals(rate, { worker, workers: 3, connections: 7 }, 9, 1)),
  );
  const all = before(30_000, new Arrivals(rate, alone, 9, 1));
  expect(shares.flat().sort((a, b) => a - b)).toEqual(all);
  // Connections 0 … 6 of 3 workers: 3, 2 and 2.
  expect(shares.map((share) => Math.round((share.length / all.length) * 7))).toEqual([3, 2, 2]);
});

test('the same seed gives the same arrivals, another one others', () => {
  const of = (seed: number) =>
    before(1_000, new Arrivals({ arrivals: 'poisson', arrivalsPerSecond: 50 }, alone, seed, 1));
  expect(of(3)).toEqual(of(3));
  expect(of(3)).not.toEqual(of(4));
});
