import { expect, it } from 'vitest';
import type { StatementLatencies } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { fixtureJournal } from '../run-model/run.fixture.ts';
import { createSeriesBuilder, KeptLatencies } from './series.ts';

const snapshots = [...fixtureJournal({ repeats: 3 })].flatMap((record) =>
  record.record === 'snapshot' && record.trial === 1 ? [record.snapshot] : [],
);

/** The percentiles of a trial's seconds; `meanwhile` runs after each snapshot. */
function latenciesOf(kept: KeptLatencies, meanwhile: () => void = () => {}) {
  const builder = createSeriesBuilder(kept);
  for (const snapshot of snapshots) {
    builder.add(snapshot);
    meanwhile();
  }
  builder.close();
  const { p50Ms, p95Ms, p99Ms, maxMs } = builder.series();
  return { p50Ms, p95Ms, p99Ms, maxMs };
}

it('a second has the same latencies, whether they are merged at its end, while nothing else is to be done, or when they are read', () => {
  const read = latenciesOf(new KeptLatencies());
  expect(read.p50Ms.length).toBeGreaterThan(5);
  expect(read.p50Ms.every((ms) => ms !== null && ms > 0)).toBe(true);
  expect(latenciesOf(new KeptLatencies(0))).toEqual(read);
  const resting = new KeptLatencies();
  expect(latenciesOf(resting, () => resting.mergeWhile(() => true))).toEqual(read);
});

it('latencies are merged as long as there is time, and each second once', () => {
  const kept = new KeptLatencies();
  const builder = createSeriesBuilder(kept);
  for (const snapshot of snapshots) builder.add(snapshot);
  builder.close();
  let times = 0;
  expect(kept.mergeWhile(() => times++ < 2)).toBe(true);
  expect(kept.mergeWhile(() => times++ < 1_000)).toBe(false);
  const seconds = builder.series().atMs.length;
  // In the first round, `goesOn` returned false at its last call.
  expect(times).toBe(seconds + 1);
  expect(kept.mergeWhile(() => true)).toBe(false);
});

it('each statement has the percentiles of the seconds in which it was called', () => {
  const times = (name: string, ms: number, kind: StatementLatencies['kind'] = 'statement'): StatementLatencies => {
    const histogram = new Histogram();
    histogram.recordMany(ms * 1e6, 40);
    return { name, kind, service: histogram.encode() };
  };
  const builder = createSeriesBuilder();
  for (const [i, snapshot] of snapshots.slice(0, 8).entries())
    builder.add({
      ...snapshot,
      worker: i % 2,
      atMs: (Math.floor(i / 2) + 1) * 1_000,
      statements: [times('read', i < 4 ? 2 : 4), ...(i === 5 ? [times('pay', 8, 'transaction')] : [])],
    });
  builder.close();
  const { statements } = builder.series();
  expect(statements.map(({ name }) => name)).toEqual(['read', 'pay (transaction)']);
  const p50 = statements.map(({ latencies }) => latencies.p50Ms.map((ms) => (ms === null ? null : Math.round(ms))));
  expect(p50).toEqual([
    [2, 2, 4, 4],
    [null, null, 8, null],
  ]);
  expect(statements[0]!.latencies.p99Ms, 'too few calls').toEqual([null, null, null, null]);
});
