import { expect, test } from 'vitest';
import { madeJournal } from '#analysis/findings/shared/findings.fixture.ts';
import { fixtureJournal, fixtureRun, readRun } from '#analysis/run-model/run.fixture.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import type { PanelChart } from './kit/chart.ts';
import { lightTheme } from './kit/theme.ts';
import { percentilesOverTime } from './percentile-chart.ts';

const titlesOf = ({ option }: PanelChart) => (option.title as readonly { text: string }[]).map(({ text }) => text);
const linesOf = ({ option }: PanelChart) =>
  (option.series as readonly { readonly name?: string; readonly data: readonly { value: number[] }[] }[]).filter(
    ({ name }) => name !== undefined,
  );

test('a variant has a row of the percentiles that are known', () => {
  const chart = percentilesOverTime(fixtureRun({ connections: [1, 2] }), lightTheme);
  const prepared = titlesOf(chart).filter((title) => title.includes('prepared · Connections: 1'));
  expect(prepared.map((title) => title.slice(0, 3))).toEqual(['p50', 'p95', 'p99']);
  // A second of multi-row calls has too few of them for a p99.
  expect(
    titlesOf(chart)
      .filter((title) => title.includes('multiRow'))
      .some((title) => title.startsWith('p99')),
  ).toBe(false);
  expect(new Set(linesOf(chart).map(({ name }) => name))).toEqual(new Set(['PostgreSQL', 'SQLite']));
});

test('many variants have one panel each, and the note says how to see the others', () => {
  const model = readRun(fixtureJournal({ connections: [1, 2, 4, 8, 16] }));
  const chart = percentilesOverTime(model, lightTheme);
  expect(new Set(titlesOf(chart).map((title) => title.replace(/^p\d+ · | \(log\)$/g, ''))).size).toBe(chart.panels);
  expect(chart.note).toContain('choose a variant');
  const one = percentilesOverTime(model, lightTheme, { variants: ['method=prepared connections=4'] });
  expect(titlesOf(one).map((title) => title.slice(0, 3))).toEqual(['p50', 'p95', 'p99']);
});

/** Two statements, and `seconds` of 2,000 calls with one slow second. */
function* statementRun(seconds: number): Generator<JournalRecord> {
  const times = (ms: number) => {
    const histogram = new Histogram();
    histogram.recordMany(ms * 1e6, 2_000);
    return histogram.encode();
  };
  const [usual, slow] = [times(1), times(90)];
  for (const record of madeJournal({ repeats: 1, trial: () => ({ seconds: Array(seconds).fill(2_000) }) }))
    if (record.record === 'snapshot') {
      const { snapshot } = record;
      const service = snapshot.atMs === 7_000 ? slow : usual;
      const statements = ['read', 'write'].map((name) => ({ name, kind: 'statement', service }) as const);
      yield { ...record, snapshot: { ...snapshot, counts: { ...snapshot.counts, service }, statements } };
    } else yield record;
}

test('each statement has a row of its own', () => {
  const chart = percentilesOverTime(readRun(statementRun(10)), lightTheme);
  expect(titlesOf(chart)).toEqual(
    ['all calls', 'read', 'write'].flatMap((row) => ['p50', 'p95', 'p99'].map((p) => `${p} · ${row} (log)`)),
  );
  expect(chart.data.rows.filter((row) => row[3] === 'write')).toHaveLength(10);
});

test('a long trial is drawn with few points, and its slowest second is among them', () => {
  const chart = percentilesOverTime(readRun(statementRun(4_000)), lightTheme);
  const [line] = linesOf(chart);
  expect(line!.data.length).toBeLessThanOrEqual(600);
  expect(Math.max(...line!.data.map(({ value }) => value[1]!))).toBeCloseTo(90, 0);
  expect(chart.note).toContain('up to 7 seconds');
  expect(chart.data.rows.filter((row) => row[3] === 'all calls')).toHaveLength(4_000);
});

test('a second without neighbours has a symbol, because no line shows it', () => {
  const calls = [100, 2_000, 100, 100, 2_000, 2_000, 100];
  const chart = percentilesOverTime(
    readRun([...madeJournal({ repeats: 1, trial: () => ({ seconds: calls }) })].map(withTimes)),
    lightTheme,
  );
  const p99 = linesOf(chart).at(-1)! as unknown as {
    readonly showSymbol: boolean;
    readonly data: readonly { readonly value: readonly (number | null)[]; readonly symbol?: string }[];
  };
  const known = p99.data.filter(({ value }) => value[1] !== null);
  expect(p99.showSymbol).toBe(true);
  expect(known.map(({ symbol }) => symbol)).toEqual([undefined, 'none', 'none']);
});

/** The record with histograms that have as many calls as its second. */
function withTimes(record: JournalRecord): JournalRecord {
  if (record.record !== 'snapshot') return record;
  const { snapshot } = record;
  const histogram = new Histogram();
  histogram.recordMany(1e6, snapshot.counts.calls);
  return { ...record, snapshot: { ...snapshot, counts: { ...snapshot.counts, service: histogram.encode() } } };
}
