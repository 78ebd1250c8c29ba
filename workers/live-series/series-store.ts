import { Histogram } from '#stats/histogram/histogram.ts';
import { type FixedBuckets, joinBuckets, noDurations } from './fixed-buckets.ts';
import { boundsNs, type KeyOf, type MetricKey } from './metrics.ts';

/** The attributes of a series: their names and values tell it from the other series of its metric. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A series and its value: a number, or the counts of a histogram. */
export interface Point {
  readonly attributes: Attributes;
  readonly value: number | FixedBuckets;
}

/** All series of a run: counters and histograms as sums over its trials, gauges of the trial that runs. */
export interface SeriesStore {
  /** Begins a trial, whose sums add to those of the trials before, and forgets all gauges. */
  beginTrial(): void;
  /**
   * Makes the series of a counter of this trial, with 0 if it is new. Prometheus counts increases from the first value
   * that it has seen, so a series that appears with its first amount would lose it.
   */
  begin(key: KeyOf<'counter'>, attributes: Attributes): void;
  /** Does the same for a histogram. */
  beginTimes(key: KeyOf<'histogram'>, attributes: Attributes): void;
  add(key: KeyOf<'counter'>, attributes: Attributes, amount: number): void;
  /** Raises the sum of this trial to a total that is known otherwise; a lower total changes nothing. */
  atLeast(key: KeyOf<'counter'>, attributes: Attributes, total: number): void;
  /** Adds an encoded histogram of times. */
  addTimes(key: KeyOf<'histogram'>, attributes: Attributes, encoded: string): void;
  /** Raises each count of this trial to that of an encoded histogram of the whole trial. */
  timesAtLeast(key: KeyOf<'histogram'>, attributes: Attributes, encoded: string): void;
  set(key: KeyOf<'gauge'>, attributes: Attributes, value: number): void;
  /** Sets all gauges to 0 when nothing runs any more, because monitoring systems show a last value for minutes. */
  clearGauges(): void;
  /** The points of all series, or of those of this trial, by metric. */
  read(which: 'all' | 'trial'): ReadonlyMap<MetricKey, readonly Point[]>;
  /** Rises with each change. */
  readonly version: number;
}

/** The sum of a series: over the trials before, and over the trial that last changed it. */
interface Sum<V> {
  readonly attributes: Attributes;
  readonly trial: number;
  readonly before: V;
  readonly now: V;
}

type Join = (a: number, b: number) => number;
const plus: Join = (a, b) => a + b;

export function createSeriesStore(): SeriesStore {
  const counters = new Map<KeyOf<'counter'>, Map<string, Sum<number>>>();
  const histograms = new Map<KeyOf<'histogram'>, Map<string, Sum<FixedBuckets>>>();
  const gauges = new Map<KeyOf<'gauge'>, Map<string, { readonly attributes: Attributes; readonly value: number }>>();
  // One histogram serves all decoding, because each has some 40,000 counts.
  const scratch = new Histogram();
  let trial = 0;
  let version = 0;

  /** Joins a value with the sum of this trial. */
  function change<K, V>(
    all: Map<K, Map<string, Sum<V>>>,
    key: K,
    attributes: Attributes,
    value: V,
    { none, add, join }: { readonly none: V; readonly add: (a: V, b: V) => V; readonly join: (a: V, b: V) => V },
  ): void {
    version++;
    const series = all.get(key) ?? new Map<string, Sum<V>>();
    all.set(key, series);
    const name = JSON.stringify(attributes);
    const old = series.get(name) ?? { attributes, trial, before: none, now: none };
    const sum = old.trial === trial ? old : { attributes, trial, before: add(old.before, old.now), now: none };
    series.set(name, { ...sum, now: join(sum.now, value) });
  }
  const changeCounter = (key: KeyOf<'counter'>, attributes: Attributes, amount: number, join: Join) => {
    if (amount > 0) change(counters, key, attributes, amount, { none: 0, add: plus, join });
  };
  const changeBuckets = (key: KeyOf<'histogram'>, attributes: Attributes, buckets: FixedBuckets, join: Join) =>
    change(histograms, key, attributes, buckets, {
      none: noDurations(boundsNs.length),
      add: (a, b) => joinBuckets(a, b, plus),
      join: (a, b) => joinBuckets(a, b, join),
    });
  const changeTimes = (key: KeyOf<'histogram'>, attributes: Attributes, encoded: string, join: Join) => {
    scratch.reset();
    scratch.addEncoded(encoded);
    if (scratch.count > 0) changeBuckets(key, attributes, scratch.inBuckets(boundsNs), join);
  };

  return {
    beginTrial() {
      trial++;
      version++;
      gauges.clear();
    },
    begin: (key, attributes) => change(counters, key, attributes, 0, { none: 0, add: plus, join: plus }),
    beginTimes: (key, attributes) => changeBuckets(key, attributes, noDurations(boundsNs.length), plus),
    add: (key, attributes, amount) => changeCounter(key, attributes, amount, plus),
    atLeast: (key, attributes, total) => changeCounter(key, attributes, total, Math.max),
    addTimes: (key, attributes, encoded) => changeTimes(key, attributes, encoded, plus),
    timesAtLeast: (key, attributes, encoded) => changeTimes(key, attributes, encoded, Math.max),
    set(key, attributes, value) {
      version++;
      const series = gauges.get(key) ?? new Map();
      gauges.set(key, series.set(JSON.stringify(attributes), { attributes, value }));
    },
    clearGauges() {
      version++;
      for (const series of gauges.values())
        for (const [name, { attributes }] of series) series.set(name, { attributes, value: 0 });
    },
    read(which) {
      const chosen = <V>(series: Map<string, Sum<V>>) =>
        [...series.values()].filter((one) => which === 'all' || one.trial === trial);
      const points = new Map<MetricKey, readonly Point[]>();
      for (const [key, series] of counters)
        points.set(
          key,
          chosen(series).map(({ attributes, before, now }) => ({ attributes, value: before + now })),
        );
      for (const [key, series] of histograms)
        points.set(
          key,
          chosen(series).map(({ attributes, before, now }) => ({ attributes, value: joinBuckets(before, now, plus) })),
        );
      for (const [key, series] of gauges) points.set(key, [...series.values()]);
      return points;
    },
    get version() {
      return version;
    },
  };
}
