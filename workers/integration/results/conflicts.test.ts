import { expect, test } from 'vitest';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { resultsJson } from '#cli/results/results-json.ts';
import { cssTheme } from '#presentation/charts/kit/theme.ts';
import { pictureOf } from '#presentation/charts/picture/picture.fixture.ts';
import { throughputOverTime } from '#presentation/charts/time-panels.ts';
import { toCsv } from '#presentation/tables/shared/csv.ts';
import { renderText } from '#presentation/terminal/run-text.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import type { CallCounts, PhaseHealth, TrialStatus } from '#protocol/measurement.ts';
import { modelOf, reportOf } from './results.fixture.ts';

/** A run in which PostgreSQL's trials met conflicts that cost this share of the time of their connections. */
function run(lostShare: number, totals: Partial<CallCounts> = {}, health: Partial<PhaseHealth> = {}): RunModel {
  const conflicts = { retries: 85, gaveUp: 0, errors: { deadlock: 85 }, ...totals };
  const hit = (record: JournalRecord): JournalRecord => {
    if (record.record === 'snapshot') {
      const { snapshot } = record;
      return { ...record, snapshot: { ...snapshot, counts: { ...snapshot.counts, retries: 5, lostMs: 200 } } };
    }
    if (record.record !== 'result' || record.result.target !== 'PostgreSQL') return record;
    const { result } = record;
    const lostMs = lostShare * result.elapsedMs * (result.variant.endsWith('connections=4') ? 4 : 1);
    const met = { ...result.totals, ...conflicts, commits: 10_000, lostMs };
    return { ...record, result: { ...result, totals: met, health: { ...result.health, ...health } } };
  };
  return modelOf(fixtureJournal({ connections: [1, 4] }), hit);
}

const before = modelOf(fixtureJournal({ connections: [1, 4] }));
const costly = run(0.12);
/** The text with ordinary spaces in place of the no-break spaces of numbers. */
const plain = (text: string | undefined): string | undefined => text?.replaceAll(/\u00a0/g, ' ');
const cellOf = ({ cells }: RunModel, target = 'PostgreSQL') => cells.find((cell) => cell.target === target)!;
const caveat = ({ caveats }: RunModel, wanted: string) => caveats.find(({ title }) => title === wanted);

test('the cost of conflicts is a share of the time of all connections', () => {
  for (const cell of costly.cells.filter(({ target }) => target === 'PostgreSQL')) {
    expect(cell.conflicts?.lostShare).toBeCloseTo(0.12, 9);
    expect(cell.conflicts).toMatchObject({ retries: 85 * cell.ok, gaveUp: 0, retriesPer100Commits: 0.85 });
  }
  expect(cellOf(costly, 'SQLite').conflicts).toBeNull();
  expect(cellOf(run(0.1, {}, {}), 'PostgreSQL').conflicts?.retriesPer100Commits).toBeCloseTo(0.85, 9);
});

test('runs without conflicts show nothing of it', () => {
  expect(before.cells.every(({ conflicts }) => conflicts === null)).toBe(true);
  expect(before.trials[0]!.series.retriesPerSecond.every((rate) => rate === 0)).toBe(true);
  expect(renderText(before)).not.toContain('Retry overhead');
  expect(reportOf(before)).not.toContain('id="retries"');
});

test('a cell is marked from one per cent on', () => {
  const marked = caveat(costly, 'Retry overhead');
  expect(marked?.severity).toBe('warning');
  expect(plain(marked?.text)).toMatch(
    /^Retries took 12\.0 % of the connections’ time: .* \(12\.0 % of client time, 255 retries, 0\.850 per 100 commits\)/,
  );
  expect(caveat(run(0.009), 'Retry overhead')).toBeUndefined();
  const never = run(0.5, { retries: 0, gaveUp: 85 });
  expect(plain(caveat(never, 'Retry overhead')?.text)).toMatch(/^Write conflicts took 50\.0 %/);
  const late = run(0.2, { retries: 0, gaveUp: 0, errors: {} });
  expect(plain(caveat(late, 'Retry overhead')?.text)).toContain(
    '20.0 % of client time, in attempts that the server rolled back',
  );
});

test('errors with a successful retry are reported without a warning; abandoned work is a warning', () => {
  expect(caveat(costly, 'Calls failed')).toMatchObject({
    severity: 'info',
    text: expect.stringContaining('255 attempts were repeated and none was given up'),
  });
  expect(caveat(run(0.1, { gaveUp: 1 }), 'Calls failed')).toMatchObject({
    severity: 'warning',
    text: expect.stringContaining('3 were given up'),
  });
  expect(caveat(run(0.1, { errors: { deadlock: 85, timeout: 1 } }), 'Calls failed')?.severity).toBe('warning');
});

test('terminal, report, CSV and JSON say it', () => {
  expect(renderText(costly)).toContain('Retry overhead:\n');
  expect(plain(renderText(costly))).toContain('on PostgreSQL: 12.0 % of client time, 255 retries');
  const report = reportOf(costly);
  expect(report).toContain('<section id="retries"><h2>Retry overhead</h2>');
  const lines = toCsv(pictureOf(costly).table).split('\r\n');
  expect(lines[0]).toMatch(/,retries,given up,retry overhead \(share of client time\)$/);
  expect(lines.find((line) => line.includes(',PostgreSQL,'))).toMatch(/,255,0,0\.1(2|19)\d*$/);
  expect(lines.find((line) => line.includes(',SQLite,'))).toMatch(/,,,$/);
  expect(toCsv(throughputOverTime(costly, cssTheme).data)).toContain('retries/s');
  const json = JSON.parse(JSON.stringify(resultsJson(costly)));
  expect(json.cells.find((cell: { target: string }) => cell.target === 'PostgreSQL').conflicts.retries).toBe(255);
  expect(json.trials.find((trial: { target: string }) => trial.target === 'PostgreSQL')).toMatchObject({ retries: 85 });
});

test('an error that was made up for is not among those that failed', () => {
  const error = { kind: 'deadlock', code: '40P01', message: 'deadlock detected', hint: null, retryable: true } as const;
  const told = (model: RunModel, status: TrialStatus = 'ok'): RunModel => ({
    ...model,
    trials: model.trials.map((view) =>
      view.trial.target === 'PostgreSQL' ? { ...view, result: view.result && { ...view.result, status, error } } : view,
    ),
  });
  expect(renderText(told(costly))).not.toMatch(/failed:/i);
  expect(renderText(told(run(0.1, { gaveUp: 1 })))).toContain('\nCalls failed:\n');
  expect(renderText(told(run(0.1, { errors: { deadlock: 85, timeout: 1 } })))).toContain('\nCalls failed:\n');
  const failed = renderText(told(costly, 'failed'));
  expect(failed).toContain('\nFailed:\n');
  expect(failed).not.toContain('Calls failed:');
});

test('pauses are neither calls nor the client’s own work', () => {
  const elapsedMs = cellOf(costly).elapsedMs!.value;
  const paused = cellOf(run(0.12, {}, { pauseMs: elapsedMs * 0.1, inCallsMs: elapsedMs * 0.5 }));
  expect(paused.clientShare?.paused).toBeGreaterThan(0.05);
  const { generate, encode, inCalls, paused: pauses, other } = paused.clientShare!;
  expect(generate + encode + inCalls + pauses + other).toBeCloseTo(1, 9);
});
