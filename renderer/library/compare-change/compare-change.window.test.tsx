import { expect, test } from 'vitest';
import { parseFile } from '#rules/parsed-file.ts';
import { choose, fill } from '../../dev/window.fixture.tsx';
import { longEnough, openSqlDialog, openStarting, readyRun, toldText } from '../test-sql/sql-dialog.fixture.tsx';

const shop = `CREATE TABLE customers (id bigint PRIMARY KEY, city varchar(20) NOT NULL);
CREATE TABLE orders (id bigint PRIMARY KEY, customer_id bigint NOT NULL REFERENCES customers (id), total integer NOT NULL);
SELECT id FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE total > ?);
INSERT INTO orders (id, customer_id, total) VALUES (?, ?, ?);`;
const rewritten =
  'SELECT id FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.total > ?)';

async function openDialog() {
  const { dyno, started } = await openStarting();
  const dialog = await openSqlDialog('Compare a change', (button) => dyno.user.click(button));
  const run = async () => {
    const button = await readyRun(dialog);
    const plan = toldText();
    await dyno.user.click(button);
    await expect.poll(() => started.length).toBe(1);
    const { experiment, diagnostics } = parseFile(started[0]!);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    return { experiment, plan };
  };
  const sqlite = async () => dyno.user.click(dialog.getByRole('radio', { name: /^SQLite/ }));
  return { dyno, dialog, told: toldText, run, sqlite };
}

test('two texts become levels of a factor, with equal answers, and the plan says what the run costs', async () => {
  const { dyno, dialog, told, run, sqlite } = await openDialog();
  expect(told()).toBe('Choose a server.');
  await sqlite();
  await fill(dyno, dialog.getByRole('textbox', { name: 'SQL as it is' }), shop);
  await expect.poll(told, longEnough).toBe('Paste or open the changed SQL.');
  await fill(dyno, dialog.getByRole('textbox', { name: 'Changed SQL' }), rewritten);
  const { experiment, plan } = await run();
  expect(plan).toMatch(/^10 trials on sqlite, about /);
  expect(experiment).toMatchObject({
    targets: ['sqlite'],
    baseline: { change: 'as it is' },
    compare: 'levels',
    equal: { draws: 100 },
    factors: {
      change: {
        'as it is': {},
        changed: { statements: { 'select-1': { text: expect.stringMatching(/NOT EXISTS/) } } },
      },
    },
  });
  expect(Object.keys(experiment!.statements!)).toHaveLength(2);
  const { change } = experiment!.factors as { readonly change: { readonly changed: { readonly statements: object } } };
  expect(Object.keys(change.changed.statements)).toEqual(['select-1']);
});

test('an index is built over the rows, beside those that the table has', async () => {
  const { dyno, dialog, told, run, sqlite } = await openDialog();
  await sqlite();
  await fill(dyno, dialog.getByRole('textbox', { name: 'SQL as it is' }), shop);
  await choose(dyno, dialog.getByRole('button', { name: /What changes/ }), 'An index');
  await expect.poll(told, longEnough).toBe('Enter the columns of the index.');
  await choose(dyno, dialog.getByRole('button', { name: /^customers Table|Table/ }), 'orders');
  await fill(dyno, dialog.getByRole('textbox', { name: 'Columns' }), 'customer_id, total');
  const { experiment } = await run();
  const index = { columns: ['customer_id', 'total'] };
  expect(experiment!.factors!.change).toMatchObject({
    'index on customer_id, total': { tables: { orders: { indexes: [index] } }, indexCreation: 'afterLoad' },
  });
});

test('the change stays when the dialog is closed, and a version of another engine does not', async () => {
  const { dyno, dialog, told, sqlite } = await openDialog();
  await choose(dyno, dialog.getByRole('button', { name: /What changes/ }), 'The version of the server');
  dialog.getByText('Choose a server first.');
  await dyno.user.click(dialog.getByRole('radio', { name: /^PostgreSQL(?! \d)/ }));
  await fill(dyno, dialog.getByRole('textbox', { name: 'SQL as it is' }), shop);
  await choose(dyno, dialog.getByRole('button', { name: /The other server/ }), 'PostgreSQL 17');
  await expect.poll(told, longEnough).toMatch(/^10 trials on /);
  await sqlite();
  await expect.poll(told, longEnough).toBe('Dyno knows no other server of this engine.');
  await dyno.user.click(dialog.getByRole('button', { name: 'Cancel' }));
  const again = await openSqlDialog('Compare a change', (button) => dyno.user.click(button));
  expect(again.getByRole('textbox', { name: 'SQL as it is' })).toHaveValue(shop);
  expect(again.getByRole('button', { name: /What changes/ })).toHaveTextContent('The version of the server');
});

test('the statements as they are can be picked from the server, of which one is chosen', async () => {
  const { dyno, dialog, sqlite } = await openDialog();
  const postgres = dialog.getByRole('radio', { name: /^PostgreSQL(?! \d)/ });
  await dyno.user.click(postgres);
  expect(postgres).toBeChecked();
  await sqlite();
  expect(postgres).not.toBeChecked();
  await dyno.user.click(dialog.getByRole('button', { name: 'Pick from the server…' }));
  expect(dialog.getByText(/SQLite counts no statements/)).toBeVisible();
});

test('CREATE TABLE in the changed SQL is refused, because both versions have the same tables', async () => {
  const { dyno, dialog, told, sqlite } = await openDialog();
  await sqlite();
  await fill(dyno, dialog.getByRole('textbox', { name: 'SQL as it is' }), shop);
  const changed = dialog.getByRole('textbox', { name: 'Changed SQL' });
  await fill(dyno, changed, `${shop.replace('total integer', 'total bigint').split('SELECT')[0]}${rewritten}`);
  await expect.poll(told, longEnough).toMatch(/^The changed SQL has CREATE TABLE, but both versions use the tables/);
  await fill(dyno, changed, `-- CREATE TABLE orders\n${rewritten}`);
  await expect.poll(told, longEnough).toMatch(/^10 trials on sqlite/);
});

test('servers of one version are offered after the usual ones', async () => {
  const { dialog } = await openDialog();
  const names = dialog.getAllByRole('radio').map((one) => one.closest('label')?.textContent ?? '');
  const versions = names.findIndex((name) => /^PostgreSQL \d/.test(name));
  expect(versions).toBeGreaterThan(names.findIndex((name) => name.startsWith('SQLite')));
});

test('own tables of the server get no index, and the dialog says why', async () => {
  const { dyno, dialog, told, sqlite } = await openDialog();
  await sqlite();
  await fill(dyno, dialog.getByRole('textbox', { name: 'SQL as it is' }), 'SELECT total FROM orders WHERE id = ?');
  await choose(dyno, dialog.getByRole('button', { name: /What changes/ }), 'An index');
  await expect.poll(told, longEnough).toMatch(/^Dyno changes only tables that it has made/);
});
