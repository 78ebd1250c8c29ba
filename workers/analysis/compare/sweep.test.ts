import { describe, expect, it } from 'vitest';
import { fitSweep } from '#planning/search/fit-sweep.ts';
import {
  coefficientsText,
  formatUsers,
  kneeText,
  leftOutText,
  peakText,
  sweepHeadlines,
} from '#presentation/text/sweep-text.ts';
import { throughputAt } from '#stats/fits/usl.ts';
import { exampleLaw, type SweepFixture, sweepModel } from './sweep.fixture.ts';
import { sweepsOf } from './sweep.ts';

const loads = [1, 2, 4, 8, 16, 32];
const sweepOf = (fixture: Partial<SweepFixture> = {}, target = 'PostgreSQL') =>
  sweepsOf(sweepModel({ loads, ...fixture })).find((one) => one.target === target && one.others.method === 'prepared')!;

describe('a sweep over connections', () => {
  it('is one for each target and combination of the other factors, with its points in order', () => {
    const all = sweepsOf(sweepModel({ loads: [8, 1, 4, 2, 16], repeats: 2 }));
    expect(all.map(({ target, label }) => `${target} ${label}`)).toContain('SQLite multiRow');
    expect(all).toHaveLength(8); // bulk is skipped on SQLite
    const [first] = all;
    expect(first!.points.map(({ load }) => load)).toEqual([1, 2, 4, 8, 16]);
    expect(first!.points.every(({ repeats, p50Ms }) => repeats.length === 2 && p50Ms !== null)).toBe(true);
  });

  it('is not judged where users pause in the steps of scenarios', () => {
    const model = sweepModel({ loads: [1, 2, 4, 8, 16] });
    const clerk = { steps: ['look', { thinkMs: 100, thinkTime: 'constant' as const }], parameters: {}, users: 1 };
    const experiment = { ...model.plan.experiment, scenarios: { clerk } };
    const [sweep] = sweepsOf({ ...model, plan: { ...model.plan, experiment } });
    expect(sweep).toMatchObject({ fit: null, whyNoFit: expect.stringContaining('pause in the steps') as string });
  });

  it('is not judged where the calls of a load returned other rows', () => {
    const model = sweepModel({ loads: [1, 2, 4, 8, 16] });
    const [{ variant, target }] = model.cells as readonly [(typeof model.cells)[number]];
    const nothing = { kind: 'foundNothing', isRead: true, calls: 9, rowsPerCall: 0, elsewhere: null } as const;
    const cells = model.cells.map((cell) =>
      cell.variant === variant && cell.target === target
        ? { ...cell, rowProblems: [{ ...nothing, statement: 'look' }] }
        : cell,
    );
    const judged = sweepsOf({ ...model, cells }).filter(
      ({ whyNoFit }) => !whyNoFit?.startsWith('Its calls found nothing'),
    );
    expect(judged).toHaveLength(sweepsOf(model).length - 1);
  });

  it('finds the law that the throughput follows, its knee and its peak', () => {
    const { fit, knee, peak, whyNoFit, highestLoad } = sweepOf();
    expect(whyNoFit).toBeNull();
    expect(highestLoad).toBe(32);
    expect(fit!.sigma / exampleLaw.sigma).toBeGreaterThan(0.5);
    expect(fit!.sigma / exampleLaw.sigma).toBeLessThan(1.5);
    const at = Math.sqrt((1 - exampleLaw.sigma) / exampleLaw.kappa);
    expect(peak).toMatchObject({ kind: 'measured', retrograde: true });
    expect(peak!.load.low).toBeLessThan(at * 1.02);
    expect(peak!.load.high).toBeGreaterThan(at * 0.98);
    // 1 ÷ 0.06 = 16.7 lies beyond the peak at 15.3.
    expect(knee === null || knee.value < peak!.load.value).toBe(true);
  });

  it('has a knee where contention flattens it before it falls', () => {
    const one = sweepOf({ truth: { lambda: 10_000, sigma: 0.2, kappa: 0.0008 } });
    expect(one.knee!.low).toBeLessThan(5.2);
    expect(one.knee!.high).toBeGreaterThan(4.8);
    expect(kneeText(one)).toMatch(/^About half of the ceiling .* is reached at 5 \(\d–\d\) connections\.$/);
  });

  it('calls a peak beyond the loads extrapolated, and one beyond twice the highest not at all', () => {
    const near = sweepOf({ loads: [1, 2, 4, 6, 8], truth: { lambda: 1e4, sigma: 0.05, kappa: 0.008 }, noise: 0.001 });
    expect(near.peak).toMatchObject({ kind: 'extrapolated', retrograde: false });
    expect(peakText(near)).toMatch(/^extrapolated beyond the 8 connections measured/);
    expect(near.curve.at(-1)!.load).toBeCloseTo(near.peak!.load.value, 6);
    const far = sweepOf({ truth: { lambda: 1e4, sigma: 0.02, kappa: 0 }, noise: 0.005 });
    expect(far.peak).toBeNull();
    expect(peakText(far)).toBe(
      'according to the curve, throughput still rises at 32 connections, and there is no peak up to 64.',
    );
    expect(far.curve.at(-1)!.load).toBe(64);
  });

  it('has a band around its curve at every load', () => {
    const { curve, points } = sweepOf();
    for (const { load } of points) expect(curve.some((one) => one.load === load)).toBe(true);
    for (const { throughput } of curve) {
      expect(throughput.low!).toBeLessThanOrEqual(throughput.value);
      expect(throughput.high!).toBeGreaterThanOrEqual(throughput.value);
    }
  });
});

it('explains that a peak without an upper bound is not shown', () => {
  const law = { lambda: 10_000, sigma: 0.1, kappa: 0.001 };
  const points = loads.map((load) => ({
    ...sweepOf().points[0]!,
    load,
    repeats: [0.88, 1.12].map((factor, i) => ({
      trial: i + 1,
      repeat: i + 1,
      throughput: factor * throughputAt(law, load),
      saturated: false,
      users: null,
    })),
  }));
  const found = { ...sweepOf(), ...fitSweep(points, null) };
  expect(found.peak).toMatchObject({ kind: 'measured', retrograde: false });
  expect(found.peak!.load.high).toBeNull();
  expect(peakText(found)).toContain('do not prove that it falls beyond');
});

describe('no law', () => {
  it('is drawn through fewer than five loads', () => {
    expect(sweepOf({ loads: [1, 2, 4, 8] })).toMatchObject({ fit: null, curve: [], knee: null, peak: null });
    expect(sweepOf({ loads: [1, 2, 4, 8] }).whyNoFit).toContain('4 are in the experiment.');
  });

  it('rests on repeats that are not client-bound', () => {
    const six = sweepOf({ saturatedFrom: 32 });
    expect(six.highestLoad).toBe(16);
    expect(six.fit).not.toBeNull();
    expect(leftOutText(six)).toBe('Left out because they are client-bound: 3 repeats at 32 connections.');
    const five = sweepOf({ saturatedFrom: 16 });
    expect(five.fit).toBeNull();
    expect(five.whyNoFit).toContain('4 are left. At 16, 32 connections every repeat is client-bound.');
    expect(five.points).toHaveLength(6);
  });

  it('is claimed where something else happens: a cliff, or throughput that rises again', () => {
    const cliff = sweepOf({ throughput: (load) => (load > 8 ? 20_000 : load * 10_000), noise: 0.01 });
    expect(cliff.fit).toBeNull();
    expect(cliff.whyNoFit).toMatch(/^The Universal Scalability Law does not fit: at \d+ connections/);
    const dip = sweepOf({ throughput: (load) => (load === 8 ? 10_000 : load * 5_000), noise: 0.01 });
    expect(dip.whyNoFit).toMatch(/^The Universal Scalability Law does not fit/);
  });

  it('is claimed of nothing but noise', () => {
    const levels = new Map([1, 9, 2, 8, 3, 7].map((value, i) => [loads[i]!, value * 1_000]));
    expect(sweepOf({ throughput: (load) => levels.get(load)!, repeats: 1, noise: 0 }).whyNoFit).toMatch(
      /^The Universal Scalability Law does not fit/,
    );
  });

  it('is refused to a reference', () => {
    expect(sweepOf({}, 'No-op engine').whyNoFit).toContain('reference');
  });
});

it('throughput that is equal at every load is described by the law: all of the work is serial', () => {
  const flat = sweepOf({ throughput: () => 10_000, noise: 0.01 });
  expect(flat.fit!.sigma).toBeCloseTo(1, 1);
});

describe('in words', () => {
  it('names the load of the peak for each target', () => {
    const lines = sweepHeadlines(sweepModel({ loads }));
    expect(lines[0]).toMatch(
      /^PostgreSQL · prepared: throughput is highest at 1\d \(1\d–1\d\) connections, with \S+ \(\S+–\S+\)\srows\/s\. More connections make it slower: 32 reach \d+\.\d\s%/u,
    );
    expect(lines).toHaveLength(5);
    expect(lines.at(-1)).toBe('1 more sweep over connections: see how it scales.');
    expect(sweepHeadlines(sweepModel({ loads: [1, 2, 4] }))).toEqual([]);
  });

  it('explains the coefficients, and says of those that may be 0 that they are not shown', () => {
    const [, sigma, kappa] = coefficientsText(sweepOf({ truth: { lambda: 1e4, sigma: 0.1, kappa: 0 } }).fit!, 'rows/s');
    expect(sigma!.meaning).toMatch(/% of the work is serial$/);
    expect(kappa!.meaning).toContain('no cost of agreement is shown');
  });

  it('has the users by Little’s law beside those that were set', () => {
    const point = sweepOf().points.find(({ load }) => load === 8)!;
    expect(formatUsers(point)).toBe('7.90');
    expect(formatUsers({ ...point, repeats: point.repeats.map((one) => ({ ...one, users: null })) })).toBeNull();
  });
});
