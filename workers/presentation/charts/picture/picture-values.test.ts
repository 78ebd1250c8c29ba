import { expect, it } from 'vitest';
import { ratios } from '#analysis/compare/compare.ts';
import { latencyRatiosOf } from '#analysis/compare/latency-ratios.ts';
import { madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { metricsOf, pictureValues } from './picture-values.ts';

const duel = fixtureRun({ connections: [1, 4] });

it('throughput has the means, intervals and ratios of the comparison itself', () => {
  const baseline = baselineOf(duel);
  const values = pictureValues(duel, 'throughput', baseline);
  const compared = ratios(duel, baseline);
  expect(compared.length).toBeGreaterThan(5);
  for (const one of compared) {
    const value = values.get(keyOf(one))!;
    expect(value.ratio).toEqual(one.ratio);
    expect(value.isBaseline).toBe(one.verdict === 'baseline');
    expect(value.isUncertain).toBe(one.verdict === 'notSignificant' || one.verdict === 'notEnoughRepeats');
  }
  for (const { rowsPerSecond, ...cell } of duel.cells)
    expect(values.get(keyOf(cell))?.value).toEqual(rowsPerSecond ?? undefined);
});

it('a latency has the mean of the repeats, its interval and the ratio of the comparison itself', () => {
  const baseline = { variant: 'method=prepared connections=1', target: 'PostgreSQL' };
  const values = pictureValues(duel, 'p50', baseline);
  const compared = latencyRatiosOf(duel, baseline, [{ work: null, figure: 0.5 }]);
  expect(compared.length).toBeGreaterThan(5);
  for (const one of compared) {
    const { value, ratio, isBaseline, isUncertain } = values.get(keyOf(one))!;
    expect(value).toEqual(one.ms);
    expect(isBaseline).toBe(one.verdict === 'baseline');
    if (isBaseline) continue;
    expect(ratio).toEqual(one.ratio);
    expect(isUncertain).toBe(one.verdict !== 'slower' && one.verdict !== 'faster');
  }
});

it('a search has the percentile of all repeats, and the lowest and the highest repeat around it', () => {
  const search = { find: 'knee', setting: 'connections', from: 1, to: 4, relativeStep: 0.05 } as const;
  const run = { ...duel, plan: { ...duel.plan, measure: { ...duel.plan.measure, search } } };
  for (const [key, { value }] of pictureValues(run, 'p50', {})) {
    expect(value.value).toBe(run.cells.find((cell) => keyOf(cell) === key)!.latencyMs.p50);
    expect(value.low).toBeLessThanOrEqual(value.value);
    expect(value.high).toBeGreaterThanOrEqual(value.value);
  }
});

it('a metric is offered where some cell has it', () => {
  const few = madeRun({ trial: () => ({ latencyMs: () => 1 }), repeats: 1 });
  const offered = metricsOf(few).map(({ metric }) => metric);
  expect(offered[0]).toBe('throughput');
  for (const { metric } of metricsOf(few).slice(1))
    expect(few.cells.some(({ latencyMs }) => latencyMs[metric as 'p50'] !== null)).toBe(true);
  expect(metricsOf({ ...few, cells: [] }).map(({ metric }) => metric)).toEqual(['throughput']);
});

it('a saturated client makes a lower limit, but not of a target that does no work', () => {
  const busy = madeRun({
    targets: [{ name: 'server' }, { name: 'nothing', descriptor: { reference: true } }],
  });
  const saturated = { ...busy, cells: busy.cells.map((cell) => ({ ...cell, clientSaturated: true })) };
  const values = [...pictureValues(saturated, 'throughput', {}).values()];
  expect(values.map(({ target, isClientBound }) => [target, isClientBound])).toEqual([
    ['server', true],
    ['nothing', false],
  ]);
});
