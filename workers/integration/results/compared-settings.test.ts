import { describe, expect, it } from 'vitest';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { comparedSettingsTable, unlikeText } from '#analysis/settings/compared-settings.ts';
import { comparedServerSettings } from '#analysis/settings/server-settings.ts';
import type { StoredBytes } from '#engine-api/database.ts';
import type { Fingerprint } from '#engine-api/fingerprint.ts';
import type { Isolation } from '#model/settings/vocabulary.ts';
import { anonymise } from '#presentation/report/anonymise.ts';
import { renderText } from '#presentation/terminal/run-text.ts';
import { type Change, modelOf, reportOf, results, targets } from './results.fixture.ts';

const read = (change?: Change): RunModel => modelOf(fixtureJournal({ connections: [1] }), change);

/**
 * Two servers that differ only in what each test changes: the fixture's PostgreSQL, and another one in SQLite's place.
 */
const twoServers = (first: Partial<Fingerprint>, second: Partial<Fingerprint>): Change =>
  targets((target) => {
    const empty = { durability: {}, memory: {}, other: {}, unavailable: [] };
    const own = target.name === 'PostgreSQL' ? first : second;
    const fingerprint = target.fingerprint && { ...target.fingerprint, ...empty, ...own };
    return fingerprint ? { ...target, engine: 'postgres', fingerprint } : target;
  });
type Facts = Readonly<Record<string, string>>;
const servers = (group: 'durability' | 'other', first: Facts, second: Facts): RunModel =>
  read(twoServers({ [group]: first }, { [group]: second }));

const stored = (storedBytes: StoredBytes, target = 'PostgreSQL'): Change =>
  results((result) => (result.target === target ? { ...result, storedBytes } : result));

const rowOf = (model: RunModel, name: string) => comparedServerSettings(model).find(({ setting }) => setting === name);
const titles = ({ caveats }: RunModel) => caveats.map(({ title }) => title);
const textOf = ({ caveats }: RunModel, title: string) => caveats.find((one) => one.title === title)?.text;

describe('durability', () => {
  it('that differs in any setting is marked, and said above the results', () => {
    const model = servers('durability', { diskPersistent: 'yes', copies: '1' }, { diskPersistent: 'no', copies: '1' });
    expect(rowOf(model, 'diskPersistent')).toMatchObject({
      group: 'durability',
      differs: true,
      values: ['yes', 'no', null],
    });
    expect(rowOf(model, 'copies')).toMatchObject({ differs: false });
    expect(textOf(model, 'Unequal durability')).toContain('diskPersistent: PostgreSQL yes; SQLite no');
  });

  it('that is alike is not', () => {
    const model = servers('durability', { fsync: 'on' }, { fsync: 'on' });
    expect(rowOf(model, 'fsync')).toMatchObject({ differs: false });
    expect(titles(model)).not.toContain('Unequal durability');
  });
});

describe('isolation', () => {
  it('none at all is marked and warned of, whatever the others call theirs and in which group it stands', () => {
    const model = read(
      twoServers(
        { other: { default_transaction_isolation: 'read committed' } },
        { durability: { 'default isolation': 'NONE: a rollback undoes nothing' } },
      ),
    );
    expect(rowOf(model, 'isolation')).toEqual({
      group: 'durability',
      matters: 'isolation',
      setting: 'isolation',
      values: ['read committed', 'NONE: a rollback undoes nothing', null],
      differs: true,
    });
    expect(rowOf(model, 'default_transaction_isolation')).toBeUndefined();
    expect(textOf(model, 'Unequal isolation')).toContain(
      'PostgreSQL “read committed”; SQLite “NONE: a rollback undoes nothing”',
    );
    expect(titles(model)).not.toContain('Unequal durability');
  });

  it('no isolation is marked beside a server that does not report its own', () => {
    const model = servers('other', {}, { isolation: 'none' });
    expect(rowOf(model, 'isolation')).toMatchObject({ differs: true });
    expect(titles(model)).toContain('Unequal isolation');
  });

  it('of other levels is marked without a warning, and written differently it is the same', () => {
    const unlike = servers('other', { transaction_isolation: 'REPEATABLE-READ' }, { isolation: 'read committed' });
    expect(rowOf(unlike, 'isolation')).toMatchObject({ differs: true });
    expect(titles(unlike)).not.toContain('Unequal isolation');
    const settings = { transaction_isolation: 'READ-COMMITTED', innodb_snapshot_isolation: 'ON' };
    expect(rowOf(read(twoServers({ other: settings }, {})), 'innodb_snapshot_isolation')).toBeDefined();
    const alike = servers('other', { tx_isolation: 'READ-COMMITTED' }, { isolation: 'read committed; by snapshots' });
    expect(rowOf(alike, 'isolation')).toMatchObject({ differs: false });
  });
});

describe('isolation that variants ask for', () => {
  const words = { repeatableRead: 'REPEATABLE READ', serializable: 'SERIALIZABLE' };
  /** Isolation levels of the two servers, and of the variants. */
  const asked = (isolation: Isolation, first: object, second: object) =>
    read((record) => {
      if (record.record === 'header') {
        const variants = record.plan.variants.map((one) => ({ ...one, settings: { ...one.settings, isolation } }));
        return { ...record, plan: { ...record.plan, variants } };
      }
      if (record.record !== 'target') return record;
      const { target } = twoServers({}, {})(record) as typeof record;
      const isolations = target.name === 'PostgreSQL' ? first : second;
      return { ...record, target: { ...target, descriptor: { ...target.descriptor, isolations } } };
    });

  it("replaces the sessions' default by the effective level", () => {
    const model = asked('repeatableRead', { ...words, snapshot: 'REPEATABLE READ' }, words);
    expect(rowOf(model, 'isolation')).toMatchObject({
      values: ['snapshot (REPEATABLE READ)', 'repeatable read', null],
      differs: true,
    });
    expect(rowOf(asked('serializable', words, { ...words, serializable: 'RR' }), 'isolation')).toMatchObject({
      values: ['serializable', 'serializable (RR)', null],
      differs: false,
    });
  });

  it('names no server’s own word where engines have no names, and still what it really is', () => {
    const model = anonymise(asked('serializable', words, { ...words, serializable: 'RR' }));
    expect(rowOf(model, 'isolation')?.values.slice(0, 2)).toEqual(['serializable', 'serializable']);
  });

  it('is explained in the report', () => {
    expect(reportOf(asked('serializable', words, { serializable: 'RR' }))).toMatch(
      /isolation serializable<.*?SQLite.*?<td>RR</s,
    );
  });
});

it('foreign keys that one engine checks and another does not are said, where columns refer to tables', () => {
  const model = read();
  const table = { rows: 9, seed: 1, key: 'id', columns: { id: { type: 'sequence', start: 1, nulls: 0 } } } as const;
  const { id } = table.columns;
  const store = { type: 'reference', table: 'stores', rows: 9, key: id, position: 1, nulls: 0 } as const;
  const sales = { ...table, columns: { id, store } };
  const withKeys = read(
    targets(
      (target) => ({ ...target, descriptor: { ...target.descriptor, foreignKeys: 'FOREIGN KEY' } }),
      'PostgreSQL',
    ),
  );
  const withTables: RunModel = {
    ...model,
    plan: { ...model.plan, experiment: { ...model.plan.experiment, tables: { stores: table, sales } } },
    targets: withKeys.targets,
  };
  const rowIn = (one: RunModel) =>
    comparedSettingsTable(one).find(({ setting }) => setting === 'foreign keys that are checked');
  expect(rowIn(model)).toBeUndefined();
  expect(rowIn(withTables)).toMatchObject({ differs: true, values: ['1', 'none', null] });
  expect(unlikeText(withTables)).toContain('foreign keys');
  const unchecked = {
    ...withTables,
    trials: withTables.trials.map((view) =>
      view.result ? { ...view, result: { ...view.result, untrustedForeignKeys: 1 } } : view,
    ),
  };
  expect(rowIn(unchecked)?.values).toEqual(['1, 1 not trusted by the server: rows came in unchecked', 'none', null]);
});

describe('stored rows', () => {
  const inMemory = stored({ tableBytes: 90, indexBytes: 10, eachIndex: {}, medium: 'memory' });
  const both: Change = (record) => inMemory(stored({ tableBytes: 50, indexBytes: 0, eachIndex: {} }, 'SQLite')(record));

  it('in memory are said to be so, and marked where others are on a disk', () => {
    const model = read(both);
    const media = new Set(model.cells.map(({ target, storedBytesPerRow }) => `${target} ${storedBytesPerRow?.medium}`));
    expect(media).toEqual(new Set(['PostgreSQL memory', 'SQLite disk', 'No-op engine undefined']));
    expect(rowOf(model, 'stored rows are counted')).toMatchObject({
      group: 'memory',
      values: ['in memory', 'on disk', null],
      differs: true,
    });
    expect(textOf(model, 'Bytes in memory beside bytes on disk')).toContain('PostgreSQL in memory; SQLite on disk');
    expect(reportOf(model)).toMatch(/B index in memory</);
  });

  it('on disks alone need no word', () => {
    const model = read();
    expect(rowOf(model, 'stored rows are counted')).toBeUndefined();
    expect(titles(model)).not.toContain('Bytes in memory beside bytes on disk');
    expect(reportOf(model)).not.toContain('index in memory');
  });

  it('of one cell in memory and on disk are not added up', () => {
    const model = read((one) => (one.record === 'result' && one.result.repeat === 2 ? inMemory(one) : one));
    expect(model.cells.find(({ target }) => target === 'PostgreSQL')!.storedBytesPerRow).toBeNull();
  });
});

describe('the notice of an engine', () => {
  const notice = 'Discontinued; tested with <its> descendant';
  const model = read(targets((target) => ({ ...target, descriptor: { ...target.descriptor, notice } }), 'SQLite'));

  it('stands in the report', () => {
    expect(reportOf(model)).toContain('<td>Discontinued; tested with &lt;its&gt; descendant</td>');
  });

  it('stands below the comparison in a terminal', () => {
    expect(renderText(model)).toContain(`Notes:\n  SQLite: ${notice}\n`);
    expect(renderText(read())).not.toContain('Notes');
  });

  it('gives no engine away', () => {
    expect(JSON.stringify(anonymise(model))).not.toContain('Discontinued');
    expect(reportOf(model, true)).not.toContain('Discontinued');
  });
});
