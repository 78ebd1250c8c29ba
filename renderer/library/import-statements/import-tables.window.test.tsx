import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ColumnFacts, TableFacts } from '#engine-api/table-facts.ts';
import { DynoError } from '#model/error.ts';
import { parseFile } from '#rules/parsed-file.ts';
import type { FakeHandlers } from '../../dev/fake-ipc.ts';
import { openWindow, region } from '../../dev/window.fixture.tsx';
import { longEnough, openSqlDialog } from '../test-sql/sql-dialog.fixture.tsx';

const shared = { values: {}, passwords: {}, address: 'db.example.com', problem: null, lastCheck: null, hue: 2 };
const connections = [
  { ...shared, id: 'a', name: 'shop', engine: 'postgres' },
  { ...shared, id: 'b', name: 'notes', engine: 'ravendb' },
];

const column = (name: string, type: string, statistics: Partial<ColumnFacts['statistics']>): ColumnFacts => ({
  ...{ name, type, args: [], isNullable: false, isCounted: false, isComputed: false, isArray: false, labels: null },
  statistics: { nullShare: 0, distinct: null, common: [], bounds: [], meanBytes: 4, rowOrder: null, ...statistics },
});
const plain = { schema: null, key: ['id'], indexes: [], joint: [], notes: [] };
const facts: readonly TableFacts[] = [
  {
    ...{ ...plain, name: 'customers', rows: 1_000, foreignKeys: [] },
    columns: [
      column('id', 'integer', { distinct: 1_000, bounds: [1, 1_000], rowOrder: 1 }),
      column('city', 'text', { distinct: 1, meanBytes: 6, common: [{ value: 'Canary', share: 1 }] }),
    ],
  },
  {
    ...{ ...plain, name: 'orders', rows: 5_000, notes: ['The server has a note.'] },
    columns: [
      column('id', 'integer', { distinct: 5_000, bounds: [1, 5_000], rowOrder: 1 }),
      column('customer', 'integer', { distinct: 1_000 }),
      column('code', 'integer', { distinct: 2, common: [{ value: 7, share: 1 }] }),
    ],
    foreignKeys: [{ columns: ['customer'], schema: null, table: 'customers', referred: ['id'] }],
  },
];

async function openDialog(handlers: Partial<FakeHandlers> = {}) {
  const dyno = await openWindow({
    handlers: {
      'connections:list': async () => ({ connections, problem: null, cannotStore: null }),
      'statements:importTables': async () => ({ facts }),
      ...handlers,
    },
  });
  const dialog = await openSqlDialog('New from a server', (button) => dyno.user.click(button));
  const press = (name: string) => dyno.user.click(dialog.getByRole('button', { name }));
  await dyno.user.click(dialog.getByRole('radio', { name: 'Tables' }));
  const choose = (name: RegExp) => dyno.user.click(dialog.getByRole('radio', { name }));
  return { dyno, dialog, press, choose };
}

test('ticked tables become an experiment with made-up texts, and a column can get another type', async () => {
  const { dyno, dialog, press, choose } = await openDialog();
  await choose(/^shop/);
  await press('Read the tables');
  expect(await dialog.findByRole('checkbox', { name: 'orders' })).toBeChecked();
  expect(dialog.getByText(/^2 tables with 6,000 rows, about /)).toBeVisible();
  expect(dialog.getByText('The server has a note.')).toBeInTheDocument();
  expect(dialog.getByRole('checkbox', { name: 'Keep frequent texts as they are' })).not.toBeChecked();
  await dyno.user.click(dialog.getByText('3 columns'));
  // A key and a reference keep their types.
  expect(dialog.queryByRole('button', { name: /Type of customer/ })).toBeNull();
  await dyno.user.click(dialog.getByRole('button', { name: /Type of code/ }));
  await dyno.user.click(await screen.findByRole('option', { name: 'Text' }));
  await press('Make the experiment');
  await region('Form');
  await expect.poll(() => dyno.text(), longEnough).toContain('customers');
  const text = dyno.text();
  expect(text).not.toContain('Canary');
  const { experiment, diagnostics } = parseFile(text);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(experiment).toMatchObject({
    targets: ['shop'],
    tables: { customers: { rows: 1_000 }, orders: { columns: { code: { type: 'frequencies', as: 'text' } } } },
  });
});

test('without a ticked table nothing is made, and a server without statistics says why', async () => {
  const { dyno, dialog, press, choose } = await openDialog();
  await choose(/^notes/);
  expect(dialog.getByText(/has no statistics that Dyno reads\. RavenDB keeps no statistics/)).toBeVisible();
  await choose(/^shop/);
  await press('Read the tables');
  for (const name of ['customers', 'orders']) await dyno.user.click(await dialog.findByRole('checkbox', { name }));
  expect(dialog.getByRole('button', { name: 'Make the experiment' })).toBeDisabled();
});

test('a server that does not answer says why', async () => {
  const { dialog, press, choose } = await openDialog({
    'statements:importTables': async () => {
      throw new DynoError('permission', 'The user may not read pg_stats.', { hint: 'Grant it.' });
    },
  });
  await choose(/^shop/);
  await press('Read the tables');
  expect(await dialog.findByRole('alert')).toHaveTextContent(/may not read pg_stats.*Grant it/);
});
