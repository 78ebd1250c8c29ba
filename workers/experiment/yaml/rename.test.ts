import { expect, test } from 'vitest';
import { renameCheck, renameDataset, renameLevel, renameStatement, renameTable } from './rename.ts';
import { readYaml } from './yaml-source.ts';

test('a table is renamed wherever the file names it, and nothing else changes', () => {
  const text = `dyno: 1
tables: # of the shop
  stores: { rows: 4, key: id, columns: { id: { type: uuid4 } } } # ours
  sales: { rows: 9, columns: { store: { type: reference, table: stores } } }
statements:
  a: { text: "SELECT 1 FROM {stores} JOIN {sales}", parameters: { s: { type: key, table: stores } } }
sizes: { large: { tables: { stores: { rows: 40 } } } }
`;
  expect(renameTable(readYaml(text), 'stores', 'shops').text).toBe(
    text
      .replace('  stores: {', '  shops: {')
      .replaceAll('table: stores', 'table: shops')
      .replace('{stores}', '{shops}')
      .replace('{ stores:', '{ shops:'),
  );
});

test('the dataset gets a name, another one and none again, in texts and parameters, and its comments stay', () => {
  const text = `dyno: 1
dataset: # of the shop
  rows: 9 # few
  key: id
  columns: { id: { type: sequence } }
tables: { old: { rows: 4, key: id, columns: { id: { type: uuid4 } } } }
statements:
  a:
    text: { sqlite: 'SELECT 1 FROM {table} JOIN {old}', mongodb: '{ "find": "{table}" }' }
    parameters: { s: { type: query, text: 'SELECT id FROM {table}' }, o: { type: key, table: old } }
checks: { c: { text: 'SELECT id FROM {table} WHERE 1 = 0' } }
`;
  const named = renameDataset(readYaml(text), 'orders');
  expect(named.text).toBe(
    text.replaceAll('{table}', '{orders}').replace('  rows: 9 # few', '  name: orders\n  rows: 9 # few'),
  );
  const inOneLine = readYaml("dataset: { rows: 1, columns: {} }\nstatements: { a: { text: 'DELETE FROM {table}' } }\n");
  expect(renameDataset(inOneLine, 'orders').text).toBe(
    "dataset: { name: orders, rows: 1, columns: {} }\nstatements: { a: { text: 'DELETE FROM {orders}' } }\n",
  );
  expect(renameDataset(readYaml('dyno: 1\nname: x\n'), 'orders').value).toMatchObject({ dataset: { name: 'orders' } });
  const again = renameDataset(
    readYaml(named.text.replace('o: { type: key, table: old }', 'o: { type: newKey, table: orders }')),
    'bills',
  );
  expect(again.text).toContain('o: { type: newKey, table: bills }');
  expect(again.text).toContain('name: bills');
  expect(again.text).not.toContain('orders');
  expect(renameDataset(named, 'table').text).toBe(text);
});

test('a check is renamed in the file and in its sizes, and nothing that is called alike', () => {
  const text = `dyno: 1
statements: { known: { text: SELECT 1 } }
checks:
  known: # always
    text: SELECT 1 WHERE 1 = 0
sizes: { large: { checks: { known: { text: SELECT 2 WHERE 1 = 0 } } } }
`;
  expect(renameCheck(readYaml(text), 'known', 'all-known').text).toBe(
    text.replace('  known: #', '  all-known: #').replace('checks: { known:', 'checks: { all-known:'),
  );
});

test('a statement is renamed in steps, blocks and captured parameters, and nothing that is called alike', () => {
  const text = `dyno: 1
tables: { look: { rows: 4, columns: { look: { type: uuid4 } } } }
statements:
  look: # the dearest
    text: SELECT look FROM {look} ORDER BY look
  take:
    text: UPDATE {look} SET n = n - 1 WHERE look = :look
    parameters: { look: { type: captured, from: look, column: look } }
transactions:
  buy:
    steps: [look, { thinkMs: 5 }, { steps: [take, look], probability: 0.5, otherwise: [look] }]
scenarios:
  buyer: { steps: [buy, look] }
sizes: { large: { statements: { look: { weight: 2 } } } }
`;
  expect(renameStatement(readYaml(text), 'look', 'find').text).toBe(
    text
      .replace('  look: #', '  find: #')
      .replace('from: look', 'from: find')
      .replace('[look, {', '[find, {')
      .replace('[take, look]', '[take, find]')
      .replace('otherwise: [look]', 'otherwise: [find]')
      .replace('[buy, look]', '[buy, find]')
      .replace('statements: { look:', 'statements: { find:'),
  );
  expect(renameStatement(readYaml(text), 'buy', 'purchase').text).toBe(
    text.replace('  buy:\n', '  purchase:\n').replace('[buy, look]', '[purchase, look]'),
  );
  expect(renameStatement(readYaml(text), 'buyer', 'customer').text).toBe(text.replace('  buyer:', '  customer:'));
});

test('a statement is renamed in judged times and goals, and no quantity that is called alike', () => {
  const text = `dyno: 1
statements: { p99: { text: SELECT 1 }, look: { text: SELECT 2 } }
judge: [p99, { statement: p99, quantile: 0.95 }, { statement: look, quantile: 1 }] # p99
goals: [{ p99Ms: 5, of: p99 }, { maxMs: 9, of: look }]
`;
  const changed = text.replace('{ p99: {', '{ find: {').replace('statement: p99', 'statement: find');
  expect(renameStatement(readYaml(text), 'p99', 'find').text).toBe(changed.replace('of: p99', 'of: find'));
  const one = 'statements: { look: { text: SELECT 2 } }\ngoals: { of: look, maxMs: 9 }\n';
  expect(renameStatement(readYaml(one), 'look', 'find').text).toBe(one.replaceAll('look', 'find'));
});

test('a level is renamed in its factor, sizes, baselines and published values, and no level of another factor', () => {
  const text = `dyno: 1
factors:
  text: { as is: {}, variant 1: { fetchSize: 5 } } # variant 1
  other: { variant 1: { fetchSize: 6 } }
baseline: { text: variant 1, other: variant 1 }
sizes: { large: { factors: { text: { variant 1: { fetchSize: 7 } } }, baseline: { text: variant 1 } } }
published:
  - { source: variant 1, baseline: { text: variant 1 }, values: [{ levels: { text: variant 1 }, value: 1 }] }
`;
  expect(renameLevel(readYaml(text), 'text', 'variant 1', 'exists').text).toBe(
    text
      .replace('as is: {}, variant 1:', 'as is: {}, exists:')
      .replace('text: { variant 1:', 'text: { exists:')
      .replaceAll('text: variant 1', 'text: exists'),
  );
});
