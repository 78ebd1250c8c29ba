import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '#protocol/journal.ts';
import type { CallCounts, Snapshot } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { countsOf, healthOf, timesOf } from '../run-model/journal-parts.fixture.ts';
import { fixtureJournal, fixturePlan, trialRecords } from '../run-model/run.fixture.ts';
import { createRunReader } from './read-run.ts';

const small = { repeats: 2, connections: [1, 2] };
const records = [...fixtureJournal(small)];
const header = records[0]!;

const read = (journal: Iterable<JournalRecord>) => {
  const reader = createRunReader();
  for (const record of journal) reader.add(record);
  return reader;
};

const idle = healthOf(1_000, { cpuUserMs: 100, eventLoopUtilisation: 0.1, rssBytes: 1 });

const counts = (calls: number, ns = 1_000_000): CallCounts =>
  countsOf({ calls, rows: calls * 10, errors: { deadlock: 1 }, service: timesOf([ns / 1e6, calls]) });

const snapshot = (worker: number, atMs: number, lengthMs: number, calls: number, ns?: number): JournalRecord => ({
  record: 'snapshot',
  trial: 1,
  snapshot: { worker, atMs, lengthMs, counts: counts(calls, ns), health: idle } satisfies Snapshot,
});

const probe = (atMs: number, commits: number): JournalRecord => ({
  record: 'probe',
  trial: 1,
  atMs,
  tookMs: 1,
  sample: { counters: { commits }, gauges: { sessions: 3 }, unavailable: [] },
});

const seriesOf = (...snapshots: JournalRecord[]) => read([header, ...snapshots]).model().trials[0]!.series;

describe('the run reader', () => {
  it('updates only the changed parts of a long trial, with the same result as a single read', () => {
    const seconds = Array.from({ length: 40 }, (_, i) => [
      snapshot(0, (i + 1) * 1_000, 1_000, 10 + i),
      snapshot(1, (i + 1) * 1_000 + 3, 1_000, 20 + i),
    ]).flat();
    const reader = read([header, ...seconds]);
    const before = reader.model({ live: true }).trials[0]!.series;
    // The loop of a worker was blocked for three seconds, of which two have been shown.
    const late = snapshot(1, 41_500, 3_000, 90);
    reader.add(late);
    const after = reader.model({ live: true }).trials[0]!.series;
    expect(after).toEqual(seriesOf(...seconds, late));
    expect(after.callsPerSecond.slice(0, 38)).toEqual(before.callsPerSecond.slice(0, 38));
    expect(after.callsPerSecond[39]).not.toBe(before.callsPerSecond[39]);
    const kept = after.clientTime[0]!.shares.filter((shares, i) => shares === before.clientTime[0]!.shares[i]);
    expect(kept).toHaveLength(38);
  });

  it('shows a cell that only the server knew to be impossible as skipped with its reason, not as failed', () => {
    const { variant, target } = fixturePlan(small).trials[0]!;
    const error = {
      kind: 'unsupported',
      code: null,
      message: 'No pipelines before 23ai.',
      hint: 'Use 23ai.',
      retryable: false,
    } as const;
    const model = read(
      records.map((record) =>
        record.record === 'result' && record.result.variant === variant && record.result.target === target
          ? { ...record, result: { ...record.result, status: 'cannot', error } }
          : record,
      ),
    ).model();
    const here = (cell: { variant: string; target: string }) => cell.variant === variant && cell.target === target;
    expect(model.skipped.filter(here)).toEqual([{ variant, target, reason: 'No pipelines before 23ai. Use 23ai.' }]);
    expect(model.cells.filter(here)).toEqual([]);
    expect(model.caveats.filter(({ title }) => title === 'Trials without a result')).toEqual([]);
  });

  it('lists the skipped cells even if the plan skipped all', () => {
    const plan = fixturePlan(small);
    const skipped = plan.trials.map((trial) => ({ ...trial, reason: 'no' }));
    const { skipped: shown } = read([{ ...header, plan: { ...plan, trials: [], skipped } } as JournalRecord]).model();
    expect(shown).toEqual(skipped);
  });

  it('reads a whole run: every trial, every cell, its repeats', () => {
    const model = read(records).model();
    expect(model.status).toBe('complete');
    expect(model.trials.every(({ result }) => result !== null)).toBe(true);
    expect(model.cells).toHaveLength(16);
    for (const cell of model.cells) {
      expect(cell.ok).toBe(2);
      expect(cell.rowsPerSecond!.n).toBe(2);
      expect(cell.rowsPerSecond!.low!).toBeLessThan(cell.rowsPerSecond!.value);
    }
    expect(model.skipped).toHaveLength(2);
  });

  it('merges the histograms of all repeats of a cell', () => {
    const model = read(records).model();
    const cell = model.cells[0]!;
    const calls = model.trials
      .filter(({ trial }) => trial.variant === cell.variant && trial.target === cell.target)
      .reduce((sum, { result }) => sum + result!.totals.calls, 0);
    expect(Histogram.decode(cell.histogram!).count).toBe(calls);
    expect(cell.latencyMs.count).toBe(calls);
  });

  it('merges workers of the same second, whatever their jitter', () => {
    const series = seriesOf(
      snapshot(0, 1_004, 1_004, 100),
      snapshot(1, 996, 996, 100, 9_000_000),
      snapshot(0, 2_010, 1_006, 300),
      snapshot(1, 1_990, 994, 300),
    );
    expect(series.atMs).toEqual([1_000, 2_000]);
    expect(series.callsPerSecond[0]).toBeCloseTo(200 / 1.004, 6);
    expect(series.rowsPerSecond[1]).toBeCloseTo(6_000 / 1.006, 6);
    expect(series.errorsPerSecond[0]).toBeCloseTo(2 / 1.004, 6);
    expect(series.p50Ms[0]).toBeCloseTo(1, 2);
    expect(series.p95Ms[0]).toBeCloseTo(9, 1);
    expect(series.p99Ms[0]).toBeNull(); // 200 calls are too few for it
  });

  it('counts a stub at the end into the second before it', () => {
    const series = seriesOf(snapshot(0, 1_000, 1_000, 100), snapshot(0, 1_050, 50, 5));
    expect(series.atMs).toEqual([1_000]);
    expect(series.callsPerSecond[0]).toBeCloseTo(100, 6);
  });

  it('shows a trial shorter than a second at its own rate', () => {
    const series = seriesOf(snapshot(0, 150, 150, 30));
    expect(series.atMs).toEqual([150]);
    expect(series.callsPerSecond[0]).toBeCloseTo(200, 6);
  });

  it('spreads the report of a blocked worker over the seconds it was blocked', () => {
    const series = seriesOf(snapshot(0, 1_000, 1_000, 100), snapshot(0, 4_000, 3_000, 300));
    expect(series.atMs).toEqual([1_000, 2_000, 3_000, 4_000]);
    expect(series.callsPerSecond.map(Math.round)).toEqual([100, 100, 100, 100]);
    expect(series.maxMs.map((max) => max === null)).toEqual([false, true, true, false]);
  });

  it('keeps the numbers of seconds that it closed', () => {
    const many = Array.from({ length: 40 }, (_, i) => snapshot(0, (i + 1) * 1_000, 1_000, 100, (i + 1) * 1_000_000));
    const series = seriesOf(...many);
    expect(series.p50Ms.map((value) => Math.round(value!))).toEqual(many.map((_, i) => i + 1));
  });

  it('shows server counters as differences and drops the moment of a restart', () => {
    const series = seriesOf(probe(0, 100), probe(1_000, 160), probe(3_000, 260), probe(4_000, 5), probe(5_000, 25));
    expect(series.probes.commits).toEqual({ atMs: [1_000, 3_000, 5_000], perSecond: [60, 50, 20] });
    expect(series.gauges.sessions!.values).toEqual([3, 3, 3, 3, 3]);
  });

  it('makes one difference of server counters up to a sample that follows at once', () => {
    const series = seriesOf(probe(0, 0), probe(1_000, 100), probe(2_000, 200), probe(2_050, 305));
    expect(series.probes.commits).toEqual({ atMs: [1_000, 2_050], perSecond: [100, 205 / 1.05] });
    const short = seriesOf(probe(0, 0), probe(50, 10));
    expect(short.probes.commits).toEqual({ atMs: [50], perSecond: [200] });
  });

  it('hands out the same objects where nothing changed', () => {
    const plan = fixturePlan(small);
    const reader = read(records.filter(({ record }) => record !== 'end'));
    const before = reader.model({ live: true });
    expect(reader.model({ live: true })).toBe(before);
    for (const record of trialRecords(plan, plan.trials[0]!, '2026-11-20T09:00:00Z'))
      if (record.record !== 'result') reader.add(record);
    const after = reader.model({ live: true });
    expect(after.trials[0]).not.toBe(before.trials[0]);
    expect(after.trials[1]).toBe(before.trials[1]);
    const touched = plan.trials[0]!;
    for (const [i, cell] of after.cells.entries()) {
      const isTouched = cell.variant === touched.variant && cell.target === touched.target;
      expect(cell === before.cells[i]).toBe(!isTouched);
    }
    expect(after.targets).toBe(before.targets);
  });

  it('counts a repeated trial once: the last one wins', () => {
    const plan = fixturePlan(small);
    const again = [...trialRecords(plan, plan.trials[0]!, '2026-11-20T09:00:00Z')];
    const model = read([...records, { record: 'resumed', at: '', tag: '0000cafe' }, ...again]).model();
    expect(model.cells.every(({ ok }) => ok === 2)).toBe(true);
    expect(model.status).toBe('interrupted');
  });

  it('discards the unfinished trials of a dead process when the run is resumed', () => {
    const cut = records.slice(
      0,
      records.findIndex(({ record }) => record === 'result'),
    );
    expect(
      read(cut)
        .model()
        .trials.some(({ series }) => series.atMs.length > 0),
    ).toBe(true);
    const resumed = read([...cut, { record: 'resumed', at: '', tag: '0000cafe' }]).model({ live: true });
    expect(resumed.status).toBe('running');
    expect(resumed.trials.every(({ series }) => series.atMs.length === 0)).toBe(true);
  });

  it('reports running or interrupted for a journal without an end', () => {
    const reader = read(records.slice(0, -1));
    expect(reader.model({ live: true }).status).toBe('running');
    expect(reader.model().status).toBe('interrupted');
    expect(reader.model().caveats.some(({ title }) => title === 'The end of the run is missing')).toBe(true);
  });

  it('refuses files that are no run, and runs of another version', () => {
    expect(() => createRunReader().add(records[1]!)).toThrow(/does not begin with the header/);
    expect(() => createRunReader().model()).toThrow(/no header/);
    const other = { ...header, version: 1 } as unknown as JournalRecord;
    expect(() => createRunReader().add(other)).toThrow(/made by another version of Dyno/);
  });
});
