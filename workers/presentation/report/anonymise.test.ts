import { expect, test } from 'vitest';
import { fixtureJournal, fixtureRun, readRun } from '#analysis/run-model/run.fixture.ts';
import { setupRows } from '#analysis/settings/setup-rows.ts';
import { experimentOf } from '#experiment/schema/levels.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { costTable } from '../tables/comparison/cost-table.ts';
import { indexCostTable } from '../tables/comparison/index-cost-table.ts';
import { anonymise } from './anonymise.ts';

const why = 'SYS.MEMORYANALYTICS does not list the index.';

function withIndexes(record: JournalRecord): JournalRecord {
  if (record.record !== 'result') return record;
  const indexBytes = [{ index: 'to_postgresql(a)', bytes: null, why }];
  const tableLoads = [{ table: 'postgresql_sales', rows: 10, bytes: 80, ms: 5 }];
  const pages = { part: 'index on to_postgresql(a) of postgresql_sales', density: 0.5, outOfOrder: 0, freeBytes: 8 };
  const pageUse = { parts: [pages], why };
  return { ...record, result: { ...record.result, indexBytes, tableLoads, pageUse } };
}

test('an anonymised run has its indexes and loads without reasons and names that reveal the server', () => {
  const run = readRun([...fixtureJournal({ connections: [1], repeats: 1 })].map(withIndexes));
  expect(JSON.stringify(indexCostTable(run))).toContain(why);
  const hidden = anonymise(run);
  expect(indexCostTable(hidden).rows.length).toBe(indexCostTable(run).rows.length);
  expect(JSON.stringify(indexCostTable(hidden))).toContain('The server did not tell the size.');
  for (const { tableLoads } of hidden.cells)
    expect(tableLoads).toMatchObject([{ table: 'Target A_sales', rows: 10, bytes: 80 }]);
  for (const { pageUse } of hidden.cells) expect(pageUse).toMatchObject({ parts: [{ density: 0.5 }], why: null });
  expect(JSON.stringify(hidden)).not.toMatch(/MEMORYANALYTICS|postgresql_sales|to_postgresql/);
});

test('names of statements stay as the file has them, at query plans as in tables', () => {
  const run = fixtureRun({ connections: [1], repeats: 1 });
  const queryPlans = [{ statement: 'postgresql_orders', plan: null, reason: 'PostgreSQL refused it' }];
  const hidden = anonymise({ ...run, trials: run.trials.map((view) => ({ ...view, queryPlans })) });
  expect(hidden.trials[0]!.queryPlans).toMatchObject([
    { statement: 'postgresql_orders', reason: 'this engine gives none' },
  ]);
});

test('prices are those of the hidden targets', () => {
  const run = fixtureRun({ connections: [1], repeats: 2 });
  const prices = { currency: 'EUR', perHour: { PostgreSQL: 2, SQLite: 1 } };
  const hidden = anonymise({ ...run, plan: { ...run.plan, experiment: { ...run.plan.experiment, prices } } });
  expect(costTable(hidden, baselineOf(hidden)).rows.map(({ cells }) => cells.slice(1, 4)[0])).toContain('Target A');
  expect(hidden.plan.experiment.prices?.perHour).toEqual({ 'Target A': 2, 'Target B': 1 });
});

test('checks of levels are hidden like those of the file, and variants keep the sections that their levels change', () => {
  const [header, ...others] = fixtureJournal({ connections: [1], repeats: 1 });
  if (header?.record !== 'header') throw new Error('A journal begins with its header.');
  const checks = { 'not-postgresql': { about: 'Nothing of PostgreSQL.', text: 'SELECT 1' } };
  const { experiment } = header.plan;
  const factors = { ...experiment.factors, more: { none: {}, checked: { checks } } };
  const run = readRun([{ ...header, plan: { ...header.plan, experiment: { ...experiment, factors } } }, ...others]);
  const own = experimentOf(anonymise(run).plan.experiment, { more: 'checked' });
  expect(own.checks).toEqual({ 'not-Target-A': { about: 'Nothing of Target A.', text: 'SELECT 1' } });
});

test('factors, levels, the stop of a run and the remains on a server name no product', () => {
  const [header, ...others] = fixtureJournal({ connections: [1], repeats: 1 });
  if (header?.record !== 'header') throw new Error('A journal begins with its header.');
  const at = header.at;
  const { experiment, variants } = header.plan;
  const level = { 'postgres.fsync': 'of postgres' };
  const plan = {
    ...header.plan,
    experiment: {
      ...experiment,
      factors: { ...experiment.factors, 'postgres.fsync': ['of postgres', 'off'] },
      baseline: level,
    },
    variants: variants.map((one, i) => (i === 1 ? { ...one, levels: { ...one.levels, ...level } } : one)),
  };
  const run = readRun([
    { ...header, plan },
    ...others,
    { record: 'sessions', at, target: 'PostgreSQL', left: 1, held: ['postgres holds it.'], parameters: ['fsync'] },
    { record: 'halted', at, reason: 'PostgreSQL is full.' },
  ]);
  expect(baselineOf(run)).toEqual({ variant: variants[1]!.id });
  const hidden = anonymise(run);
  const { sessionsLeft, halted, caveats } = hidden;
  expect([sessionsLeft.length, halted]).toEqual([run.sessionsLeft.length, 'Target A is full.']);
  expect(JSON.stringify([hidden.plan, sessionsLeft, caveats])).not.toMatch(/"[^"]*postgres/i);
  expect(baselineOf(hidden)).toEqual(baselineOf(run));
});

test('an anonymised run still tells where the servers are, and which cells were skipped', () => {
  const run = readRun(fixtureJournal({ connections: [1], repeats: 2 }));
  const hidden = anonymise(run);
  const placesOf = (model: typeof run) => setupRows(model).find(({ setting }) => setting === 'where it runs')?.values;
  expect(placesOf(hidden)).toEqual(placesOf(run));
  expect(hidden.plan.skipped).toHaveLength(run.plan.skipped.length);
  expect(run.plan.skipped.length).toBeGreaterThan(0);
});
