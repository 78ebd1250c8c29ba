import { expect, test } from 'vitest';
import { findEngine } from '#engines/catalog.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { changeFile, noChange, type TypedChange } from './change-file.ts';

const engine = (id: string) => findEngine(id)!.descriptor;
const [mysql, sqlite, sqlserver] = [engine('mysql'), engine('sqlite'), engine('sqlserver')];

const before = `dyno: 1
name: My SQL
tables: { orders: { rows: 10, key: id, columns: { id: { type: sequence } }, indexes: [{ columns: [id] }] } }
statements:
  select-1: { text: "SELECT a FROM {orders} WHERE id = :id", parameters: { id: { type: key } } }
  select-2: { text: "SELECT b FROM {orders}" }
  update-3: { text: "UPDATE {orders} SET b = 1" }
targets: [sqlite]
`;
const both = (...texts: readonly string[]) =>
  `${before.replace('targets: [sqlite]\n', '')}${texts.map((text, i) => `  new-${i}: { text: "${text}", parameters: { id: { type: key } } }\n`).join('')}`.replace(
    /statements:\n/,
    'statements:\n',
  );

const made = (
  change: Partial<TypedChange>,
  changed: string | null = null,
  engine: Parameters<typeof changeFile>[0]['engine'] = sqlite,
) => {
  const { text, lacks } = changeFile({
    ...{ before, both: changed, target: 'sqlite', engine, makesTables: false },
    change: { ...noChange, ...change },
  });
  if (text === null) return lacks;
  const value = readYaml(text).value as { readonly factors?: { readonly change: object }; readonly compare: string };
  return value.factors?.change ?? value;
};

test('a single changed text replaces the first statement of its kind, or the chosen one', () => {
  const changed = both('UPDATE {orders} SET b = 2');
  const parameters = { id: { type: 'key' } };
  const of = (name: string) => ({
    'as it is': {},
    changed: { statements: { [name]: { text: 'UPDATE {orders} SET b = 2', parameters } } },
  });
  expect(made({}, changed)).toEqual(of('update-3'));
  expect(made({ statement: 'select-2' }, changed)).toEqual(of('select-2'));
});

test('several changed texts replace all of them, and those that are the same are left out', () => {
  const changed = both('SELECT a FROM {orders} WHERE id = :id', 'SELECT c FROM {orders}', 'UPDATE {orders} SET b = 1');
  expect(made({}, changed)).toMatchObject({
    changed: { statements: { 'select-2': { text: 'SELECT c FROM {orders}' } } },
  });
  expect(made({}, both('SELECT 1', 'SELECT 2'))).toMatch(/has 2 statements, and the SQL as it is has 3/);
});

test('an index that the changed SQL creates is a change, alone or beside a text', () => {
  const withIndex = (text: string) =>
    text.replace('indexes: [{ columns: [id] }]', 'indexes: [{ columns: [id] }, { columns: [b] }]');
  const level = {
    tables: { orders: { indexes: [{ columns: ['id'] }, { columns: ['b'] }] } },
    indexCreation: 'afterLoad',
  };
  expect(made({}, withIndex(both()))).toEqual({ 'as it is': {}, changed: level });
  expect(made({}, withIndex(both('UPDATE {orders} SET b = 2')))).toMatchObject({
    changed: { ...level, statements: { 'update-3': { text: 'UPDATE {orders} SET b = 2' } } },
  });
  expect(made({}, both())).toBe('The changed SQL has no statement.');
});

test('indexes, options, settings of the session and versions are changes as well', () => {
  const index = { table: null, columns: 'a, b', include: 'c' };
  expect(made({ kind: 'index', index })).toMatchObject({
    'index on a, b': {
      tables: { orders: { indexes: [{ columns: ['id'] }, { columns: ['a', 'b'], include: ['c'] }] } },
    },
  });
  expect(made({ kind: 'fillFactor', fillFactor: 70 })).toEqual({
    'as it is': {},
    'fill factor 70 %': { fillFactor: 70 },
  });
  expect(made({ kind: 'session', session: { name: 'work_mem', value: '64MB' } })).toEqual({
    'as it is': {},
    'work_mem 64MB': { session: { sqlite: { work_mem: '64MB' } } },
  });
  expect(made({ kind: 'version', version: 'sqlite-3' })).toMatchObject({
    ...{ targets: ['sqlite', 'sqlite-3'], compare: 'targets', baseline: { target: 'sqlite' }, equal: { draws: 100 } },
  });
  expect(made({ kind: 'version' })).toBe('Choose the other version.');
});

test('options of the engine have the types of the descriptor, and other engines have none', () => {
  const option = (name: string | null, value: string) => made({ kind: 'option', option: { name, value } }, null, mysql);
  const { label } = mysql.options!.find(({ name }) => name === 'compression')!;
  expect(option('compression', 'page')).toEqual({
    'as it is': {},
    [`${label} page`]: { options: { 'mysql.compression': 'page' } },
  });
  expect(option(null, '')).toBe('Choose the option and its value.');
  const typed = (name: string, value: string) =>
    made({ kind: 'option', option: { name, value } }, null, sqlserver) as Record<string, { options?: object }>;
  expect(Object.values(typed('packetSize', '4096'))[1]).toEqual({ options: { 'sqlserver.packetSize': 4096 } });
  expect(Object.values(typed('noDelay', 'false'))[1]).toEqual({ options: { 'sqlserver.noDelay': false } });
  expect(typed('packetSize', 'many')).toMatch(/is a number/);
  expect(made({ kind: 'option' }, null, { ...sqlite, options: [] })).toBe('SQLite has no options of its own.');
});

test('a parameter of the server is a change where Dyno sets them', () => {
  const parameter = { name: 'innodb_io_capacity', value: '400' };
  expect(made({ kind: 'parameter', parameter }, null, mysql)).toEqual({
    'as it is': {},
    'innodb_io_capacity 400': { server: { mysql: { innodb_io_capacity: '400' } } },
  });
  expect(made({ kind: 'parameter' }, null, mysql)).toBe('Enter the name and the value of the parameter.');
  expect(made({ kind: 'parameter', parameter })).toBe('Dyno sets no parameters of SQLite.');
});
