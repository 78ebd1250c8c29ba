import { expect, test } from 'vitest';
import { fixtureJournal, readRun } from '#analysis/run-model/run.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatFoundRows } from '#model/statements/found-rows.ts';
import type { ShownRows } from '#model/statements/statements.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { anonymise } from '../../report/anonymise.ts';
import { checkTable } from './check-table.ts';

const none: ShownRows = { count: 0, columns: ['id'], rows: [] };
const some: ShownRows = {
  count: 17,
  columns: ['id', 'store'],
  rows: [
    ['1', null],
    ['2', '5'],
  ],
};

test('rows in words', () => {
  expect(formatFoundRows(some)).toBe('17 rows, the first: id 1, store null; id 2, store 5');
  expect(formatFoundRows(some, 1)).toBe('17 rows, the first: id 1, store null');
  expect(formatFoundRows({ count: 1, columns: ['id'], rows: [['7']] })).toBe('1 row: id 7');
});

/** Trials of one cell with the results of their checks. They have only the properties that the table reads. */
const model = (...trials: readonly (Readonly<Record<string, ShownRows | null>> | null)[]) =>
  ({
    plan: {
      experiment: { checks: { known: { about: 'Stores are known.', text: '' }, positive: { text: '' } } },
      variants: [{ id: 'v', label: 'prepared' }],
    },
    cells: [{ variant: 'v', target: 'a' }],
    trials: trials.map((found, i) => ({
      trial: { variant: 'v', target: 'a', number: i + 1 },
      result: found && { checks: Object.entries(found).map(([name, rows]) => ({ name, found: rows })) },
    })),
  }) as unknown as RunModel;

test('each check says in how many trials it held, and what it found first', () => {
  const { rows, columns } = checkTable(
    model({ known: none, positive: none }, { known: none, positive: some }, null, { known: none, positive: some }),
  );
  expect(columns.map(({ title }) => title).slice(2, 4)).toEqual(['Check', 'Condition']);
  const found = 'Trial 2: 17 rows, the first: id 1, store null; id 2, store 5.';
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['prepared', 'a', 'known', 'Stores are known.', '3 of 3 trials', ''],
    ['prepared', 'a', 'positive', '', { text: '1 of 3 trials', tone: 'differs' }, found],
  ]);
});

test('a check without a text for the engine was not asked; nothing is said before trials have ended', () => {
  const { rows } = checkTable(model({ known: null, positive: none }));
  expect(rows.map(({ cells }) => cells.slice(4))).toEqual([
    ['–', expect.stringContaining('no text')],
    ['1 of 1 trial', ''],
  ]);
  expect(checkTable(model(null)).rows).toEqual([]);
});

test('an anonymised run has its checks and what they found, without the names of engines', () => {
  const found: ShownRows = { count: 1, columns: ['version'], rows: [['PostgreSQL 18']] };
  const journal = [...fixtureJournal({ connections: [1], repeats: 1 })];
  const run = readRun(journal.map((record) => withCheck(record, found)));
  const [row] = checkTable(anonymise(run)).rows;
  expect(row!.cells.slice(2)).toEqual([
    ...['not-Target-A', 'Nothing of Target A.', { text: '0 of 1 trial', tone: 'differs' }],
    expect.stringMatching(/1 row: version Target A 18\.$/),
  ]);
});

function withCheck(record: JournalRecord, found: ShownRows): JournalRecord {
  if (record.record === 'result')
    return { ...record, result: { ...record.result, checks: [{ name: 'not-postgresql', found }] } };
  if (record.record !== 'header') return record;
  const checks = { 'not-postgresql': { about: 'Nothing of PostgreSQL.', text: 'SELECT version()' } };
  return { ...record, plan: { ...record.plan, experiment: { ...record.plan.experiment, checks } } };
}
