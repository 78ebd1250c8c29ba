import { init } from 'echarts';
import { expect, test } from 'vitest';
import { fixtureJournal, readRun } from '#analysis/run-model/run.fixture.ts';
import { variantText } from '#planning/variant-of.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import type { PanelChart } from './kit/chart.ts';
import { lightTheme } from './kit/theme.ts';
import { createSvgRenderer } from './plot/render-svg.ts';
import { runTimeline } from './run-timeline.ts';

const records = [...fixtureJournal({ repeats: 1, connections: [1] })];

const modelOf = (journal: readonly JournalRecord[]) => readRun(journal, true);
const timelineOf = (journal: readonly JournalRecord[]): PanelChart => runTimeline(modelOf(journal), lightTheme);
const until = (last: (record: JournalRecord) => boolean) => records.slice(0, records.findIndex(last) + 1);

/** The values of a column for one target. */
function valuesOf({ data }: PanelChart, column: string, target?: string): readonly unknown[] {
  const at = data.columns.indexOf(column);
  expect(at).toBeGreaterThanOrEqual(0);
  return data.rows.filter((row) => target === undefined || row[1] === target).map((row) => row[at]);
}

test('has a point from the first trial on', () => {
  expect(timelineOf(until(({ record }) => record === 'calibration')).data.rows).toEqual([]);
  const works = (record: JournalRecord) => record.record === 'result' && record.result.target !== 'No-op engine';
  expect(timelineOf(until(works)).data.rows.length).toBeGreaterThan(0);
});

test('puts every second at its time since the start of the run', () => {
  const chart = timelineOf(records);
  const plan = records[0]!.record === 'header' ? records[0]!.plan : null;
  // The journal begins a trial every 12 s.
  const trial = plan!.trials.find(({ target, variant }) => target === 'PostgreSQL' && variant.includes('prepared'))!;
  const startMs = (trial.number - 1) * 12_000;
  const own = chart.data.rows.filter((row) => row[0] === trial.variant && row[1] === 'PostgreSQL');
  expect(own.slice(0, 3).map((row) => row[3])).toEqual([startMs + 1_000, startMs + 2_000, startMs + 3_000]);
});

test('makes one point, in its middle, of a trial that is over within two seconds', () => {
  const chart = timelineOf(records);
  const short = records.flatMap((record) =>
    record.record === 'result' && record.result.target === 'PostgreSQL' && record.result.elapsedMs < 1_000
      ? [record.result]
      : [],
  );
  expect(short.length).toBeGreaterThan(0);
  for (const result of short) {
    const own = chart.data.rows.filter((row) => row[0] === result.variant && row[1] === result.target);
    expect(own).toHaveLength(1);
    expect(own[0]![3]).toBe(Math.round((result.number - 1) * 12_000 + result.elapsedMs / 2));
    expect(own[0]![4]).toBeCloseTo((result.totals.rows * 1_000) / result.elapsedMs, 6);
  }
});

test('leaves out engines that do no work, and says so', () => {
  const chart = timelineOf(records);
  expect(new Set(valuesOf(chart, 'target'))).toEqual(new Set(['PostgreSQL', 'SQLite']));
  expect(chart.note).toContain('Reference targets');
});

const titlesOf = ({ option }: PanelChart) =>
  (option.title as readonly { readonly text: string }[]).map(({ text }) => text);

test('has no panel of percentiles that no second had calls enough for, and says so', () => {
  const model = modelOf(records);
  expect(titlesOf(runTimeline(model, lightTheme))).toContain('Service time, p99 (log)');
  const fewCalls = {
    ...model,
    trials: model.trials.map((view) => ({
      ...view,
      series: { ...view.series, p99Ms: view.series.p99Ms.map(() => null) },
    })),
  };
  const chart = runTimeline(fewCalls, lightTheme);
  expect(titlesOf(chart)).not.toContain('Service time, p99 (log)');
  expect(titlesOf(chart)).toContain('Service time, p50 (log)');
  expect(chart.note).toContain('There are too few calls per second for the p99');
});

test('names the variants of trials where there is room, the last one first', () => {
  const shownIn = (chart: PanelChart) =>
    (chart.option.series as readonly { readonly data?: readonly unknown[] }[]).flatMap(({ data = [] }) =>
      data.flatMap((point) => (point as { readonly label?: { readonly formatter: string } }).label?.formatter ?? []),
    );
  const few = modelOf(records);
  const worked = few.trials.filter(
    ({ trial, measuredFromMs }) => measuredFromMs !== null && trial.target !== 'No-op engine',
  );
  const last = variantText(few.plan, worked.at(-1)!.trial.variant);
  expect(shownIn(runTimeline(few, lightTheme))).toContain(last);
  const narrow = shownIn(runTimeline(few, lightTheme, 300));
  expect(narrow.length).toBeLessThan(worked.length);
});

test('draws hours of seconds as a bearable number of points, and says so', () => {
  const begin = until(({ record }) => record === 'snapshot');
  const first = begin.at(-1)!;
  if (first.record !== 'snapshot') throw new Error('The fixture has no snapshot.');
  const hours = Array.from(
    { length: 10_000 },
    (_, i): JournalRecord => ({
      ...first,
      snapshot: { ...first.snapshot, atMs: (i + 1) * 1_000, lengthMs: 1_000 },
    }),
  );
  const chart = timelineOf([...begin.slice(0, -1), ...hours]);
  expect(chart.data.rows.length).toBeLessThanOrEqual(2_000);
  expect(chart.data.rows.length).toBeGreaterThan(1_000);
  expect(chart.note).toContain('per 5 seconds');
});

test('draws the many symbols of short trials as one shape for each target and panel', () => {
  const chart = timelineOf([...fixtureJournal({ repeats: 24 })]);
  const series = chart.option.series as readonly { readonly type: string; readonly data: readonly unknown[] }[];
  const marks = series.filter(({ type }) => type === 'scatter').map(({ data }) => data.length);
  expect(Math.min(...marks)).toBeGreaterThan(30);
  expect(createSvgRenderer(init)(chart).match(/<path/g)!.length).toBeLessThan(100);
});

test('a run of very many trials has a point for each, beside the median of its variant and target', () => {
  const dense = timelineOf([...fixtureJournal({ repeats: 20, connections: [1, 2] })]);
  const titles = (dense.option.title as readonly { text: string }[]).map(({ text }) => text);
  expect(titles[0]).toContain('compared with the median');
  expect(dense.note).toContain('One point per trial');
  // PostgreSQL has three methods and SQLite two, each with two numbers of connections.
  expect(dense.data.rows).toHaveLength(20 * (3 + 2) * 2);
  expect((timelineOf(records).option.title as readonly { text: string }[]).map(({ text }) => text)).not.toContain(
    titles[0],
  );
});
