import { expect, it } from 'vitest';
import { ratios } from '#analysis/compare/compare.ts';
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

it('a latency has the lowest and the highest repeat around that of all repeats, and no interval of its ratio', () => {
  const baseline = { variant: 'method=prepared connections=1', target: 'PostgreSQL' };
  const values = pictureValues(duel, 'p50', baseline);
  const own = values.get(keyOf(baseline))!;
  expect(own).toMatchObject({ isBaseline: true, ratio: { value: 1, low: null, high: null } });
  for (const { value, ratio } of values.values()) {
    expect(value.low).toBeLessThanOrEqual(value.value);
    expect(value.high).toBeGreaterThanOrEqual(value.value);
    expect(ratio!.value).toBeCloseTo(value.value / own.value.value);
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
