import { expect, test } from 'vitest';
import { madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import { timesOf } from '#analysis/run-model/journal-parts.fixture.ts';
import type { PanelChart } from './kit/chart.ts';
import { lightTheme } from './kit/theme.ts';
import { latencyByPercentile, latencyHistogram } from './latency-charts.ts';

/** A thousand calls took 1 ms, a thousand took 5 ms, and the rest were given up. */
function curveOf(unfinished: number) {
  const response = timesOf([1, 1_000], [5, 1_000]);
  const load = {
    ...{ arrivals: 2_000 + unfinished, ended: 2_000, failed: 0, afterwards: 0, unfinished, responseMs: 6_000 },
    ...{ thinkMs: 0, waiting: 0, response, sinceStart: response, startError: response, wait: response },
  };
  const model = madeRun({
    workload: { operation: 'readByKey', load: 'open', arrivalsPerSecond: 200, connections: 4 },
    repeats: 1,
    trial: () => ({ rate: 200, totals: { load } }),
  });
  const { data, note } = latencyByPercentile(model, lightTheme);
  const points = data.rows.map(([, , percentile, ms]) => [Number(percentile), Number(ms)] as const);
  return { note, last: points.at(-1)![0], at: (p: number) => points.findLast(([percentile]) => percentile <= p)![1] };
}

test('a curve of percentiles ends where units lie that were given up, which moves the others down', () => {
  const whole = curveOf(0);
  expect(whole.last).toBeCloseTo(99.5, 0);
  expect(whole.at(60)).toBeCloseTo(5, 1);
  expect(whole.note).not.toContain('given up');
  const lost = curveOf(2_000);
  // Half of all calls; the calls of 5 ms lie between 25 and 50 %.
  expect(lost.last).toBeLessThanOrEqual(50);
  expect(lost.at(40)).toBeCloseTo(5, 1);
  expect(whole.at(40)).toBeCloseTo(1, 1);
  expect(lost.note).toContain('given up');
});

/** The ends of the axes of each panel. */
const endsOf = ({ option }: PanelChart, axis: 'xAxis' | 'yAxis') =>
  (option[axis] as readonly { readonly min?: number; readonly max?: number }[]).map(({ min, max }) => [min, max]);

test('all variants have the same axes, because they are compared across the panels', () => {
  const model = madeRun({
    factors: { connections: [1, 2] },
    repeats: 1,
    // 1,000 calls of 2 ms a second with one connection, and 100 of 40 ms with two.
    trial: ({ settings: { connections } }) =>
      connections === 1 ? { rate: 1_000, latencyMs: () => 2 } : { rate: 100, latencyMs: () => 40 },
  });
  const percentiles = latencyByPercentile(model, lightTheme);
  expect(endsOf(percentiles, 'yAxis')).toEqual([
    [1, 100],
    [1, 100],
  ]);
  const [first, second] = endsOf(percentiles, 'xAxis');
  expect(first).toEqual(second);
  expect(first![1]).toBeCloseTo(Math.max(...percentiles.data.rows.map((row) => -Math.log10(1 - Number(row[2]) / 100))));
  expect(endsOf(latencyHistogram(model, lightTheme), 'xAxis')).toEqual([
    [1, 100],
    [1, 100],
  ]);
});
