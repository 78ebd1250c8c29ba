import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { expect, test } from 'vitest';
import { noDurations } from './fixed-buckets.ts';
import { type Points, resourceMetrics, resourceOf, withPrometheusNames } from './metric-data.ts';
import { boundsNs, type MetricKey, metrics } from './metrics.ts';

const scraped = (points: Points): string =>
  new PrometheusSerializer().serialize(
    withPrometheusNames(resourceMetrics(resourceOf('a-run', 'A test'), points, 1.7e12, 1.7e12)),
  );

/** A point of every metric. */
const all: Points = new Map(
  (Object.keys(metrics) as MetricKey[]).map((key) => {
    const value = metrics[key].kind === 'histogram' ? noDurations(boundsNs.length) : 1;
    return [key, [{ attributes: {}, value }]];
  }),
);

test('the queries and names in docs/live-series.md are those that Prometheus gets', () => {
  const series = new Set([...scraped(all).matchAll(/^([a-z_]+)\{/gm)].map(([, name = '']) => name));
  const text = readFileSync(join(import.meta.dirname, '../../docs/live-series.md'), 'utf8');
  const named = [...text.matchAll(/\b(?:dyno|db_client)_[a-z_]+/g)].map(([name]) => name);
  const labels = new Set([
    'dyno_target',
    'dyno_variant',
    'dyno_statement',
    'error_type',
    'dyno_run_id',
    'dyno_experiment',
  ]);
  expect(named.length).toBeGreaterThan(8);
  const unknown = named.filter((name) => !labels.has(name) && !series.has(name) && !series.has(`${name}_bucket`));
  expect(unknown).toEqual([]);
});

test('factors whose names Prometheus would write alike stay two labels', () => {
  const attributes = { 'dyno.level.a-b': 1, 'dyno.level.a_b': 2 };
  const [line = ''] = scraped(new Map([['calls', [{ attributes, value: 1 }]]]))
    .split('\n')
    .filter((one) => one.startsWith('dyno_calls_total{'));
  expect([...line.matchAll(/(dyno_level_\w+)=/g)].map(([, label]) => label)).toEqual([
    'dyno_level_a_b',
    'dyno_level_a_b_1',
  ]);
});

test('values with quotes and line breaks stay one line', () => {
  const attributes = { 'dyno.target': 'a"b\nc\\d' };
  const text = scraped(new Map([['calls', [{ attributes, value: 1 }]]]));
  expect(text).toContain('dyno_target="a\\"b\\nc\\\\d"');
});
