import { expect, test } from 'vitest';
import { commitJournal } from '#analysis/cells/commits.fixture.ts';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import { serverSummaries } from '#analysis/server/server-summary.ts';
import { resultsJson } from '#cli/results/results-json.ts';
import { commitLatency } from '#presentation/charts/commit-chart.ts';
import { cssTheme } from '#presentation/charts/kit/theme.ts';
import { commitTable } from '#presentation/tables/server/commit-table.ts';
import { modelOf, renderSvg, reportOf } from './results.fixture.ts';

const model = modelOf(commitJournal(3));

test('commits have a latency of their own, apart from that of calls', () => {
  const cells = model.cells.filter(({ target }) => target === 'PostgreSQL');
  expect(cells.length).toBeGreaterThan(1);
  for (const { variant, commits, ok } of cells) {
    const expected = variant.endsWith('connections=4') ? 12 : 3;
    expect(commits!.meanMs!.value).toBeCloseTo(expected, 1);
    expect(commits!.meanMs!.n).toBe(ok);
    expect(commits!.latencyMs.p50! / expected).toBeCloseTo(1, 1);
    expect(commits!.latencyMs.count).toBe(200 * ok);
  }
  expect(model.cells.filter(({ target, commits }) => target !== 'PostgreSQL' && commits !== null)).toEqual([]);
});

test('the log per commit is the log that the server wrote ÷ the commits that the client counted', () => {
  const [server] = serverSummaries(model).filter(({ target }) => target === 'PostgreSQL');
  const views = model.trials.filter(({ trial }) => trial.target === 'PostgreSQL' && trial.variant === server!.variant);
  const commits = views.reduce((sum, { result }) => sum + (result?.totals.commits ?? 0), 0);
  expect(server!.logBytesPerCommit).toBeCloseTo(server!.roles.logBytes! / commits, 6);
});

test('window and report have them in a table, and over a numeric factor in a chart', () => {
  const rows = commitTable(model).rows;
  expect(new Set(rows.map(({ cells }) => cells[1]))).toEqual(new Set(['PostgreSQL']));
  expect(rows[0]!.cells[2]).toMatch(/^3\.0\d?\sms/);
  const chart = commitLatency(model, 'connections', cssTheme);
  expect(chart.data.rows.length).toBe(rows.length);
  for (const row of chart.data.rows) expect(row).toHaveLength(chart.data.columns.length);
  const svg = renderSvg(chart);
  expect(svg.match(/NaN|undefined|Infinity/)).toBeNull();
  expect(svg).toContain('Commit latency');
  expect(svg).toContain('WAL/redo per commit');
  const report = reportOf(model);
  expect(report).toContain('id="commits"');
  expect(report).toContain('Commit latency over Connections');
});

test('runs in which calls commit by themselves have none of it', () => {
  const plain = modelOf(fixtureJournal({ connections: [1, 4] }));
  expect(commitTable(plain).rows).toEqual([]);
  expect(commitLatency(plain, 'connections', cssTheme).data.rows).toEqual([]);
  expect(reportOf(plain)).not.toContain('id="commits"');
});

test('scripts get the numbers, and no histograms', () => {
  const { cells, trials } = resultsJson(model) as {
    readonly cells: readonly { readonly commits: unknown }[];
    readonly trials: readonly object[];
  };
  expect(cells.some(({ commits }) => commits !== null)).toBe(true);
  expect(trials.some((trial) => 'commit' in trial)).toBe(false);
});
