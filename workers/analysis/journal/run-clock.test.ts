import { expect, test } from 'vitest';
import { createRunClock } from './run-clock.ts';

test('counts from the start of the run', () => {
  const clock = createRunClock('2026-11-20T08:00:00.000Z');
  expect(clock.at('2026-11-20T08:00:01.500Z')).toBe(1_500);
});

test('leaves out the time between an interruption and the resume', () => {
  const clock = createRunClock('2026-11-20T08:00:00.000Z');
  clock.at('2026-11-20T08:00:10.000Z');
  clock.resume('2026-11-23T12:00:00.000Z');
  expect(clock.at('2026-11-23T12:00:02.000Z')).toBe(12_000);
});

test('does not go back when the machine’s clock does', () => {
  const clock = createRunClock('2026-11-20T08:00:00.000Z');
  clock.at('2026-11-20T08:00:10.000Z');
  expect(clock.at('2026-11-20T07:00:00.000Z')).toBe(10_000);
});
