import { expect, test } from 'vitest';
import { heatSteps, luminanceOf } from './heat-colour.ts';
import { dotScaleOf, exactly, scaleOf } from './scale.ts';

const exact = (value: number) => ({ value, low: null, high: null });

test('bars begin at zero, and lengths are as the values', () => {
  const scale = scaleOf([exact(10), exact(40)]);
  expect(scale.isLog).toBe(false);
  expect(scale.shareOf(0)).toBe(0);
  expect(scale.shareOf(40) / scale.shareOf(10)).toBeCloseTo(4);
});

test('values that differ by more than 100 times stand on a log axis, which has no zero', () => {
  expect(scaleOf([exact(1), exact(100)]).isLog).toBe(false);
  const scale = scaleOf([exact(1), exact(1_000), exact(10)]);
  expect(scale.isLog).toBe(true);
  expect(scale.ticks.every((tick) => tick > 0)).toBe(true);
  expect(scale.shareOf(1_000) - scale.shareOf(100)).toBeCloseTo(scale.shareOf(100) - scale.shareOf(10));
});

test('an interval far longer than every bar is cut off', () => {
  const scale = scaleOf([{ value: 10, low: 1, high: 1_000 }]);
  expect(scale.shareOf(10)).toBeGreaterThan(0.5);
  expect(scale.shareOf(1_000)).toBe(1);
  expect([0, 1, 10, 1_000].map(scale.holds)).toEqual([true, true, true, false]);
});

test.each(['light', 'dark'] as const)('text on every colour of a %s heat map has a contrast of 4.5', (theme) => {
  for (const { fill, text } of heatSteps(theme)) {
    const [r, g, b] = fill.match(/[0-9a-f]{2}/g)!.map((part) => Number.parseInt(part, 16));
    const luminances = [luminanceOf([r!, g!, b!]), text === '#ffffff' ? 1 : 0];
    expect((Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05)).toBeGreaterThanOrEqual(4.5);
  }
});

test('an axis of bytes has ticks at powers of two, also where all values lie between two of them', () => {
  expect(scaleOf([exact(300_000), exact(400_000)], 'log2').ticks).toEqual([2 ** 18, 2 ** 19]);
  expect(scaleOf([exact(1), exact(2 ** 20)], 'log2').ticks.every((tick) => Number.isInteger(Math.log2(tick)))).toBe(
    true,
  );
});

test('an axis of dots begins near the lowest value, yet leaves noise of one percent small', () => {
  const noise = dotScaleOf(exactly([99, 100, 101]));
  expect(noise.shareOf(101) - noise.shareOf(99)).toBeLessThan(0.15);
  const step = dotScaleOf(exactly([100, 140]));
  expect(step.shareOf(140) - step.shareOf(100)).toBeGreaterThan(0.7);
  expect(step.ticks.length).toBeGreaterThan(1);
  expect(step.ticks.every((tick) => step.holds(tick))).toBe(true);
  // The interval of two repeats may be far longer than all differences.
  const long = dotScaleOf([{ value: 100, low: 1, high: 900 }, ...exactly([140])]);
  expect(long.holds(900)).toBe(false);
  expect(long.shareOf(140) - long.shareOf(100)).toBeGreaterThan(0.2);
  expect(dotScaleOf(exactly([1, 100])).isLog).toBe(true);
  expect(dotScaleOf(exactly([0, 0])).ticks.length).toBeGreaterThan(0);
});
