import { expect, test } from 'vitest';
import { Link, type NetworkShape } from './link.ts';

const link = (shape: Partial<NetworkShape>, lane = 0) =>
  new Link({ roundTripMs: 0, jitterMs: 0, mbit: 0, seed: 7, ...shape }, lane);

test('half of the round trip is added each way, whatever the size', () => {
  const one = link({ roundTripMs: 5 });
  expect(one.arrival(1_000, 1)).toBe(1_002.5);
  expect(one.arrival(1_000, 1_000_000)).toBe(1_002.5);
});

test('jitter is between none and half of it each way, evenly, and the same for the same seed and direction', () => {
  const draw = (lane: number) => {
    const one = link({ roundTripMs: 10, jitterMs: 4 }, lane);
    return Array.from({ length: 10_000 }, () => one.arrival(0, 100) - 5);
  };
  const drawn = draw(0);
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...drawn)).toBeLessThan(2);
  // The mean of 10,000 even draws from 0…2 has a standard deviation of 2 / √12 / 100 = 0.0058.
  expect(drawn.reduce((sum, ms) => sum + ms, 0) / drawn.length).toBeCloseTo(1, 1);
  expect(draw(0)).toEqual(drawn);
  expect(draw(1)).not.toEqual(drawn);
});

test('a limit makes data wait for what was sent before, and an idle link saves nothing up', () => {
  const one = link({ mbit: 8 }); // 1,000 bytes a millisecond
  expect(one.arrival(0, 5_000)).toBe(5);
  expect(one.arrival(0, 1_000)).toBe(6);
  expect(one.arrival(1, 1_000)).toBe(7);
  expect(one.arrival(100, 1_000)).toBe(101);
});

test('what may be under way follows bandwidth × delay, within bounds', () => {
  expect(link({ roundTripMs: 50 }).windowBytes).toBe(4 * 2 ** 20);
  expect(link({ roundTripMs: 100, mbit: 8 }).windowBytes).toBe(200_000);
  expect(link({ mbit: 0.01 }).windowBytes).toBe(65_536);
});

test('parts are a millisecond of a slow link, and no smaller than a packet', () => {
  expect(link({}).partBytes).toBe(Infinity);
  expect(link({ mbit: 100 }).partBytes).toBe(12_500);
  expect(link({ mbit: 1 }).partBytes).toBe(1_448);
});
