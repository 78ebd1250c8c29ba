import { describe, expect, test } from 'vitest';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { readDataset } from '#rules/dataset-file.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { allTables, withRowsAtMost } from './tables.ts';

const experiment = (tables: string, more = '', workload = 'operation: statement') => `
dyno: 1
name: Shop
question: Does it sell?
tables:
${tables
  .trim()
  .split('\n')
  .map((line) => `  ${line}`)
  .join('\n')}
workload: { ${workload} }
${more || 'statements: { all: { text: SELECT 1 } }'}
targets: [sqlite]
`;
const stores =
  "stores: { rows: 40, seed: 7, key: id, columns: { name: { type: text, length: 5 }, id: { type: code, pattern: 'S-####' } } }";
const sales =
  'sales: { rows: 900, key: id, columns: { id: { type: sequence }, store: { type: reference, table: stores } } }';
const shop = `${stores}\n${sales}`;

const parsed = (text: string) => {
  const found = parseFile(text);
  expect(found.diagnostics).toEqual([]);
  return found.experiment!;
};
const said = (text: string) =>
  parseFile(text).diagnostics.map(({ path, message, suggestion }) => `${path}: ${message} ${suggestion ?? ''}`);

test('a reference takes rows, key, position and seed from its table', () => {
  expect(parsed(experiment(shop)).tables?.sales?.columns.store).toMatchObject({
    table: 'stores',
    rows: 40,
    key: { type: 'code', pattern: 'S-####' },
    position: 2,
    seed: 7,
  });
});

test('the dataset, parameters and fields of documents refer to tables, too', () => {
  const found = parsed(
    experiment(
      stores,
      `
dataset: { rows: 5, columns: { doc: { type: document, fields: { at: { type: list, of: { type: reference, table: stores } } } } } }
statements: { one: { text: 'SELECT :s', parameters: { s: { type: reference, table: stores } } } }`,
    ),
  );
  const { doc } = found.dataset.columns;
  expect(doc).toMatchObject({ fields: { at: { of: { rows: 40, seed: 7 } } } });
  expect(found.statements?.one?.parameters.s).toMatchObject({ rows: 40, position: 2 });
});

test('a size and an override change single tables, and references to them follow', () => {
  const text = `${experiment(shop)}size: large\nsizes: { large: { tables: { stores: { rows: 4000 } } } }\n`;
  expect(parsed(text).tables).toMatchObject({
    stores: { rows: 4_000 },
    sales: { rows: 900, columns: { store: { rows: 4_000 } } },
  });
  const changed = parsed(applyOverrides(readYaml(experiment(shop)), ['tables.stores.rows=77']).text);
  expect(changed.tables?.sales?.columns.store).toMatchObject({ rows: 77 });
});

test('fewer rows are fewer for those who refer to them', () => {
  const few = withRowsAtMost(parsed(experiment(shop)), 30);
  expect(few.tables).toMatchObject({ stores: { rows: 30 }, sales: { rows: 30, columns: { store: { rows: 30 } } } });
});

describe('each mistake is said at its place', () => {
  const column = (spec: string) => `${stores}\nsales: { rows: 9, columns: { store: { type: reference, ${spec} } } }`;
  const parameter = (spec: string) => `statements: { one: { text: 'SELECT :p', parameters: { p: { ${spec} } } } }`;
  test.each([
    [
      experiment(column('table: store')),
      /sales\.columns\.store\.table: There is no table `store`. Did you mean `stores`/,
    ],
    [
      experiment(`${sales}\n${stores}`),
      /sales\.columns\.store\.table: `stores` does not stand before .*Move `stores` up/,
    ],
    [experiment(column('table: stores, rows: 9')), /store\.rows: `rows` comes from the table `stores`/],
    [experiment(column('rows: 9')), /columns\.store: The reference leads to no table/],
    [
      experiment(
        `a: { rows: 2, columns: { n: { type: boolean } } }\nb: { rows: 2, columns: { n: { type: reference, table: a } } }`,
      ),
      /b\.columns\.n\.table: `a` has no key that can be referred to.*tables\.a\.key/,
    ],
    [
      experiment(stores, `dataset: { name: stores, rows: 1, columns: { n: { type: boolean } } }`),
      /dataset\.name: `tables` has a table `stores`, too/,
    ],
    [
      experiment(stores, `dataset: { name: Orders, rows: 1, columns: { n: { type: boolean } } }`),
      /dataset\.name: .*lower-case name/,
    ],
    [experiment('a: { name: b, rows: 2, columns: { n: { type: boolean } } }'), /tables\.a\.name: .*`name`/],
    [
      experiment(
        `${stores}\na: { rows: 2, columns: { n: { type: reference, table: bills } } }`,
        'dataset: { name: bills, rows: 1, key: n, columns: { n: { type: sequence } } }',
      ),
      /a\.columns\.n\.table: `bills` is the dataset’s table, which Dyno makes last.*Define it under `tables`/,
    ],
    [
      experiment(
        stores,
        `dataset: { name: bills, rows: 1, key: n, columns: { n: { type: sequence } } }\n${parameter('type: reference, table: bills')}`,
      ),
      /p\.table: `bills` is the dataset’s table.*`type: key`/,
    ],
    [
      experiment(
        stores,
        `dataset: { name: bills, rows: 1, columns: { n: { type: sequence } } }\n${parameter('type: key, table: bills')}`,
      ),
      /parameters\.p: `p` is a key of the dataset’s table, and that has none\. Name a column as dataset\.key/,
    ],
    [experiment('table: { rows: 2, columns: { n: { type: boolean } } }'), /tables\.table: No table is called `table`/],
    [
      experiment(stores, 'dataset: { rows: 1, columns: { n: { type: boolean } } }', 'operation: scan'),
      /workload\.operation: `scan` is about the dataset’s table alone/,
    ],
    [
      experiment(`${stores}\nx: { rows: 2, key: m, columns: { n: { type: boolean } } }`),
      /tables\.x\.key: The key `m` is not/,
    ],
    [experiment(stores, parameter('type: key, table: shops')), /p\.table: There is no table `shops`.*Tables: stores/],
    [
      experiment(stores, parameter('type: newKey')),
      /parameters\.p: `p` is a key of the dataset’s table, and that has none/,
    ],
  ])('%#', (text, message) => {
    expect(said(text).join('\n')).toMatch(message);
  });
});

test('the name of the dataset is that of its table for statements, parameters and the preview', () => {
  const bills = 'dataset: { name: bills, rows: 7, key: n, columns: { n: { type: sequence } } }';
  const statement =
    "statements: { one: { text: 'SELECT n FROM {bills} WHERE n = :p', parameters: { p: { type: key, table: bills } } } }";
  const text = experiment(stores, `${bills}\n${statement}`);
  expect(Object.keys(allTables(parsed(text)))).toEqual(['stores', 'bills']);
  expect(readDataset(readYaml(text), 'bills').dataset?.rows).toBe(7);
  expect(readDataset(readYaml(text)).dataset?.rows).toBe(7);
  expect(readDataset(readYaml(text), 'bill').problems).toMatchObject([{ suggestion: 'Did you mean `bills`?' }]);
});

test('one table is read for its preview, in the chosen size, with what refers to it; of one that is not there that is said', () => {
  const text = `${experiment(shop)}size: large\nsizes: { large: { tables: { stores: { rows: 4000 } } } }\n`;
  expect(readDataset(readYaml(text), 'sales').dataset?.columns.store).toMatchObject({ rows: 4_000, position: 2 });
  expect(readDataset(readYaml(text), 'sale').problems).toMatchObject([
    { path: 'tables', message: 'There is no table `sale`.', suggestion: 'Did you mean `sales`?' },
  ]);
});
