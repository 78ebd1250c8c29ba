import { expect, test } from 'vitest';
import { throughputAt } from '#stats/fits/usl.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { normal } from '#stats/random/samples.fixture.ts';
import { runFacts } from '../shared/facts.ts';
import { connectionsOf, withRates } from '../shared/other-rates.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { judged, mistakesOf, type SmallCell, smallRun } from '../shared/small-run.fixture.ts';
import { concurrencyKnee } from './concurrency-knee.ts';

const loads = [1, 2, 4, 8, 16, 32];
const scatter = [0.99, 1, 1.01, 0.995, 1.005];
const law = (sigma: number, kappa: number) => (load: number) =>
  Math.round(throughputAt({ lambda: 10_000, sigma, kappa }, load));
const sweep = (rate: (load: number) => number, of = loads): readonly SmallCell[] =>
  of.map((connections) => ({
    levels: { connections },
    trials: scatter.map((factor) => ({ perSecond: [Math.round(rate(connections) * factor)] })),
  }));
const run = (cells: readonly SmallCell[]) => judged(concurrencyKnee, { cells });

test('throughput that falls beyond its peak: likely, for the best load was picked by its result', () => {
  const { facts, outcomes } = run(sweep(law(0.05, 0.005)));
  expect(outcomes).toHaveLength(1);
  expect(outcomes[0]).toMatchObject({ status: 'shown', confidence: 'likely' });
  expect(outcomes[0]).toMatchObject({ claim: expect.stringContaining('with 16 connections') as string });
  expect(mistakesOf(facts, outcomes[0])).toEqual([]);
});

test('a curve that only flattens has a knee by the law', () => {
  const { facts, outcomes } = run(sweep(law(0.1, 0)));
  expect(outcomes[0]).toMatchObject({ status: 'shown', confidence: 'likely' });
  expect(outcomes[0]).toMatchObject({ claim: expect.stringMatching(/at (9\.\d+|10\.\d) \(/) as string });
  expect(pictureText(outcomes[0])).toMatch(/^Throughput \(rows\/s\) over connections: knee (9\.\d|10)$/);
  expect(outcomes[0]).toMatchObject({ picture: { points: loads.map((x) => ({ x })) } });
  expect(mistakesOf(facts, outcomes[0])).toEqual([]);
});

test('two numbers of connections show a fall, and no knee', () => {
  expect(run(sweep((load) => (load === 1 ? 10_000 : 8_000), [1, 32])).outcomes[0]).toMatchObject({ status: 'shown' });
  expect(run(sweep(law(0.1, 0), [1, 32])).outcomes[0]).toMatchObject({ status: 'cannotTell' });
});

test('is silent if throughput keeps rising, and without a sweep', () => {
  expect(run(sweep(law(0.001, 0))).outcomes[0]).toMatchObject({ status: 'notShown' });
  expect(run([{ trials: [{ perSecond: [1_000] }] }]).outcomes[0]).toMatchObject({ status: 'cannotTell', cell: null });
});

test('a plateau is said to fall in less than one sweep of twenty, although the best load is picked', () => {
  const cells = [1, 2, 4, 8, 16, 32, 64].map((connections) => ({
    levels: { connections },
    trials: Array.from({ length: 3 }, () => ({ perSecond: [1_000] })),
  }));
  const model = smallRun({ cells });
  const random = new Sfc32(3);
  const runs = 200;
  let fallen = 0;
  for (let i = 0; i < runs; i++) {
    const flat = withRates(model, (view) => 1_000 * Math.min(connectionsOf(view), 8) * Math.exp(0.08 * normal(random)));
    if (concurrencyKnee.find(runFacts(flat)).some((one) => 'claim' in one && one.claim.includes('make it slower')))
      fallen++;
  }
  expect(fallen / runs).toBeLessThan(0.04);
}, 60_000);

test('trials of some milliseconds show no curve, however clear it looks', () => {
  const short = sweep(law(0.05, 0.005)).map((cell) => ({
    ...cell,
    trials: cell.trials.map((trial) => ({ ...trial, more: { elapsedMs: 59 } })),
  }));
  const [outcome] = run(short).outcomes;
  expect(outcome).toMatchObject({ status: 'cannotTell' });
  expect(JSON.stringify(outcome)).toContain('59');
});
