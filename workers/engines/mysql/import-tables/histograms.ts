import type { ColumnStatistics, StatisticsValue } from '#engine-api/table-facts.ts';
import { type Bucket, fromBounds, fromBuckets } from '../../shared/import-tables/statistics.ts';

/** The types whose values are numbers. */
const isNumeric = (type: string): boolean =>
  /^(tinyint|smallint|mediumint|int|bigint|decimal|float|double|year)$/.test(type);

/** A value of a column's type from its text. */
const readValue = (type: string, text: unknown): StatisticsValue => (isNumeric(type) ? Number(text) : String(text));

type Found = Pick<ColumnStatistics, 'common' | 'bounds'> & { readonly distinct: number | null };

/** A row of MariaDB's mysql.column_stats. */
interface MariadbStats {
  readonly min: string | null;
  readonly max: string | null;
  readonly kind: string | null;
  /** The answer of DECODE_HISTOGRAM(). */
  readonly histogram: string | null;
}

interface JsonBucket {
  readonly start?: unknown;
  readonly end?: unknown;
  readonly size?: number;
  readonly ndv?: number;
}

/**
 * The histogram of MariaDB. JSON_HB has buckets with their number of different values. SINGLE_PREC_HB and
 * DOUBLE_PREC_HB have widths of buckets with equal shares, as parts of the range from the smallest to the largest
 * value: numbers alone can be found in them. `present`: the share of rows that are not null.
 */
export function mariadbHistogram(type: string, { min, max, kind, histogram }: MariadbStats, present: number): Found {
  const ends = {
    common: [],
    bounds: min === null || max === null ? [] : [readValue(type, min), readValue(type, max)],
    distinct: null,
  };
  if (histogram === null) return ends;
  if (kind === 'JSON_HB') {
    const read = (JSON.parse(histogram) as { readonly histogram_hb?: readonly JsonBucket[] }).histogram_hb ?? [];
    const buckets = read.flatMap(({ start, end, size = 0, ndv = 1 }, i): Bucket[] => {
      if (start === undefined) return [];
      const high = end ?? read[i + 1]?.start ?? max ?? start;
      return [{ low: readValue(type, start), high: readValue(type, high), share: size * present, distinct: ndv }];
    });
    return fromBuckets(buckets);
  }
  if (!isNumeric(type) || min === null || max === null) return ends;
  const widths = histogram.split(',').map(Number);
  const [least, most] = [Number(min), Number(max)];
  const bounds = [least];
  let sum = 0;
  for (const width of widths) {
    sum += width;
    const bound = least + sum * (most - least);
    bounds.push(/int|year/.test(type) ? Math.round(bound) : bound);
  }
  return { ...fromBounds(bounds, present), distinct: null };
}

/** The histogram of MySQL: information_schema.column_statistics. */
export function mysqlHistogram(type: string, json: string): Found & { readonly nullShare: number } {
  const read = JSON.parse(json) as {
    readonly buckets: readonly (readonly unknown[])[];
    readonly 'null-values'?: number;
    readonly 'histogram-type': 'singleton' | 'equi-height';
  };
  let before = 0;
  const buckets = read.buckets.map((bucket): Bucket => {
    const isSingle = read['histogram-type'] === 'singleton';
    const [low, high = low, until = 0, distinct = 1] = isSingle ? [bucket[0], bucket[0], bucket[1], 1] : bucket;
    const share = Number(until) - before;
    before = Number(until);
    return { low: decoded(type, low), high: decoded(type, high), share, distinct: Number(distinct) };
  });
  return { ...fromBuckets(buckets), nullShare: read['null-values'] ?? 0 };
}

/** Texts are "base64:type254:…". */
function decoded(type: string, value: unknown): StatisticsValue {
  const [, base64] = typeof value === 'string' ? (/^base64:type\d+:(.*)$/.exec(value) ?? []) : [];
  return base64 === undefined ? readValue(type, value) : Buffer.from(base64, 'base64').toString('utf8');
}
