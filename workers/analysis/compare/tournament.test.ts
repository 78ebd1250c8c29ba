import { expect, test } from 'vitest';
import type { Plan } from '#protocol/plan.ts';
import { fixtureRun } from '../run-model/run.fixture.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { headlineClaims } from './headline-claims.ts';
import { latencyRatios } from './latency-ratios.ts';
import { madeTournament, storeChanges, wideTournament } from './tournament.fixture.ts';
import { tournamentsOf } from './tournament.ts';

const baseline = { variant: 'change=as it is' };

test('a tournament has a row for each variant, and reads before writes', () => {
  const [found, ...others] = tournamentsOf(madeTournament({ changes: storeChanges }), {});
  expect(others).toEqual([]);
  expect(found!.baseline).toBe(baseline.variant);
  // The file writes the statement that writes first.
  expect(found!.measures).toEqual([
    { work: 'search', figure: 0.95, isWrite: false },
    { work: 'sell', figure: 0.99, isWrite: true },
  ]);
  expect(found!.rows.map(({ variant, state }) => [variant.replace('change=', ''), state])).toEqual([
    ['covering index', 'compared'],
    ['rewritten', 'compared'],
    ['as it is', 'baseline'],
    ['same text', 'compared'],
    ['NOT IN', 'disqualified'],
  ]);
});

test('its ratios are those of the latency table, and they are certain where a headline may say so', () => {
  const model = madeTournament({ changes: storeChanges });
  const [{ rows }] = tournamentsOf(model, {}) as [ReturnType<typeof tournamentsOf>[number]];
  const table = latencyRatios(model, baseline);
  const { latency } = headlineClaims(model, baseline);
  for (const own of rows.flatMap(({ ratios }) => ratios)) {
    if (own?.of !== 'time') throw new Error('A measure of the tournament is no time');
    const { of: _, isCertain, ...ratio } = own;
    expect(table).toContainEqual(ratio);
    const claimed = [...latency!.certain].some((one) => one.variant === own.variant && one.work === own.work);
    expect(isCertain, `${own.variant} ${own.work}`).toBe(claimed);
  }
  expect(rows[0]!.ratios.map((one) => one?.isCertain)).toEqual([true, true]);
});

test('a variant has the size of its indexes, the time to build them, and its plans beside the baseline’s', () => {
  const [{ rows }] = tournamentsOf(madeTournament({ changes: storeChanges }), {}) as [
    ReturnType<typeof tournamentsOf>[number],
  ];
  const [index, rewritten, asItIs] = rows;
  const sum = { names: ['by_store of sales'], bytes: 12_700_000, buildMs: 800 };
  expect([index!.indexes, index!.addedIndexes, index!.removedIndexes]).toEqual([sum, sum, null]);
  expect([asItIs!.indexes, asItIs!.tableBytes]).toEqual([null, 34_000_000]);
  expect([index, rewritten, asItIs].map((row) => row!.plans.map(({ hasChanged }) => hasChanged))).toEqual([
    [true],
    [true],
    [false],
  ]);
});

test('each target has a tournament; variants that it does not run, and those that fail, are last', () => {
  const all = tournamentsOf(madeTournament(wideTournament), {});
  expect(all.map(({ target }) => target)).toEqual(wideTournament.targets);
  for (const { rows } of all) expect(rows).toHaveLength(wideTournament.changes.length);
  expect(all[1]!.rows.slice(-2).map(({ variant, state }) => [variant, state])).toEqual([
    ['change=included column', 'skipped'],
    ['change=broken', 'failed'],
  ]);
  expect(all[0]!.comparisons).toBe(all[3]!.comparisons);
});

/** The tournaments of a run with levels named “as it is” and “packed”, or a list of these values. */
function tournamentsWith(factors: Plan['experiment']['factors'], judge?: Plan['experiment']['judge']) {
  const changes = [
    { name: 'as it is', ms: [10, 1], plan: 'Seq Scan' },
    { name: 'packed', ms: [9, 1], plan: 'Seq Scan' },
  ] as const;
  const model = madeTournament({ changes });
  const plan = { ...model.plan, experiment: { ...model.plan.experiment, factors, judge } };
  return tournamentsOf({ ...model, plan }, {});
}

test.each([
  ['a setting of tables', { change: { 'as it is': {}, packed: { fillFactor: 70 } } }],
  ['an option of the engine', { change: { 'as it is': {}, packed: { options: { 'mysql.compression': 'page' } } } }],
  ['a list of a setting of tables', { fillFactor: [100, 70] }],
  ['a list of an option of the engine', { 'mysql.compression': ['none', 'page'] }],
])('levels that change %s are judged by the times of each statement', (_, factors) => {
  const [found, ...others] = tournamentsWith(factors);
  expect(others).toEqual([]);
  expect(found!.rows.map(({ state }) => state)).toEqual(['compared', 'baseline']);
  expect(found!.measures.map(({ work }) => work)).toEqual(['search', 'sell']);
});

test('named levels of settings are compared by the throughput, unless the file judges times', () => {
  const factors = { change: { 'as it is': {}, packed: { connections: 2 } } };
  const [found] = tournamentsWith(factors);
  expect(found!.measures.map(({ figure }) => figure)).toEqual(['throughput']);
  expect(found!.rows).toHaveLength(2);
  const judged = tournamentsWith(factors, [{ statement: 'search', quantile: 0.5 }]);
  expect(judged[0]!.measures.map(({ work }) => work)).toEqual(['search']);
});

test('a list of loads, and a factor with a single level, have no tournament', () => {
  expect(tournamentsWith({ connections: [1, 2] })).toEqual([]);
  expect(tournamentsWith({ change: { packed: { fillFactor: 70 } } })).toEqual([]);
  expect(tournamentsOf(fixtureRun({ connections: [1], repeats: 2 }), {})).toEqual([]);
});

test('a variant that the server itself refused in its first trial is skipped, with the reason', () => {
  const made = madeTournament({ changes: storeChanges });
  const [variant, target, reason] = ['change=rewritten', 'PostgreSQL', 'This version has no such option.'];
  const refused = (one: { readonly variant: string }) => one.variant === variant;
  const cells = made.cells.map((one) => (refused(one) ? { ...one, ok: 0, failed: 0 } : one));
  const rowOf = (model: RunModel) => tournamentsOf(model, {})[0]!.rows.find(refused);
  expect(rowOf({ ...made, cells, skipped: [{ variant, target, reason }] })).toMatchObject({
    state: 'skipped',
    why: reason,
  });
  expect(rowOf({ ...made, cells })).toMatchObject({ state: 'pending', why: null });
  // Another trial of it had a result.
  expect(rowOf({ ...made, skipped: [{ variant, target, reason }] })).toMatchObject({ state: 'compared' });
});
