import { describe, expect, it } from 'vitest';
import type { Search } from '#experiment/schema/search.ts';
import { median } from '#stats/intervals/summary.ts';
import { type Curve, searchOn as follow } from './search-on-curve.fixture.ts';

const saturation: Search = { find: 'saturation', setting: 'users', from: 1, to: 1_024, relativeStep: 0.05 };
const limit: Search = {
  find: 'limit',
  setting: 'arrivalsPerSecond',
  from: 10,
  to: 10_000,
  relativeStep: 0.05,
};
const knee: Search = { find: 'knee', setting: 'connections', from: 1, to: 128, relativeStep: 0.05 };

/** Rises linearly up to a load, and then stays constant. */
const bent =
  (at: number): Curve =>
  (load, noise) => ({ throughput: 100 * Math.min(load, at) * noise() });

describe('the saturation point', () => {
  it('is found where a rising throughput bends, by doubling, halving the gap, and repeats', () => {
    const { end, order, loads } = follow(saturation, bent(40), { sd: 0 });
    // 95 % of the highest throughput is reached from here on.
    expect(end).toMatchObject({ reason: 'found', answer: { value: 38 } });
    expect(order.slice(0, 9)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256]);
    expect(loads[end.at!]!.load).toBe(38);
    expect(loads.find(({ load }) => load === 38)!.ok).toHaveLength(3);
    expect(order.length).toBeLessThan(9 + 5 + 8);
  });

  it('is found with noise, in an interval that holds it nineteen times in twenty and is not the whole range', () => {
    let held = 0;
    const [values, widths]: [number[], number[]] = [[], []];
    for (let seed = 1; seed <= 100; seed++) {
      const { end, order } = follow(saturation, bent(40), { sd: 0.02, seed });
      expect(end.reason).toBe('found');
      const { value, low, high } = end.answer!;
      values.push(value);
      widths.push(high! / Math.max(1, low));
      expect(order.length).toBeLessThan(60);
      if (low <= 38 && high! >= 38) held++;
    }
    expect(median(values)).toBeGreaterThanOrEqual(38);
    expect(median(values)).toBeLessThanOrEqual(40);
    expect(median(widths)).toBeLessThan(1.5);
    expect(held).toBeGreaterThanOrEqual(95);
  });

  it('is the beginning of what is flat, where throughput falls again later', () => {
    const { end } = follow(saturation, (load, noise) => ({
      throughput: (noise() * 1_000 * load) / (10 + load + 0.001 * load ** 2),
    }));
    expect(end.reason).toBe('found');
    // The highest is at 100 users, 833 a second; 791 are reached at 49.
    expect(end.answer!.value).toBeGreaterThan(35);
    expect(end.answer!.value).toBeLessThan(75);
  });

  it('begins at the lowest load where nothing rises', () => {
    const { end, order } = follow(saturation, (_, noise) => ({ throughput: 500 * noise() }));
    expect(end).toMatchObject({ reason: 'atFrom', answer: { value: 1 } });
    expect(order.length).toBeLessThanOrEqual(12);
  });

  it('is found where the highest load alone brings no more, or less', () => {
    const falls: Curve = (load) => ({ throughput: load <= 400 ? load : 400 - (load - 400) / 2 });
    const { end, order } = follow(saturation, falls, { sd: 0 });
    expect(order.slice(0, 11).at(-1)).toBe(1_024);
    expect(end.reason).toBe('found');
    expect(end.answer!.value).toBeGreaterThan(320);
    expect(end.answer!.value).toBeLessThanOrEqual(410);
  });

  it('is not reached where throughput still rises at the highest load, which is said with its repeats', () => {
    const { end, order } = follow(saturation, bent(5_000));
    expect(end).toMatchObject({ reason: 'notReached', answer: { value: 1_024, low: 1_024, high: null } });
    expect(order.filter((load) => load === 1_024)).toHaveLength(3);
  });

  it('has no interval of single trials', () => {
    const { end } = follow(saturation, bent(40), { repeats: 1 });
    expect(end).toMatchObject({ reason: 'found', answer: { low: 0, high: null } });
  });

  it('ends where trials fail, and says how far it came', () => {
    const { end, order } = follow(saturation, (load) => ({ throughput: load, fails: load > 100 }));
    expect(end).toMatchObject({ reason: 'failed', answer: { value: 64, low: 64, high: null } });
    expect(order.filter((load) => load > 100)).toEqual([128]);
    expect(follow(saturation, () => ({ fails: true })).end).toEqual({
      reason: 'failed',
      answer: null,
      at: null,
      law: null,
    });
  });

  it('leaves out a load whose trial failed on the way to the answer', () => {
    const { end, order } = follow(saturation, (load, noise) => ({
      ...bent(40)(load, noise),
      fails: load === 48 || load === 45,
    }));
    expect(end.reason).toBe('found');
    expect(order.filter((load) => load === 48 || load === 45).length).toBeLessThanOrEqual(2);
  });
});

describe('the limit', () => {
  /** p99 rises as in a queue; from 500 on the server cannot keep up with the rate. */
  const queue: Curve = (load, noise) => ({
    throughput: Math.min(load, 500),
    p99Ms: load < 500 ? (noise() * 5) / (1 - load / 500) : 2_000 * noise(),
    behind: load > 540,
  });

  it('is the highest load whose p99 is within it', () => {
    const { end, loads } = follow(limit, queue, { sd: 0 });
    // 5 ÷ (1 − 375 ÷ 500) is 20 ms.
    expect(end.reason).toBe('found');
    expect(end.answer!.value).toBeLessThanOrEqual(375);
    expect(end.answer!.value).toBeGreaterThan(375 / 1.05);
    expect(end.answer!.low).toBe(end.answer!.value);
    expect(end.answer!.high).toBeGreaterThan(375);
    expect(end.answer!.high).toBeLessThan(375 * 1.05);
    expect(loads[end.at!]!.load).toBe(end.answer!.value);
  });

  it('comes with an interval that holds it, the wider the more p99 scatters', () => {
    let held = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const { end } = follow(limit, queue, { sd: 0.1, seed });
      expect(end.reason).toBe('found');
      const { low, high } = end.answer!;
      if (low <= 375 && (high ?? 1e9) >= 375) held++;
    }
    expect(held).toBeGreaterThanOrEqual(95);
  });

  it('is a step where latency has one, and where a rate is not carried although its calls are quick', () => {
    const step = follow(limit, (load, noise) => ({ p99Ms: noise() * (load > 700 ? 90 : 2) }));
    expect(step.end.answer!.value).toBeGreaterThan(700 / 1.05);
    expect(step.end.answer!.value).toBeLessThanOrEqual(700);
    const carried = follow(limit, (load) => ({ p99Ms: 1, behind: load > 3_000 }));
    expect(carried.end.answer!.value).toBeGreaterThan(3_000 / 1.05);
    expect(carried.end.answer!.value).toBeLessThanOrEqual(3_000);
  });

  it('is looked for downwards where the first load exceeds it', () => {
    const { end, order } = follow({ ...limit, from: 1_000 }, queue, { sd: 0 });
    expect(order.slice(0, 3)).toEqual([1_000, 500, 250]);
    expect(end.reason).toBe('found');
    expect(end.answer!.value).toBeLessThanOrEqual(375);
    expect(end.answer!.value).toBeGreaterThan(375 / 1.05);
    const whole = follow({ ...limit, setting: 'users', from: 8 }, (load) => ({ p99Ms: load > 2 ? 50 : 5 }), { sd: 0 });
    expect(whole.end).toMatchObject({ reason: 'found', answer: { value: 2 } });
  });

  it('is looked for downwards where the first load fails, and everything that fails is said', () => {
    const { end, order } = follow({ ...limit, from: 1_000 }, (load) => ({ p99Ms: 5, fails: load > 300 }));
    expect(order.slice(0, 3)).toEqual([1_000, 500, 250]);
    expect(end).toMatchObject({ reason: 'failed', answer: { value: 250, low: 250, high: null } });
    expect(follow(limit, () => ({ fails: true })).end).toMatchObject({ reason: 'failed', answer: null, at: null });
  });

  it('is below the lowest load where that exceeds it, and at least the highest where nothing does', () => {
    const { end, loads } = follow(limit, () => ({ p99Ms: 50 }));
    expect(end).toMatchObject({ reason: 'atFrom', answer: null, at: 0 });
    expect(loads[0]!.load).toBeCloseTo(10 / 64, 3);
    expect(follow(limit, () => ({ p99Ms: 2 })).end).toMatchObject({ reason: 'notReached', answer: { value: 10_000 } });
  });

  it('goes on where an early outlier was no more than that', () => {
    let first = true;
    const { end } = follow(limit, (load, noise) => {
      const slow = load === 40 && first;
      if (slow) first = false;
      return { ...queue(load, noise), ...(slow ? { p99Ms: 60 } : {}) };
    });
    expect(end.answer!.value).toBeGreaterThan(300);
  });
});

describe('the knee', () => {
  const usl =
    (sigma: number, kappa: number): Curve =>
    (load, noise) => ({ throughput: (noise() * 1_000 * load) / (1 + sigma * (load - 1) + kappa * load * (load - 1)) });

  it('is one ÷ σ of the law, with σ, κ and the peak in intervals', () => {
    const { end, order } = follow(knee, usl(0.1, 0.002), { sd: 0.01 });
    expect(end.reason).toBe('found');
    expect(end.answer!.low).toBeLessThanOrEqual(10);
    expect(end.answer!.high).toBeGreaterThanOrEqual(10);
    // √(0.9 ÷ 0.002) is 21.
    const { load } = end.law!.peak!;
    expect(load.low).toBeLessThanOrEqual(21.3);
    expect(load.high).toBeGreaterThanOrEqual(21.1);
    expect(order.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 32, 64]);
    expect(order.length).toBeLessThan(25);
  });

  it('fills up short ranges to the five loads that the law needs', () => {
    const { end, order } = follow({ ...knee, to: 8 }, usl(0.3, 0.01), { sd: 0.005 });
    expect(new Set(order).size).toBeGreaterThanOrEqual(5);
    expect(end.law!.fit).not.toBeNull();
  });

  it('is not found where nothing contends, nor where the law does not hold', () => {
    expect(follow(knee, (load) => ({ throughput: load * 10 }), { sd: 0 }).end).toMatchObject({
      reason: 'notReached',
      answer: null,
    });
    const broken = follow(knee, (load, noise) => ({ throughput: noise() * (load > 8 ? 300 : 100 * load) }), {
      sd: 0.005,
    });
    expect(broken.end).toMatchObject({ reason: 'noLaw', answer: null });
    expect(broken.end.law!.whyNoFit).toContain('does not fit');
  });

  it('leaves out what measured the client', () => {
    const { end } = follow(knee, (load, noise) => ({ ...usl(0.1, 0.002)(load, noise), saturated: load > 4 }));
    expect(end).toMatchObject({ reason: 'noLaw' });
    expect(end.law!.whyNoFit).toContain('is client-bound');
  });
});
