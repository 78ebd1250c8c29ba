import { expect, it } from 'vitest';
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
