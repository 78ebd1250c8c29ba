import { expect, it } from 'vitest';
import { isMapping } from '#model/is-mapping.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { gapBetween, twoVariants } from './made-gaps.fixture.ts';

const factorsOf = (value: unknown) => (isMapping(value) ? value.factors : undefined);

it('changes each difference alone, and takes each back', () => {
  const { source, differences } = gapBetween(
    twoVariants({ method: 'literal' }, { method: 'bind', connections: 4, callsPerCommit: 10 }),
  );
  expect(differences.map(({ name }) => name)).toEqual(['bind', 'Calls per commit: 10', 'Connections: 4']);
  expect(factorsOf(source!.value)).toEqual({
    changed: {
      nothing: { method: 'literal' },
      'only bind': { method: 'bind' },
      'only Calls per commit: 10': { method: 'literal', callsPerCommit: 10 },
      'only Connections: 4': { method: 'literal', connections: 4 },
      'all but bind': { method: 'literal', callsPerCommit: 10, connections: 4 },
      'all but Calls per commit: 10': { method: 'bind', connections: 4 },
      'all but Connections: 4': { method: 'bind', callsPerCommit: 10 },
      everything: { method: 'bind', callsPerCommit: 10, connections: 4 },
    },
  });
  expect(parseFile(source!.text)).toMatchObject({
    diagnostics: [],
    experiment: { baseline: { changed: 'nothing' }, explain: { changed: 'everything' }, measure: { repeats: 5 } },
  });
});

it.each([
  [{ until: { seconds: 1, precision: 0.03 } }, undefined],
  [
    { until: { seconds: 1, precision: 0.03 }, repeats: { max: 12 } },
    { min: 5, max: 12 },
  ],
  [{ until: { seconds: 1 }, repeats: 9 }, 9],
])('repeats as often as the file, and five times at least: %j', (measure, repeats) => {
  const { source, problem } = gapBetween(twoVariants({}, { connections: 4, callsPerCommit: 10 }, { measure }));
  expect(problem).toBeNull();
  expect(parseFile(source!.text).experiment?.measure.repeats).toEqual(repeats);
});

it('has four variants for two differences, because one taken back is the other one alone', () => {
  const { source } = gapBetween(twoVariants({}, { connections: 4, callsPerCommit: 10 }));
  const { changed } = factorsOf(source!.value) as { changed: object };
  expect(Object.keys(changed)).toEqual(['nothing', 'only Calls per commit: 10', 'only Connections: 4', 'everything']);
});

it('compares the settings after resolution: a level that writes out a default is no difference', () => {
  const { problem, source } = gapBetween(twoVariants({ connections: 1 }, { connections: 1, callsPerCommit: 10 }));
  expect(source).toBeNull();
  expect(problem).toBe('The two variants have one difference, which explains their gap: Calls per commit: 10.');
  expect(gapBetween(twoVariants({ connections: 1 }, {})).problem).toBe(
    'The two variants differ in no setting and in no part of the file.',
  );
});

it('changes parts of the file: texts, indexes, parameters of sessions', () => {
  const parts = {
    dataset: undefined,
    tables: {
      sales: { rows: 10, key: 'id', columns: { id: { type: 'sequence' }, day: { type: 'integer', min: 1, max: 9 } } },
    },
    workload: { operation: 'statement' },
    statements: { search: { text: 'SELECT id FROM {sales}' } },
    measure: { until: { seconds: 1 } },
  };
  const other = {
    tables: { sales: { indexes: [{ columns: ['day'] }] } },
    statements: { search: { text: 'SELECT id FROM {sales} WHERE 1 = 1' } },
    session: { postgres: { work_mem: '64MB' } },
  };
  const { source, differences } = gapBetween(twoVariants({}, other, parts));
  expect(differences.map(({ name }) => name)).toEqual(['statements.search', 'tables.sales.indexes', 'work_mem: 64MB']);
  expect(factorsOf(source!.value)).toMatchObject({
    changed: {
      nothing: {},
      'only work_mem: 64MB': { session: other.session },
      'all but statements.search': { tables: other.tables, session: other.session },
      everything: other,
    },
  });
  expect(parseFile(source!.text).experiment).not.toBeNull();
});

it('keeps settings of other factors for all variants, and changes groups of more than eight differences', () => {
  const many = {
    ...{ connections: 4, callsPerCommit: 10, rowsPerCall: 2, fetchSize: 7, maxAttempts: 2, fillFactor: 90 },
    ...{ method: 'multiRow', indexCreation: 'afterLoad', networkRoundTripMs: 1, keyCreation: 'afterLoad' },
  };
  const text = twoVariants({}, many);
  const { differences, source } = gapBetween(text);
  const { changed } = factorsOf(source!.value) as { changed: object };
  expect(differences.length).toBeGreaterThan(8);
  expect(Object.keys(changed).length).toBeLessThanOrEqual(18);
  expect(Object.keys(changed).some((name) => name.endsWith('and 1 more'))).toBe(true);
});

it('leaves out variants that no file can have, and says why', () => {
  const parts = {
    dataset: undefined,
    tables: { sales: { rows: 10, key: 'id', columns: { id: { type: 'sequence' } } } },
    workload: { operation: 'statement' },
    statements: { search: { text: 'SELECT id FROM {sales}' } },
    measure: { until: { seconds: 1 } },
  };
  const other = {
    connections: 2,
    tables: { sales: { columns: { day: { type: 'integer', min: 1, max: 9 } }, indexes: [{ columns: ['day'] }] } },
  };
  const { source, impossible } = gapBetween(twoVariants({}, other, parts));
  expect(impossible.map(({ level }) => level)).toContain('only tables.sales.indexes');
  expect(impossible[0]!.why).toMatch(/day/);
  expect(parseFile(source!.text).experiment).not.toBeNull();
});
