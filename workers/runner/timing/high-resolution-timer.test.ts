import { expect, test } from 'vitest';
import { openHighResolutionTimer } from './high-resolution-timer.ts';

test('a timer expires once, not before its time, and a later setting replaces an earlier one', async () => {
  await using timer = await openHighResolutionTimer();
  const expiries: number[] = [];
  timer.onExpiry = () => expiries.push(performance.now());
  const startMs = performance.now();
  timer.setAt(startMs + 1_000);
  timer.setAt(startMs + 20.5);
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(expiries.length).toBe(1);
  expect(expiries[0]).toBeGreaterThanOrEqual(startMs + 20.5);
});
