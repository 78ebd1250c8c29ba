import { expect, test } from 'vitest';
import { CallSums, callTimeBetween, sumOf } from './call-times.ts';

const nothing = sumOf([], 0);

/** Two of 100 calls were timed, each standing for 50: one of 1 ms and one of 3 ms. */
function sampled() {
  const sums = new CallSums();
  sums.add(50, 0.2, 0.6, 0.2, 0, 1);
  sums.add(50, 0.2, 2.6, 0.2, 0.1, 1);
  return sumOf([sums], 100);
}

test('parts of sampled calls add up to the time that all calls took', () => {
  const time = callTimeBetween(nothing, sampled(), 150)!;
  expect(time.sendMs + time.waitMs + time.receiveMs).toBeCloseTo(150, 9);
  // Sending is a tenth of what was sampled.
  expect(time.sendMs).toBeCloseTo(15, 9);
  expect(time.roundTrips).toBe(100);
  expect(time).toMatchObject({ calls: 100, seen: 2 });
});

test('where that time is not known, each timed call stands for those that it was chosen from', () => {
  const time = callTimeBetween(nothing, sampled(), null)!;
  expect(time.sendMs + time.waitMs + time.receiveMs).toBeCloseTo(200, 9);
});

test('nothing is told of calls of which none was timed', () => {
  expect(callTimeBetween(nothing, sumOf([], 100), 150)).toBeNull();
});
