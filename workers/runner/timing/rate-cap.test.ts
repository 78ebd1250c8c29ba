import { describe, expect, it } from 'vitest';
import { RateCap } from './rate-cap.ts';

/** The times at which statements may be sent that all want to go at once, in ms. */
const times = (cap: RateCap, statements: number, each = 1): readonly number[] =>
  Array.from({ length: statements }, () => cap.reserve(each, 0));

/** The most of these times within a second. */
const busiest = (all: readonly number[]): number =>
  Math.max(...all.map((from) => all.filter((at) => at >= from && at < from + 1_000).length));

describe('a most of statements in a second', () => {
  it.each([1, 2.5, 7, 100, 1_000])('of %d is kept in every second', (perSecond) => {
    const all = times(new RateCap(perSecond), Math.ceil(perSecond) * 5);
    expect(busiest(all)).toBe(Math.max(1, Math.floor(perSecond)));
    // It is used up.
    expect(all.at(-1)).toBe(1_000 * (Math.ceil(all.length / Math.floor(perSecond)) - 1));
  });

  it('below one makes statements wait longer than a second', () => {
    const [first, second, third] = times(new RateCap(0.1), 3);
    expect(first).toBe(0);
    expect(second).toBeGreaterThanOrEqual(10_000);
    expect(third).toBeGreaterThanOrEqual(20_000);
  });

  it.each([2, 3, 7])('is kept by %d processes together', (processes) => {
    const all = Array.from({ length: processes }, () => times(new RateCap(100, processes), 100)).flat();
    expect(busiest(all)).toBeLessThanOrEqual(100);
    expect(busiest(all)).toBeGreaterThan(100 - processes);
  });

  it('lets all statements of a call go together, as late as the last of them', () => {
    const cap = new RateCap(10);
    expect(cap.reserve(10, 0)).toBe(0);
    expect(cap.reserve(10, 0)).toBeGreaterThanOrEqual(1_000);
  });

  it('gives a statement after a pause its time at once', () => {
    const cap = new RateCap(2);
    times(cap, 4);
    expect(cap.reserve(1, 60_000)).toBe(60_000);
  });
});
