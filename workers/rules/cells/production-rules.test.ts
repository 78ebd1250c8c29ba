import { describe, expect, it } from 'vitest';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { descriptor } from '#engines/postgres/descriptor.ts';
import { descriptor as sqlserver } from '#engines/sqlserver/descriptor.ts';
import { experimentYaml } from '#integration/home.fixture.ts';
import type { Production } from '#model/production.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { parseFile } from '../parsed-file.ts';

const reading = {
  columns: '{}',
  statements: '{ look: { text: SELECT 1, isRead: true } }',
  targets: '[live]',
};
const slowly = '{ operation: statement, method: bind, load: open, arrivalsPerSecond: 50 }';

/** The reason why each variant is left out on a production connection, by variant; '' for those that run. */
function refusals(
  production: Production,
  parts: Parameters<typeof experimentYaml>[0],
  engine: EngineDescriptor = descriptor,
): readonly string[] {
  const yaml = experimentYaml(parts).replace('  key: id\n', parts?.columns === '{}' ? '' : '  key: id\n');
  const file = parseFile(yaml);
  if (!file.experiment) throw new Error(JSON.stringify(file.diagnostics));
  const connection = { name: 'live', engine: engine.id, hue: 2, production };
  const { plan, diagnostics: problems } = planExperiment(file, { catalog: [engine], connections: [connection] });
  // If nothing is left, the plan has an error with the first reason.
  if (!plan) return problems.filter(({ severity }) => severity === 'error').map(({ suggestion }) => suggestion ?? '?');
  expect(plan.targets).toMatchObject([{ name: 'live', production: true }]);
  return plan.variants.map(({ id }) => plan.skipped.find(({ variant }) => variant === id)?.reason ?? '');
}

describe('a production connection', () => {
  it('takes statements that read, at a rate below its limit, over few connections', () => {
    expect(refusals({}, { ...reading, workload: slowly, factors: '{ connections: [4, 5] }' })).toEqual([
      '',
      '5 connections are more than the 4 that its production connection allows.',
    ]);
    expect(
      refusals({ maxConnections: 5 }, { ...reading, workload: slowly, factors: '{ connections: [4, 5] }' }),
    ).toEqual(['', '']);
  });

  it('takes no settings of sessions from a file, in levels neither, but runs the variants without', () => {
    const factors =
      '{ plans: { as is: {}, generic: { session: { postgres: { plan_cache_mode: force_generic_plan } } } } }';
    expect(refusals({ allowWrites: true }, { ...reading, workload: slowly, factors })).toEqual([
      '',
      expect.stringContaining('plan_cache_mode would be set in sessions of a production server'),
    ]);
  });

  it('refuses loads without a limit, and those above it', () => {
    const factors = '{ arrivalsPerSecond: [100, 101] }';
    expect(refusals({}, { ...reading, workload: slowly, factors })).toEqual([
      '',
      'Up to 101 statements a second are more than the 100 that its production connection allows.',
    ]);
    const closed = '{ operation: statement, method: bind, connections: 2 }';
    expect(refusals({}, { ...reading, workload: closed })).toEqual([expect.stringContaining('Nothing limits')]);
    // Two users who think for 20 ms make 100 calls a second at most.
    const thinking = '{ operation: statement, method: bind, connections: 2, thinkMs: 20 }';
    expect(refusals({}, { ...reading, workload: thinking })).toEqual(['']);
    expect(refusals({ maxPerSecond: 99 }, { ...reading, workload: thinking })).toEqual([
      expect.stringContaining('Up to 100'),
    ]);
  });

  it('judges the texts and tables of each level by themselves', () => {
    const levels = [
      'reads: {}',
      'writes: { statements: { look: { text: DELETE FROM customers } } }',
      'table: { tables: { more: { rows: 1, columns: { a: { type: integer } } } } }',
      'elsewhere: { statements: { look: { text: { mysql: DELETE FROM customers } } } }',
    ];
    expect(refusals({}, { ...reading, workload: slowly, factors: `{ level: { ${levels.join(', ')} } }` })).toEqual([
      '',
      expect.stringContaining('“look” writes'),
      expect.stringContaining('create and fill a table'),
      expect.stringMatching(/^Same as “Level: reads”/),
    ]);
  });

  it('keeps its cache, whatever it allows', () => {
    const cold = '{ operation: statement, method: bind, load: open, arrivalsPerSecond: 50, cache: cold }';
    for (const production of [{}, { allowWrites: true }] as const)
      expect(refusals(production, { ...reading, workload: cold }, sqlserver)).toEqual([
        expect.stringContaining('for everybody (CHECKPOINT, then DBCC DROPCLEANBUFFERS)'),
      ]);
    expect(refusals({}, { ...reading, workload: slowly }, sqlserver)).toEqual(['']);
  });

  it('is read-only unless it allows writes: no table is made, and no statement that may write runs', () => {
    const load = 'load: open, arrivalsPerSecond: 50';
    const insert = {
      workload: `{ operation: insert, ${load} }`,
      targets: '[live]',
      measure: '{ until: { seconds: 1 } }',
    };
    expect(refusals({}, insert)).toEqual([expect.stringContaining('create and fill a table')]);
    expect(refusals({ allowWrites: true }, insert)).toEqual(['']);
    for (const text of [
      'DELETE FROM customers',
      'WITH gone AS (DELETE FROM customers RETURNING 1) SELECT 1',
      'CALL p()',
    ]) {
      // A statement's own declaration does not count.
      const writing = { ...reading, statements: `{ wipe: { text: '${text}', isRead: true } }`, workload: slowly };
      expect(refusals({}, writing), text).toEqual([expect.stringContaining('“wipe” writes')]);
      expect(refusals({ allowWrites: true }, writing), text).toEqual(['']);
    }
  });

  it('judges the queries of parameters as it judges statements, at every level of the file', () => {
    const asks = (text: string) => `{ b: { type: query, text: ${JSON.stringify(text)} } }`;
    const look = 'look: { text: "SELECT :b" }';
    const levels = (text: string) => ({
      'of a statement': { statements: `{ look: { text: "SELECT :b", parameters: ${asks(text)} } }` },
      'of a text for one engine': {
        statements: `{ look: { text: "SELECT :b", parameters: { b: { type: query, text: { default: SELECT 1, postgres: ${JSON.stringify(text)} } } } } }`,
      },
      'of a text for one target': {
        statements: `{ look: { text: "SELECT :b", parameters: { b: { type: query, text: { default: SELECT 1, live: ${JSON.stringify(text)} } } } } }`,
      },
      'of a transaction': {
        statements: `{ ${look} }\ntransactions: { all: { steps: [look], parameters: ${asks(text)} } }`,
      },
      'of a block': {
        statements: `{ ${look} }\ntransactions: { all: { steps: [{ steps: [look], parameters: ${asks(text)} }] } }`,
      },
      'of what runs otherwise': {
        statements: `{ ${look}, other: { text: SELECT 1 } }\ntransactions: { all: { steps: [{ steps: [other], probability: 0.5, otherwise: [{ steps: [look], parameters: ${asks(text)} }] }] } }`,
      },
      'of a scenario': {
        statements: `{ ${look} }\nscenarios: { users: { steps: [look, { thinkMs: 1000 }], parameters: ${asks(text)} } }`,
      },
    });
    const hostile = 'DO $$ BEGIN COMMIT; DELETE FROM orders; END $$';
    for (const [level, parts] of Object.entries(levels(hostile)))
      expect(refusals({}, { ...reading, ...parts, workload: slowly }), level).toEqual([
        expect.stringContaining('The query of the parameter “b” writes, or may do so. It begins with DO'),
      ]);
    for (const [level, parts] of Object.entries(levels('SELECT id FROM orders')))
      expect(refusals({}, { ...reading, ...parts, workload: slowly }).join(), level).not.toContain('writes');
  });

  it('says why a text may write: it names the function', () => {
    const calls = { ...reading, statements: '{ look: { text: SELECT shop.visit(1) } }', workload: slowly };
    expect(refusals({}, calls)).toEqual([expect.stringContaining('It calls shop.visit(), which Dyno does not know')]);
    const checked = { ...reading, statements: '{ look: { text: SELECT 1 } }\nchecks: { c: { text: SELECT wipe() } }' };
    expect(refusals({}, { ...checked, workload: slowly })).toEqual([expect.stringContaining('“c” writes')]);
  });
});
