import { expect, test } from 'vitest';
import { timesOf } from '#analysis/run-model/journal-parts.fixture.ts';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import { resultsJson } from '#cli/results/results-json.ts';
import { formatMs } from '#model/format/format.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { cellFile, trialFile } from '#presentation/data-set/result-files.ts';
import { connectingByTrial, connectingTable } from '#presentation/tables/calls/connecting-table.ts';
import { renderText } from '#presentation/terminal/run-text.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { modelOf, reportOf } from './results.fixture.ts';

/** A run in which each trial on PostgreSQL opened 200 sessions in 5 ms each. */
function* connectingJournal(): Generator<JournalRecord> {
  for (const record of fixtureJournal({ connections: [1, 4] })) {
    if (record.record !== 'result' || record.result.target !== 'PostgreSQL') yield record;
    else {
      const { result } = record;
      const connecting = { opened: timesOf([5, 200]), failed: 2, endMs: 20, openMs: 1_000, prepareMs: 101 };
      yield { ...record, result: { ...result, totals: { ...result.totals, connecting } } };
    }
  }
}

const model = modelOf(connectingJournal());
const own = model.cells.filter(({ target }) => target === 'PostgreSQL');

test('a cell has the times of all its sessions, and the share of the time that they took', () => {
  for (const { connecting, ok } of own) {
    expect(connecting!.latencyMs.count).toBe(200 * ok);
    expect(connecting!.latencyMs.p50! / 5).toBeCloseTo(1, 1);
    expect(connecting!.failed).toBe(2 * ok);
    expect(connecting!.prepareMs).toBeCloseTo(0.5, 6);
    expect(connecting!.share).toBeGreaterThan(0);
  }
  expect(model.cells.filter(({ target, connecting }) => target !== 'PostgreSQL' && connecting)).toEqual([]);
});

test('window, report and terminal have them in a table, and trial by trial', () => {
  const { rows } = connectingTable(model);
  expect(rows).toHaveLength(own.length);
  expect(rows[0]!.cells).toContain(formatMs(0.5));
  const trials = model.trials.filter(({ trial, result }) => trial.target === 'PostgreSQL' && result);
  expect(connectingByTrial(model).rows).toHaveLength(trials.length);
  expect(reportOf(model)).toContain('id="connecting"');
  expect(renderText(model)).toContain('Connecting:');
  const kept = modelOf(fixtureJournal({ connections: [1, 4] }));
  expect(connectingTable(kept).rows).toEqual([]);
  expect(renderText(kept)).not.toContain('Connecting:');
});

test('scripts get the numbers: JSON without histograms, and columns of the data set', () => {
  const { cells, trials } = resultsJson(model) as {
    readonly cells: readonly { readonly target: string; readonly connecting: unknown }[];
    readonly trials: readonly { readonly target: string; readonly connecting?: unknown }[];
  };
  expect(cells.find(({ target }) => target === 'PostgreSQL')!.connecting).toMatchObject({ failed: 2 * own[0]!.ok });
  const trial = trials.find(({ target }) => target === 'PostgreSQL')!;
  expect(trial.connecting).toMatchObject({ failed: 2, latencyMs: { count: 200 } });
  for (const { columns } of [cellFile(model, baselineOf(model)), trialFile(model)])
    expect(columns.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['connect_count', 'connect_p50_ms', 'connect_p99_ms', 'connect_max_ms', 'connect_share']),
    );
});
