import { describe, expect, test } from 'vitest';
import { Sfc32 } from '#stats/random/random.ts';
import { Phase } from './phase.ts';

const connections = 2;
const trials = 2_000;

/** Simulates closed loops with calls of this many ms that the clock ends after a quarter of a second. */
function made(nextMs: () => number) {
  const phase = new Phase(0.25);
  let endedBeforeMs = 0;
  let before = 0;
  for (let line = 0; line < connections; line++) {
    let at = phase.startMs;
    while (at < phase.deadlineMs) {
      const start = at;
      at += nextMs();
      phase.succeeded(start, at, 1);
      if (at > phase.deadlineMs) continue;
      before++;
      endedBeforeMs = Math.max(endedBeforeMs, at - phase.startMs);
    }
    phase.lineEnded(at);
  }
  const { count, ms } = phase.lines!;
  return { calls: phase.counts.calls, ms: ms / count, before, endedBeforeMs };
}

/** A. Wald, "On Cumulative Sums of Random Variables", 1944: E[S_N] = E[N] · E[L], with call N under way at the end. */
describe('the rate of closed loops that the clock ends is that of their calls', () => {
  test.each<[string, (unit: () => number) => number, number]>([
    ['8 ms each', () => 8, 8],
    ['400 ms each, longer than the phase', () => 400, 400],
    ['6 ms, one in fifty a stall of 200 ms', (unit) => (unit() < 0.02 ? 200 : 6), 0.98 * 6 + 0.02 * 200],
    ['exponential, 20 ms', (unit) => -20 * Math.log(1 - unit()), 20],
  ])('%s', (name, nextMs, meanMs) => {
    const random = new Sfc32(3);
    const all = Array.from({ length: trials }, () => made(() => nextMs(() => random.unit())));
    const total = (value: (one: (typeof all)[number]) => number) => all.reduce((sum, one) => sum + value(one), 0);
    const share = (calls: number, ms: number) => ((calls / ms) * meanMs) / connections;
    const own = share(
      total(({ calls }) => calls),
      total(({ ms }) => ms),
    );
    const inTime = share(
      total(({ before }) => before),
      total(({ endedBeforeMs }) => endedBeforeMs),
    );
    console.log(`${name}: ${own.toFixed(3)} of the true rate; ${inTime.toFixed(3)} by the calls that end in time`);
    expect(own).toBeGreaterThan(0.985);
    expect(own).toBeLessThan(1.015);
  });
});
