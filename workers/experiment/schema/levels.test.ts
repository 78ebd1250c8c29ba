import { describe, expect, it } from 'vitest';
import { parseFile } from '#rules/parsed-file.ts';
import { setIn } from '../yaml/edit-experiment.ts';
import { readYaml } from '../yaml/yaml-source.ts';
import { levelsYaml, usualLevels } from './levels.fixture.ts';
import { experimentOf, placesOfLevels } from './levels.ts';

const experimentIn = (yaml: string) => {
  const { experiment, diagnostics } = parseFile(yaml);
  expect(diagnostics).toEqual([]);
  return experiment!;
};
const more = `  connections: [1, 2]
targets: [sqlite]
baseline: { search: as it is, connections: 1 }
`;

describe('the experiment of a variant', () => {
  const experiment = experimentIn(levelsYaml(usualLevels, more));
  const own = (level: string) => experimentOf(experiment, { search: level, connections: 1 });

  it('has the sections that its level changes, and no other variant', () => {
    expect(own('index').tables!.sales!.indexes).toMatchObject([{ columns: ['sold', 'store'] }]);
    expect(own('as it is').tables).toEqual(experiment.tables);
    expect(own('rewritten').statements!.search!.text).toMatch(/EXISTS/);
    expect(own('rewritten').statements!.search!.parameters).toEqual(experiment.statements!.search!.parameters);
    expect(Object.keys(own('index').factors)).toEqual(['connections']);
    expect(own('index').baseline).toEqual({ connections: 1 });
  });

  it('is shared by variants with the same changes, and is the experiment itself where no level changes a section', () => {
    expect(experimentOf(experiment, { search: 'index', connections: 2 })).toBe(own('index'));
    const plain = experimentIn(levelsYaml('{ a: { fetchSize: 5 }, b: {} }', more.replace('as it is', 'a')));
    expect(experimentOf(plain, { search: 'a', connections: 1 })).toBe(plain);
  });

  it('follows changed rows in what refers to them', () => {
    const small = experimentIn(levelsYaml('{ small: { tables: { stores: { rows: 3 } } } }', 'targets: [sqlite]\n'));
    const { tables } = experimentOf(small, { search: 'small' });
    expect(tables!.sales!.columns.store).toMatchObject({ table: 'stores', rows: 3 });
    expect(small.tables!.sales!.columns.store).toMatchObject({ rows: 20 });
  });

  it('has the workload of its level, so that rules see the operation that its tables need', () => {
    const yaml = levelsYaml(
      '{ own: { operation: statement, tables: { stores: { rows: 3 } } } }',
      'targets: [sqlite]\n',
    );
    const other = yaml.replace('operation: statement, method: bind', 'method: bind');
    expect(experimentOf(experimentIn(other), { search: 'own' }).workload).toEqual({
      operation: 'statement',
      method: 'bind',
    });
  });

  it('can be written as a file without factors', () => {
    const yaml = levelsYaml(usualLevels, more);
    for (const level of ['as it is', 'rewritten', 'index', 'hint']) {
      const edits = [
        ...placesOfLevels(experiment, { search: level, connections: 1 }),
        { path: ['factors'], value: undefined },
        { path: ['baseline'], value: undefined },
      ];
      const alone = parseFile(edits.reduce((file, { path, value }) => setIn(file, path, value), readYaml(yaml)));
      expect(alone.diagnostics).toEqual([]);
      const { tables, statements } = own(level);
      expect(alone.experiment).toMatchObject({ tables, statements, factors: {} });
    }
  });
});
