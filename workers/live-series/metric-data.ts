import { hostname } from 'node:os';
import { type HrTime, ValueType } from '@opentelemetry/api';
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { appVersion } from '#platform/app-version.ts';
import { boundsNs, type MetricKey, metrics } from './metrics.ts';
import type { Attributes, Point } from './series-store.ts';

/** The points of a run, by metric. */
export type Points = ReadonlyMap<MetricKey, readonly Point[]>;

/** Number of points. */
export const pointsIn = (points: Points): number =>
  [...points.values()].reduce((sum, ofMetric) => sum + ofMetric.length, 0);

/**
 * Describes a run. The user's own attributes in OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME are added, and win.
 */
export function resourceOf(runId: string, experiment: string): Resource {
  return resourceFromAttributes({
    'service.name': 'dyno',
    'service.version': appVersion,
    'service.instance.id': runId,
    'dyno.run.id': runId,
    'dyno.experiment': experiment,
    'host.name': hostname(),
  }).merge(detectResources({ detectors: [envDetector] }));
}

const hrTime = (ms: number): HrTime => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)];

const boundsS = boundsNs.map((ns) => ns / 1e9);

/** The points as OpenTelemetry's serializers take them. `sinceMs`, `atMs`: when the sums began, and now. */
export function resourceMetrics(resource: Resource, points: Points, sinceMs: number, atMs: number): ResourceMetrics {
  const times = { startTime: hrTime(sinceMs), endTime: hrTime(atMs) };
  return {
    resource,
    scopeMetrics: [
      {
        scope: { name: 'dyno', version: appVersion },
        metrics: [...points].map(([key, ofMetric]) => metricData(key, ofMetric, times)),
      },
    ],
  };
}

function metricData(
  key: MetricKey,
  points: readonly Point[],
  times: { readonly startTime: HrTime; readonly endTime: HrTime },
): MetricData {
  const { name, kind, unit, about } = metrics[key];
  const common = {
    descriptor: { name, unit, description: `${about}.`, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (kind === 'histogram')
    return {
      ...common,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: points.flatMap(({ attributes, value }) => {
        if (typeof value === 'number') return [];
        const { counts, sumNs } = value;
        const buckets = { boundaries: boundsS, counts: [...counts] };
        const count = counts.reduce((sum, one) => sum + one, 0);
        return [{ ...times, attributes, value: { buckets, sum: sumNs / 1e9, count } }];
      }),
    };
  const dataPoints = points.flatMap(({ attributes, value }) =>
    typeof value === 'number' ? [{ ...times, attributes, value }] : [],
  );
  return kind === 'counter'
    ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
}

/** The endings that Prometheus gives the names of OTLP's metrics, by unit; words in braces get none. */
const endings: Readonly<Record<string, string>> = { s: 'seconds', By: 'bytes', '1': 'ratio' };

/**
 * The same metrics with the names that Prometheus gives them when it receives OTLP: a dashboard fits both ways. Names
 * of attributes that Prometheus would write alike get a number, because it refuses two labels with one name.
 */
export function withPrometheusNames(data: ResourceMetrics): ResourceMetrics {
  const renamed = <T extends { readonly attributes: Attributes }>(point: T): T => ({
    ...point,
    attributes: labelsOf(point.attributes),
  });
  const metric = (one: MetricData): MetricData => {
    const { name, unit } = one.descriptor;
    const ending = endings[unit];
    const descriptor = { ...one.descriptor, name: ending ? `${name}.${ending}` : name, unit: '' };
    return { ...one, descriptor, dataPoints: one.dataPoints.map((point) => renamed(point as never)) } as MetricData;
  };
  return { ...data, scopeMetrics: data.scopeMetrics.map((one) => ({ ...one, metrics: one.metrics.map(metric) })) };
}

/** Attributes with the names of Prometheus' labels. */
function labelsOf(attributes: Attributes): Attributes {
  const labels: Record<string, Attributes[string]> = {};
  for (const [name, value] of Object.entries(attributes)) {
    const label = name.replaceAll(/[^a-z0-9_]+/gi, '_');
    const free = Object.hasOwn(labels, label) ? `${label}_${Object.keys(labels).length}` : label;
    labels[free] = value;
  }
  return labels;
}
