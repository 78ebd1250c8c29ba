import { expect, test } from 'vitest';
import { madeTournament, storeChanges } from '#analysis/compare/tournament.fixture.ts';
import { tournamentsOf } from '#analysis/compare/tournament.ts';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
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

test('a run without changes of its file has an empty list', () => {
  expect(jsonOf(fixtureRun({ connections: [1], repeats: 2 })).tournaments).toEqual([]);
});
