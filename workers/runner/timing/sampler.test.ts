import { expect, test } from 'vitest';
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
