import { describe, expect, it, test } from 'vitest';
import { Sfc32 } from '#stats/random/random.ts';
import { perMs, Sampler } from './sampler.ts';

/** Events at these times: those taken, and what each stands for. */
function taken(timesMs: readonly number[]): readonly { readonly at: number; readonly weight: number }[] {
  const sampler = new Sampler(1);
  return timesMs.flatMap((ms, at) => {
    if (!sampler.next()) return [];
    sampler.take(ms);
    return [{ at, weight: sampler.weight }];
  });
}

const everyMs = (ms: number, count: number) => Array.from({ length: count }, (_, i) => 1_000 + i * ms);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

test('rare events are all taken, each for itself', () => {
  const all = taken(everyMs(2 / perMs, 100));
  expect(all.map(({ at }) => at)).toEqual([...Array(100).keys()]);
  expect(all.every(({ weight }) => weight === 1)).toBe(true);
});

test('so are the parts of rare ones, however close to each other', () => {
  const all = taken(Array.from({ length: 500 }, (_, i) => 1_000 + (Math.floor(i / 5) * 10) / perMs + (i % 5) * 0.01));
  expect(all).toHaveLength(500);
});

test('of frequent ones some are, and stand for all up to themselves', () => {
  const all = taken(everyMs(0.05 / perMs, 80_000));
  const mayBe = 80_000 * 0.05;
  expect(all.length).toBeGreaterThan(mayBe * 0.9);
  expect(all.length).toBeLessThan(mayBe * 1.1);
  expect(sum(all.map(({ weight }) => weight))).toBe(all.at(-1)!.at + 1);
});

test('in between, as many as can be looked at for little', () => {
  const all = taken(everyMs(0.25 / perMs, 80_000));
  expect(all.length).toBeGreaterThan(20_000 * 0.9);
  expect(all.length).toBeLessThan(20_000 * 1.1);
  expect(sum(all.map(({ weight }) => weight))).toBe(all.at(-1)!.at + 1);
});

test('no rhythm is met: every phase of a period is taken as often as the others', () => {
  const phases = Array.from({ length: 8 }, () => 0);
  for (const { at, weight } of taken(everyMs(0.05 / perMs, 80_000))) phases[at % 8]! += weight;
  for (const count of phases) expect(Math.abs(count / 10_000 - 1)).toBeLessThan(0.15);
});

test('costs that differ from event to event add up to their sum', () => {
  const cost = (at: number) => (at % 97 === 0 ? 100 : 1);
  const estimate = sum(taken(everyMs(0.05 / perMs, 200_000)).map(({ at, weight }) => weight * cost(at)));
  const truth = sum(Array.from({ length: 200_000 }, (_, at) => cost(at)));
  expect(Math.abs(estimate / truth - 1)).toBeLessThan(0.1);
});

describe('times of calls that come in stretches', () => {
  const random = new Sfc32(7, 9);
  const exponential = () => -Math.log(1 - random.unit());
  const series: Readonly<Record<string, (at: number) => number>> = {
    'bursts of slow calls': (at) => (Math.floor(at / 500) % 10 === 9 ? 1 + exponential() : 0.03 * (1 + exponential())),
    'long stretches of fast and of slow calls': (at) => (Math.floor(at / 5_000) % 2 === 1 ? 2 : 0.02),
    'a slow call among twenty fast ones': () => (random.unit() < 0.05 ? 5 : 0.05),
    'a heavy tail': () => 0.03 * (1 - random.unit()) ** (-1 / 2.5),
  };
  for (const [name, callMs] of Object.entries(series))
    it(`have the mean of all calls, within 2 %: ${name}`, () => {
      let [truth, estimate, weights, calls] = [0, 0, 0, 0];
      for (let lane = 1; lane <= 80; lane++) {
        const sampler = new Sampler(lane);
        let nowMs = 1_000;
        for (let at = 0; at < 100_000; at++) {
          const ms = callMs(at);
          if (sampler.next(nowMs)) {
            sampler.take(nowMs);
            weights += sampler.inverseChance;
            estimate += sampler.inverseChance * ms;
          }
          truth += ms;
          calls++;
          nowMs += ms;
        }
      }
      expect(Math.abs(weights / calls - 1)).toBeLessThan(0.02);
      expect(Math.abs(estimate / weights / (truth / calls) - 1)).toBeLessThan(0.02);
    });
});
