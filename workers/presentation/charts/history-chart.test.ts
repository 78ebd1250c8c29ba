import { expect, test } from 'vitest';
import { historyChart, historyTable } from './history-chart.ts';
import { runAxis } from './kit/run-series.ts';
import { shapesOf } from './kit/scene.fixture.ts';
import { lightTheme } from './kit/theme.ts';
import { latestRuns } from './latest-runs.ts';
import { madeHistory } from './made-history.fixture.ts';

const slice = (from: number, to: number) => (at: string) => at.slice(from, to);
const texts = { day: slice(5, 10), time: slice(11, 16) };
const nameOf = ({ startedAt }: { readonly startedAt: string }) => startedAt.slice(0, 16);
const made = madeHistory({ runs: 16, cells: 2, changeAt: 10 });
const history = { ...made, runs: made.runs.map((run) => ({ ...run, isBaseline: run.id === 'r3' })) };
const chartOf = (drawn: typeof made, position = 0) => {
  const startedAt = drawn.runs.map((run) => run.startedAt);
  const layout = { axis: runAxis(startedAt, 'runs', texts), nameOf, widthPx: 900 };
  return historyChart(drawn, drawn.series[position]!, layout, lightTheme);
};
const wordsOf = (drawn: typeof made) =>
  shapesOf(chartOf(drawn).scene).flatMap(({ tag, inside }) => (tag === 'text' ? [inside.join('')] : []));

test('a chart of a cell has its runs, its levels and the versions and settings that changed', () => {
  const { title, scene } = chartOf(history);
  expect(title).toBe('browse on shop: Throughput');
  expect(scene.hits[0]).toMatchObject({
    runId: 'r1',
    spoken: expect.stringMatching(/^2026-11-03T08:00: .*rows\/s, 5 repeats$/),
  });
  expect(scene.hits[2]!.spoken).toMatch(/, the baseline$/);
  expect(scene.hits.at(-1)).toMatchObject({
    row: 1,
    spoken: expect.stringMatching(/^Changed before 2026-11-19T.*PostgreSQL 18\.3 → .*shared_buffers 128 MB → 1 GB/),
  });
  expect(wordsOf(history)).toContain('60\u00a0% higher');
});

test('differences of another target are not marked', () => {
  const elsewhere = history.runs.map((run) => ({
    ...run,
    changes: run.changes.map((change) => ({ ...change, where: 'another target' })),
  }));
  expect(chartOf({ ...history, runs: elsewhere }).scene.hits.every(({ row }) => row === 0)).toBe(true);
});

test('the latest runs keep their levels and changes', () => {
  const latest = latestRuns(history, 8);
  expect(latest.runs).toHaveLength(8);
  expect(latest.olderRuns).toBe(8);
  expect(latest.series[0]).toMatchObject({
    levels: [
      { from: 0, to: 1 },
      { from: 2, to: 7 },
    ],
    changes: [{ at: 2 }],
  });
  expect(latest.series[0]!.points[0]).toMatchObject({ run: 0 });
  expect(wordsOf(latest)).toContain('60\u00a0% higher');
  expect(latestRuns(history, 16)).toBe(history);
});

test('the table has one line for each run and series, with its level and what changed before the run', () => {
  const { columns, rows } = historyTable(history, history.series);
  expect(rows).toHaveLength(16 * 4);
  const row = Object.fromEntries(columns.map((name, i) => [name, rows[10]![i]]));
  expect(row).toMatchObject({ run: 'r11', variant: 'browse', target: 'shop', quantity: 'throughput', repeats: 5 });
  expect(row.change).toMatch(/higher$/);
  expect(row['changed before the run']).toContain('shared_buffers');
});
