import { expect, test } from 'vitest';
import { madeTournament, storeChanges } from '#analysis/compare/tournament.fixture.ts';
import { tournamentsOf } from '#analysis/compare/tournament.ts';
import { fixtureJournal, fixtureRun, readRun } from '#analysis/run-model/run.fixture.ts';
import { resultsJson } from './results-json.ts';

const jsonOf = (model: Parameters<typeof resultsJson>[0]) => JSON.parse(JSON.stringify(resultsJson(model)));

test('the JSON has the tournament of each target, with the numbers of the window and a sentence', () => {
  const model = madeTournament({ changes: storeChanges });
  const [shown] = tournamentsOf(model, {});
  const [found, ...others] = jsonOf(model).tournaments;
  expect(others).toEqual([]);
  expect(found).toMatchObject({ target: 'PostgreSQL', baseline: 'change=as it is', measures: shown!.measures });
  const [first] = found.rows;
  expect(first.ratios).toEqual(shown!.rows[0]!.ratios);
  expect(first).toMatchObject({
    change: 'covering index',
    state: 'compared',
    indexes: { bytes: 12_700_000, buildMs: 800 },
    plans: [{ statement: 'search', hasChanged: true }],
    sentence: expect.stringMatching(/^covering index: “search” 40\.6× faster/),
  });
});

test('a cell and its trial have the rows and bytes per second of the load of a table from a file', () => {
  const load = { table: 'sales', rows: 1_000, bytes: 24_000, ms: 500 };
  const { cells, trials } = jsonOf(
    readRun(
      [...fixtureJournal({ connections: [1], repeats: 1 })].map((record) =>
        record.record === 'result' ? { ...record, result: { ...record.result, tableLoads: [load] } } : record,
      ),
    ),
  );
  expect(cells[0].tableLoads).toMatchObject([
    { table: 'sales', rows: 1_000, rowsPerSecond: { value: 2_000 }, bytesPerSecond: { value: 48_000 } },
  ]);
  expect(trials[0].tableLoads).toEqual([load]);
});

test('a run without changes of its file has an empty list', () => {
  expect(jsonOf(fixtureRun({ connections: [1], repeats: 2 })).tournaments).toEqual([]);
});

test('the JSON has the costs of cells whose targets have prices, and the target that is the cheapest', () => {
  const run = fixtureRun({ connections: [1], repeats: 3 });
  expect(jsonOf(run)).toMatchObject({ costs: [] });
  expect(jsonOf(run)).not.toHaveProperty('cheapestOfEach');
  const prices = { currency: 'EUR', perHour: { PostgreSQL: 36, SQLite: 3.6 } };
  const priced = { ...run, plan: { ...run.plan, experiment: { ...run.plan.experiment, prices } } };
  const { costs, cheapestOfEach, experiment } = jsonOf(priced);
  expect(experiment.prices).toEqual(prices);
  expect(costs[0]).toMatchObject({ target: 'PostgreSQL', perHour: 36, ratio: { verdict: 'baseline' } });
  expect(costs[0].perMillion.value).toBeCloseTo(1e4 / priced.cells[0]!.rowsPerSecond!.value, 9);
  expect(cheapestOfEach.fastest.target).toBe('SQLite');
});
