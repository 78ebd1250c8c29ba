import { expect, test } from 'vitest';
import type { KeptStatements } from '#engine-api/kept-statements.ts';
import type { ColumnFacts, TableFacts } from '#engine-api/table-facts.ts';
import { findEngine } from '#engines/catalog.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { chooseStatements } from '../import-statements/imported-experiment.ts';
import { judgedStatements } from '../import-statements/judged-statements.ts';
import { twinOf } from '../import-tables/twin.ts';
import { type RehearsalParts, rehearsalExperiment } from './rehearsal-experiment.ts';

const languageOf = (engine: string) => findEngine(engine)!.descriptor.statements!;

const column = (name: string, type: string): ColumnFacts => ({
  ...{ name, type, args: [], isNullable: false, isCounted: false, isComputed: false, isArray: false, labels: null },
  statistics: { nullShare: 0, distinct: 100, common: [], bounds: [1, 50, 100], meanBytes: 4, rowOrder: null },
});
const orders: TableFacts = {
  ...{ schema: 'shop', name: 'Orders', rows: 1_000, key: ['Id'], foreignKeys: [], indexes: [], joint: [], notes: [] },
  columns: [
    { ...column('Id', 'integer'), statistics: { ...column('Id', 'integer').statistics!, distinct: 1_000 } },
    column('Customer', 'integer'),
  ],
};
const kept: KeptStatements = {
  statements: [
    { text: 'SELECT * FROM shop."Orders" WHERE "Customer" = $1', calls: 90, meanMs: 5, rowsPerCall: 10 },
    { text: 'SELECT count(*) FROM shop."Orders" WHERE "Id" BETWEEN $1 AND $2', calls: 10, meanMs: 30, rowsPerCall: 1 },
  ],
  others: [{ kind: 'definition', texts: 2, calls: 2, totalMs: 250, words: ['CREATE INDEX'] }],
  ...{ totalMs: 1_000, totalCalls: 102, since: null },
};
const tables = [{ schema: 'shop', name: 'Orders', columns: ['Id', 'Customer'] }];
const targetOf = (name: string, engine: string) => ({ name, engine, language: languageOf(engine) });

function made(more: Partial<RehearsalParts> = {}) {
  const language = languageOf('postgres');
  const text = rehearsalExperiment({
    ...{ source: 'shop', language, method: 'prepared', kept },
    chosen: chooseStatements(judgedStatements(kept, tables, language), { by: 'time', top: 50, writes: false }),
    twin: twinOf([orders], { scale: 1, keepValues: false }),
    reference: targetOf('postgres@17', 'postgres'),
    candidates: [targetOf('postgres@18', 'postgres'), targetOf('local-mariadb', 'mysql')],
    choices: { seconds: 1, repeats: 5, margin: 0.1, connections: 1 },
    refusals: null,
    ...more,
  });
  const { experiment, diagnostics } = parseFile(text!);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return { text: text!, experiment: experiment! };
}

test('the statements run on tables of Dyno, each in a level of its own, with their shares of the time', () => {
  const { experiment } = made();
  const statements = Object.values(experiment.statements!);
  expect(statements.map(({ text }) => text)).toEqual([
    'SELECT * FROM {orders} WHERE customer = :customer',
    'SELECT count(*) FROM {orders} WHERE id BETWEEN :id AND :id_2',
  ]);
  expect(statements.map(({ timeShare }) => timeShare)).toEqual([0.45, 0.3]);
  expect(statements.map(({ weight }) => weight)).toEqual([1, 0]);
  expect(Object.keys(experiment.factors.statement!)).toEqual(Object.keys(experiment.statements!));
  expect(experiment).toMatchObject({
    targets: ['postgres@17', 'postgres@18', 'local-mariadb'],
    baseline: { target: 'postgres@17' },
    compare: 'targets',
    rehearsal: { source: 'shop', margin: 0.1 },
  });
});

test('the time that is not covered stands in the file, with its reason', () => {
  expect(made().experiment.rehearsal!.leftOut).toEqual([
    { what: expect.stringContaining('CREATE INDEX'), why: 'No experiment runs them.', timeShare: 0.25 },
  ]);
});

test('parameters draw the same rows in the same order on every target', () => {
  const { experiment } = made();
  const [one, range] = Object.values(experiment.statements!);
  expect(one!.parameters.customer).toMatchObject({
    type: 'query',
    text: 'SELECT customer FROM {orders} ORDER BY id LIMIT 10000',
  });
  expect(range!.parameters.id).toMatchObject({
    text: expect.stringMatching(/FROM \(SELECT id FROM \{orders\} ORDER BY id LIMIT 10000\).* ORDER BY 1, 2$/),
  });
});

test('an engine that writes the first rows otherwise has a text of its own', () => {
  const { experiment } = made({ candidates: [targetOf('mine', 'sqlserver')] });
  expect(Object.values(experiment.statements!)[0]!.parameters.customer).toMatchObject({
    text: {
      default: 'SELECT customer FROM {orders} ORDER BY id LIMIT 10000',
      sqlserver: 'SELECT TOP 10000 customer FROM {orders} ORDER BY id',
    },
  });
});

test('a candidate’s message is the reason why it does not run a statement', () => {
  const [name] = Object.keys(made().experiment.statements!);
  const { experiment } = made({ refusals: { [name!]: { 'local-mariadb': 'syntax error' } } });
  expect(experiment.statements![name!]).toMatchObject({ notOn: { 'local-mariadb': 'syntax error' } });
});

test('a statement that the reference does not run is left out with its message, and its time is not covered', () => {
  const [name, other] = Object.keys(made().experiment.statements!);
  const { experiment } = made({ refusals: { [name!]: { 'postgres@17': 'no such column' } } });
  expect(Object.keys(experiment.statements!)).toEqual([other]);
  expect(experiment.rehearsal!.leftOut).toContainEqual({
    what: name,
    why: 'postgres@17 does not run it on the twin: no such column',
    timeShare: 0.45,
  });
});
