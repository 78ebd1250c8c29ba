import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteStep, timeStep } from './ticks.ts';

test('bytes have two or three ticks over zero, at powers of two', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 50 }), (top) => {
      const step = byteStep(top);
      expect(Number.isInteger(Math.log2(step))).toBe(true);
      expect([2, 3]).toContain(Math.ceil(top / step));
    }),
  );
});

test('time is divided as clocks divide it', () => {
  const minute = 60_000;
  expect([0.4, 90, 2_000, 10_000, 88_000, 5.8 * minute, 50 * minute, 5 * 60 * minute].map(timeStep)).toEqual([
    0.1,
    20,
    500,
    2_000,
    20_000,
    minute,
    10 * minute,
    60 * minute,
  ]);
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 1e10, noNaN: true }), (span) => {
      expect(span / timeStep(span)).toBeGreaterThanOrEqual(2);
      expect(span / timeStep(span)).toBeLessThanOrEqual(6 + 1e-9);
    }),
  );
});
