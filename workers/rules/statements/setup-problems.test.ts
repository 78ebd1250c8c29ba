import { describe, expect, it } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import type { Production } from '#model/production.ts';
import { canShareTable } from '#planning/can-share-table.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { planOf, variantOf } from '#planning/variant-of.ts';
import { writesText } from '../cells/production-rules.ts';
import { parseFile } from '../parsed-file.ts';

const descriptors = catalog.map(({ descriptor }) => descriptor);
const ora = { name: 'ora', engine: 'oracle', host: 'h', user: 'u', serviceName: 's' };

interface Parts {
  readonly setup?: object;
  readonly teardown?: object;
  /** The levels of a factor `with`. */
  readonly levels?: object;
  readonly text?: unknown;
  readonly targets?: readonly unknown[];
}

const file = ({ setup, teardown, levels, text = 'SELECT id FROM {table}', targets = ['embedded-postgres'] }: Parts) =>
  JSON.stringify({
    ...{ dyno: 1, name: 'n', question: 'q', workload: { operation: 'statement', method: 'bind' } },
    dataset: { rows: 10, key: 'id', columns: { id: { type: 'sequence' } } },
    statements: { read: { text } },
    ...(setup && { setup }),
    ...(teardown && { teardown }),
    ...(levels && { factors: { with: levels } }),
    ...{ targets, measure: { until: { seconds: 1 } } },
  });
const planned = (parts: Parts) => planExperiment(parseFile(file(parts)), { catalog: descriptors });
const problemsOf = (parts: Parts) =>
  planned(parts).diagnostics.map(({ path, message, suggestion }) => ({ path, message, suggestion }));

const view = 'CREATE VIEW {mine} AS SELECT id FROM {table}';

describe('statements of setup', () => {
  it('make what other texts name, in the order of the file', () => {
    const setup = { mine: view, other: { default: 'CREATE VIEW {other} AS SELECT * FROM {mine}' } };
    expect(problemsOf({ setup, text: 'SELECT id FROM {other}' })).toEqual([]);
  });

  it('are refused at their place with the reason if Dyno could not undo them, also in a level', () => {
    expect(problemsOf({ setup: { mine: { postgres: 'CREATE OR REPLACE VIEW {mine} AS SELECT 1' } } })).toEqual([
      {
        path: 'setup.mine.postgres',
        message: '`mine` is no statement of setup on PostgreSQL.',
        suggestion: expect.stringContaining('would replace what exists'),
      },
    ]);
    expect(problemsOf({ levels: { without: {}, with: { setup: { mine: 'DROP TABLE orders' } } } })).toMatchObject([
      { path: 'factors.with.with.setup.mine', suggestion: expect.stringContaining('bring back') },
    ]);
    expect(problemsOf({ setup: { mine: `${view}; DROP TABLE orders` } })).toMatchObject([
      { path: 'setup.mine', message: expect.stringContaining('more than one statement') },
    ]);
  });

  it('have names of their own', () => {
    expect(problemsOf({ setup: { table: 'CREATE VIEW {table} AS SELECT 1' } })).toMatchObject([
      { path: 'setup.table', message: 'A table is called `table`, too.' },
    ]);
    expect(problemsOf({ setup: { Mine: 'CREATE VIEW {Mine} AS SELECT 1' } })).toMatchObject([
      { path: 'setup.Mine', message: expect.stringContaining('lower-case name') },
    ]);
  });

  it('are missed by the texts of an engine that has no text of that statement', () => {
    const other = 'CREATE VIEW {other} AS SELECT id FROM {table}';
    const parts = { setup: { mine: { oracle: view }, other }, text: 'SELECT id FROM {mine}' };
    expect(problemsOf({ ...parts, targets: [ora] })).toEqual([]);
    expect(problemsOf({ ...parts, targets: ['embedded-postgres', ora] })).toMatchObject([
      { message: '`read` has {mine} on PostgreSQL, and `setup.mine` has no text for it.' },
    ]);
  });

  it('leave cells of engines empty that have none of the texts, or no such statements', () => {
    const levels = { without: {}, with: { setup: { mine: { postgres: view } } } };
    const calls = { ...levels.with, statements: { read: { text: 'SELECT id FROM {mine}' } } };
    expect(problemsOf({ levels: { ...levels, with: calls }, targets: ['embedded-postgres', 'sqlite'] })).toEqual([]);
    expect(planned({ levels, targets: ['embedded-postgres', 'sqlite', 'noop'] }).plan?.skipped).toEqual([
      {
        variant: 'with=with',
        target: 'sqlite',
        reason: 'No statement of `setup` has a text for SQLite (setup.mine.sqlite).',
      },
      {
        variant: 'with=with',
        target: 'noop',
        reason: expect.stringContaining('Same as “With: without”'),
        sameAs: 'with=without',
      },
    ]);
    const { plan } = planned({
      setup: { mine: { default: view } },
      text: { ravendb: 'from {table}', default: 'SELECT id FROM {table}' },
      targets: ['embedded-postgres', 'local-ravendb'],
    });
    expect(plan?.skipped).toMatchObject([{ target: 'local-ravendb', reason: expect.stringContaining('no views') }]);
  });

  it('tell variants apart, whose tables are not shared', () => {
    const levels = { without: {}, one: { setup: { mine: view } }, again: { setup: { mine: { default: view } } } };
    const { plan } = planned({ levels });
    expect(plan!.skipped).toEqual([
      {
        variant: 'with=again',
        target: 'embedded-postgres',
        reason: expect.stringContaining('Same as “With: one”'),
        sameAs: 'with=one',
      },
    ]);
    const [without, own] = ['with=without', 'with=one'].map((id) => {
      const variant = variantOf(plan!, id)!;
      return { ...variant, settings: { ...variant.settings, operation: 'readByKey' as const } };
    });
    expect(planOf(plan!, own!).experiment.setup).toEqual({ mine: view });
    expect(canShareTable(plan!, without!, without!, 'sqlite')).toBe(true);
    expect(canShareTable(plan!, own!, own!, 'sqlite')).toBe(false);
  });

  it('are writes, which a read-only production connection does not get', () => {
    const { plan } = planned({ setup: { mine: view } });
    const alone = { ...plan!.experiment, dataset: { rows: 1, seed: 1, columns: {} }, statements: {} };
    const postgres = descriptors.find(({ id }) => id === 'postgres')!;
    const target = { name: 'p', engine: 'postgres' };
    const why = (production: Production) =>
      writesText(production, target, postgres, alone, plan!.variants[0]!.settings);
    expect(why({})).toContain('The setup of “mine” writes');
    expect(why({ allowWrites: true })).toBeNull();
  });
});

describe('statements of teardown', () => {
  it('name what setup has made, by its name or one of their own', () => {
    const teardown = { mine: 'DROP VIEW {mine}', statistics: { default: 'ANALYZE {table}' } };
    expect(problemsOf({ setup: { mine: view }, teardown })).toEqual([]);
  });

  it('are refused at their place with the reason, also in a level', () => {
    expect(problemsOf({ setup: { mine: view }, teardown: { end: { postgres: 'DROP TABLE {table}' } } })).toMatchObject([
      { path: 'teardown.end.postgres', message: '`end` is no statement of teardown on PostgreSQL.' },
    ]);
    expect(problemsOf({ levels: { without: {}, with: { teardown: { end: 'DELETE FROM orders' } } } })).toMatchObject([
      { path: 'factors.with.with.teardown.end', suggestion: expect.stringContaining('could not bring back') },
    ]);
    expect(problemsOf({ setup: { mine: view }, teardown: { end: 'DROP VIEW {mine}; DROP TABLE t' } })).toMatchObject([
      { path: 'teardown.end', message: expect.stringContaining('more than one statement') },
      { path: 'teardown.end', message: '`end` is no statement of teardown on PostgreSQL.' },
    ]);
    expect(problemsOf({ teardown: { end: 'DROP VIEW {other}' } })).toMatchObject([
      { path: 'teardown.end', message: expect.stringContaining('there is no such table') },
      { path: 'teardown.end', suggestion: expect.stringContaining('no statement of setup has made') },
    ]);
  });

  it('leave cells empty of engines that have none, and do not tell variants apart', () => {
    const { plan } = planned({
      teardown: { end: 'ANALYZE {table}' },
      text: { ravendb: 'from {table}', default: 'SELECT id FROM {table}' },
      targets: ['embedded-postgres', 'local-ravendb', 'noop'],
    });
    expect(plan?.skipped).toMatchObject([{ target: 'local-ravendb', reason: expect.stringContaining('no views') }]);
    const levels = { without: {}, with: { teardown: { end: 'ANALYZE {table}' } } };
    expect(planned({ levels }).plan?.skipped).toMatchObject([{ variant: 'with=with', sameAs: 'with=without' }]);
  });

  it('are writes, which a read-only production connection does not get', () => {
    const { plan } = planned({ teardown: { end: { sqlite: 'ANALYZE {table}' } }, targets: ['sqlite'] });
    const alone = { ...plan!.experiment, dataset: { rows: 1, seed: 1, columns: {} }, statements: {} };
    const sqlite = descriptors.find(({ id }) => id === 'sqlite')!;
    const target = { name: 's', engine: 'sqlite' };
    expect(writesText({}, target, sqlite, alone, plan!.variants[0]!.settings)).toContain(
      'The teardown of “end” writes',
    );
  });
});
