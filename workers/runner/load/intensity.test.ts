import { expect, test } from 'vitest';
import { placeStages } from '#model/stages.ts';
import { Arrivals } from './arrivals.ts';
import { Intensity, steady } from './intensity.ts';

const stages = placeStages([
  { name: 'ramp', seconds: 10, from: 0, to: 1 },
  { seconds: 5, to: 1 },
  { name: 'pause', seconds: 3, to: 0 },
  { name: 'spike', seconds: 2, to: 3 },
  { name: 'down', seconds: 4, from: 3, to: 0.5 },
]);
const intensity = new Intensity(stages);

/** This is the slow and obvious implementation, in small steps. */
const amountUntil = (endMs: number): number => {
  let sum = 0;
  for (let ms = 0.5; ms < endMs; ms++) sum += intensity.shareAt(ms);
  return sum;
};

test('the time of an amount is when that much has been added up', () => {
  for (const amount of [100, 700, 4_999, 5_001, 9_000, 10_500, 15_000, 20_000, 22_900]) {
    const ms = intensity.timeOf(amount);
    expect(amountUntil(ms) / amount).toBeCloseTo(1, 2);
  }
  expect(intensity.timeOf(0)).toBe(0);
  expect(intensity.timeOf(23_001)).toBe(Number.POSITIVE_INFINITY);
  expect(steady.timeOf(12_345.678)).toBe(12_345.678);
});

test('shares are those of the stage', () => {
  expect([0, 5_000, 12_000, 16_000, 19_000, 22_000].map((ms) => intensity.shareAt(ms))).toEqual([
    0, 0.5, 1, 0, 3, 1.75,
  ]);
  expect(stages.map(({ fromMs }) => intensity.stageAt(fromMs))).toEqual([0, 1, 2, 3, 4]);
});

test('the next time above a share is found, also where the share jumps', () => {
  expect(intensity.nextAbove(0.25, 0)).toBe(2_500);
  expect(intensity.nextAbove(0.25, 7_000)).toBe(7_000);
  expect(intensity.nextAbove(0.25, 15_500)).toBe(18_000);
  expect(intensity.nextAbove(2, 0)).toBe(18_000);
  expect(intensity.nextAbove(3, 0)).toBe(Number.POSITIVE_INFINITY);
});

test.each(['constant', 'poisson'] as const)('arrivals follow the stages (%s)', (arrivals) => {
  const rate = 200;
  const stream = new Arrivals(
    { arrivals, arrivalsPerSecond: rate },
    { worker: 0, workers: 1, connections: 1 },
    5,
    1,
    intensity,
  );
  const counts = stages.map(() => 0);
  for (; stream.nextMs < Number.POSITIVE_INFINITY; stream.take()) counts[intensity.stageAt(stream.nextMs)]!++;
  const expected = stages.map(({ fromMs, toMs, from, to }) => (((from + to) / 2) * rate * (toMs - fromMs)) / 1_000);
  counts.forEach((count, i) => {
    const tolerance = arrivals === 'constant' ? 1 : 5 * Math.sqrt(expected[i]!);
    expect(Math.abs(count - expected[i]!)).toBeLessThanOrEqual(tolerance);
  });
  expect(counts[2]).toBe(0);
});
