import { describe, expect, it } from 'vitest';
import { depthIn, placesIn, withChange } from './changes.ts';

const file = {
  dataset: { rows: 10, columns: { id: { type: 'integer', min: 1 }, at: { type: 'sequence' } } },
  tables: { sales: { rows: 5, indexes: [{ columns: ['a'] }] } },
  statements: {
    search: { text: 'SELECT 1', weight: 2, parameters: { day: { type: 'integer', min: 1, max: 9 } } },
    each: { text: { postgres: 'SELECT 2', default: 'SELECT 3' } },
  },
};

describe('a change of a file', () => {
  it('merges mappings, and replaces lists and single values', () => {
    const changed = withChange(file, {
      dataset: { rows: 20 },
      tables: { sales: { indexes: [{ columns: ['b'] }] }, more: { rows: 1 } },
      statements: { search: { weight: 3 } },
    });
    expect(changed).toEqual({
      ...file,
      dataset: { ...file.dataset, rows: 20 },
      tables: { sales: { rows: 5, indexes: [{ columns: ['b'] }] }, more: { rows: 1 } },
      statements: { ...file.statements, search: { ...file.statements.search, weight: 3 } },
    });
    expect(file.dataset.rows).toBe(10);
  });

  it('replaces columns and parameters as a whole', () => {
    const spec = { type: 'integer', max: 3 };
    const { dataset, statements } = withChange(file, {
      dataset: { columns: { id: spec } },
      statements: { search: { parameters: { day: spec } } },
    }) as typeof file;
    expect(dataset.columns).toEqual({ id: spec, at: { type: 'sequence' } });
    expect(statements.search.parameters).toEqual({ day: spec });
  });

  it('leaves engines that it does not name their text', () => {
    const textOf = (statement: string, text: unknown) =>
      (withChange(file, { statements: { [statement]: { text } } }) as typeof file).statements[statement as 'search']
        .text;
    expect(textOf('search', { oracle: 'SELECT 4' })).toEqual({ default: 'SELECT 1', oracle: 'SELECT 4' });
    expect(textOf('search', { default: 'SELECT 4' })).toEqual({ default: 'SELECT 4' });
    expect(textOf('each', { oracle: 'SELECT 4' })).toEqual({ ...file.statements.each.text, oracle: 'SELECT 4' });
    expect(textOf('each', 'SELECT 5')).toBe('SELECT 5');
  });

  it('leaves engines that it does not name their statement of setup', () => {
    const setup = { one: 'CREATE VIEW {one}', each: { postgres: 'a', default: 'b' } };
    const changed = (change: object) => (withChange({ setup }, { setup: change }) as { setup: object }).setup;
    expect(changed({ one: { mysql: 'c' } })).toEqual({ ...setup, one: { default: setup.one, mysql: 'c' } });
    expect(changed({ each: { postgres: 'c' } })).toEqual({ ...setup, each: { postgres: 'c', default: 'b' } });
    expect(changed({ each: 'c', more: 'd' })).toEqual({ one: setup.one, each: 'c', more: 'd' });
    expect(withChange({ teardown: setup }, { teardown: { one: { mysql: 'c' } } })).toEqual({
      teardown: { ...setup, one: { default: setup.one, mysql: 'c' } },
    });
    expect(placesIn({ setup: { one: { mysql: 'c' }, more: 'd' } })).toEqual([
      ['setup', 'one', 'mysql'],
      ['setup', 'more'],
    ]);
  });

  it('sets the places of its single values, its lists and its wholes', () => {
    const change = {
      tables: { sales: { indexes: [{ columns: ['b'] }] } },
      statements: { search: { text: { oracle: 'x' }, parameters: { day: { type: 'sequence' } } } },
    };
    expect(placesIn(change).map((path) => path.join('.'))).toEqual([
      'tables.sales.indexes',
      'statements.search.text.oracle',
      'statements.search.parameters.day',
    ]);
    expect(depthIn(change, ['tables', 'sales', 'indexes', 0, 'columns'])).toBe(5);
    expect(depthIn(change, ['statements', 'search', 'parameters', 'day', 'max'])).toBe(5);
    expect(depthIn(change, ['statements', 'search', 'weight'])).toBe(2);
    expect(depthIn(change, ['dataset', 'rows'])).toBe(0);
  });
});
