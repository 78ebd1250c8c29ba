import { expect, test } from 'vitest';
import { DynoError } from '#model/error.ts';
import type { ToldStatements } from '#protocol/told-statements.ts';
import { parseFile } from '#rules/parsed-file.ts';
import type { FakeHandlers } from '../../dev/fake-ipc.ts';
import { openWindow, region } from '../../dev/window.fixture.tsx';
import { longEnough, openSqlDialog } from '../test-sql/sql-dialog.fixture.tsx';

const shared = { values: {}, passwords: {}, address: 'db.example.com', problem: null, lastCheck: null, hue: 2 };
const connections = [
  { ...shared, id: 'a', name: 'shop', engine: 'postgres' },
  { ...shared, id: 'b', name: 'notes', engine: 'ravendb' },
];

const told: ToldStatements = {
  tables: [{ schema: null, name: 'orders', columns: ['id', 'total'] }],
  kept: {
    statements: [
      { text: 'SELECT total FROM orders WHERE id = $1', calls: 900, meanMs: 1, rowsPerCall: 1 },
      { text: 'UPDATE orders SET total = $1 WHERE id = $2', calls: 100, meanMs: 0.5, rowsPerCall: 1 },
      { text: 'SELECT a FROM secret', calls: 1, meanMs: 20, rowsPerCall: 1 },
    ],
    others: [{ kind: 'definition', texts: 1, calls: 1, totalMs: 30, words: ['CREATE INDEX'] }],
    ...{ totalMs: 1_000, totalCalls: 1_002, since: '2026-11-01T00:00:00Z' },
  },
};

async function openDialog(handlers: Partial<FakeHandlers> = {}) {
  const asked: unknown[] = [];
  const dyno = await openWindow({
    handlers: {
      'connections:list': async () => ({ connections, problem: null, cannotStore: null }),
      'statements:import': async ({ target }) => {
        asked.push(target);
        return told;
      },
      ...handlers,
    },
  });
  const dialog = await openSqlDialog('New from a server', (button) => dyno.user.click(button));
  const press = (name: string) => dyno.user.click(dialog.getByRole('button', { name }));
  const choose = (name: RegExp) => dyno.user.click(dialog.getByRole('radio', { name }));
  return { dyno, dialog, asked, press, choose };
}

test('reads are ticked and writes are not, and the chosen statements become an experiment', async () => {
  const { dyno, dialog, asked, press, choose } = await openDialog();
  await choose(/^shop/);
  expect(asked).toEqual([]);
  await press('Read the statements');
  const read = await dialog.findByRole('checkbox', { name: 'select-orders-by-id' });
  const write = dialog.getByRole('checkbox', { name: 'update-orders-by-total-id' });
  expect(asked).toEqual(['shop']);
  expect(read).toBeChecked();
  expect(write).not.toBeChecked();
  expect(dialog.getAllByRole('checkbox')).toEqual([read, write]);
  expect(dialog.getByText('It changes orders.')).toBeVisible();
  expect(dialog.getByText('Dyno’s user does not see secret.')).toBeVisible();
  expect(dialog.getByText(/^1 statement: 90\.0.% of the time and 89\.8.% of the calls/)).toBeVisible();
  await dyno.user.click(write);
  expect(dialog.getByText(/95\.0.% of the time.*A run changes your tables by 1 statement\.$/)).toBeVisible();
  await press('Make the experiment');
  await region('Form');
  await expect.poll(() => dyno.text(), longEnough).toContain('SELECT total FROM orders WHERE id = :id');
  const { experiment, diagnostics } = parseFile(dyno.text());
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(experiment).toMatchObject({
    targets: ['shop'],
    statements: { 'select-orders-by-id': { weight: 90 }, 'update-orders-by-total-id': { weight: 10 } },
  });
  expect(document.querySelector('[role="dialog"]')).toBeNull();
});

test('without a ticked statement nothing is made', async () => {
  const { dyno, dialog, press, choose } = await openDialog();
  await choose(/^shop/);
  await press('Read the statements');
  await dyno.user.click(await dialog.findByRole('checkbox', { name: 'select-orders-by-id' }));
  expect(dialog.getByRole('button', { name: 'Make the experiment' })).toBeDisabled();
});

test('an engine that counts nothing, and a server that does not answer, say why', async () => {
  const { dialog, press, choose } = await openDialog({
    'statements:import': async () => {
      throw new DynoError('unsupported', 'This database does not have the extension pg_stat_statements.', {
        hint: 'Run CREATE EXTENSION pg_stat_statements.',
      });
    },
  });
  await choose(/^notes/);
  expect(dialog.getByText(/RavenDB counts no queries by their texts/)).toBeVisible();
  expect(dialog.queryByRole('button', { name: 'Read the statements' })).toBeNull();
  await choose(/^shop/);
  await press('Read the statements');
  expect(await dialog.findByRole('alert')).toHaveTextContent(/extension pg_stat_statements.*CREATE EXTENSION/);
});

test('reading can be stopped, and the dialog says nothing about it', async () => {
  let refuse: (error: Error) => void = () => {};
  let stops = 0;
  const { dialog, press, choose } = await openDialog({
    'statements:import': () =>
      new Promise((_, reject) => {
        refuse = reject;
      }),
    'statements:cancel': async () => {
      stops++;
      refuse(new DynoError('cancelled', 'Stopped.'));
      return null;
    },
  });
  await choose(/^shop/);
  await press('Read the statements');
  await press('Stop reading');
  expect(await dialog.findByRole('button', { name: 'Read the statements' })).toBeVisible();
  expect(stops).toBe(1);
  expect(dialog.queryByRole('alert')).toBeNull();
});
