import { expect, test } from 'vitest';
import { Sfc32 } from '#stats/random/random.ts';
import { createSessionLengths, createThinkTimes } from './think-times.ts';

const draws = 200_000;

function moments(draw: () => number): { readonly mean: number; readonly deviation: number; readonly least: number } {
  const values = Array.from({ length: draws }, draw);
  const mean = values.reduce((sum, value) => sum + value, 0) / draws;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / draws;
  return { mean, deviation: Math.sqrt(variance), least: values.reduce((a, b) => Math.min(a, b)) };
}

test.each([
  ['constant', 0],
  ['uniform', 1 / Math.sqrt(3)],
  ['exponential', 1],
  ['logNormal', 1],
] as const)('%s think times have the mean that was set, and their own deviation', (thinkTime, deviation) => {
  const found = moments(createThinkTimes({ thinkTime, thinkMs: 80 }, new Sfc32(11)));
  expect(found.mean / 80).toBeCloseTo(1, 1.7);
  expect(found.deviation / 80).toBeCloseTo(deviation, 1);
  expect(found.least).toBeGreaterThanOrEqual(0);
});

test('geometric sessions have the mean that was set, and one unit at least', () => {
  const found = moments(createSessionLengths({ unitsPerSession: 4.5, sessionLength: 'geometric' }, new Sfc32(3)));
  expect(found.mean).toBeCloseTo(4.5, 1);
  expect(found.deviation).toBeCloseTo(Math.sqrt(4.5 * 3.5), 1);
  expect(found.least).toBe(1);
  expect(moments(createSessionLengths({ unitsPerSession: 3, sessionLength: 'constant' }, new Sfc32(3)))).toEqual({
    mean: 3,
    deviation: 0,
    least: 3,
  });
});
