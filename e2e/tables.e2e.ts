import { violations } from './axe.ts';
import { expect, test } from './fixtures.ts';

/** On SQLite alone: nothing has to be there. */
const shop = `dyno: 1
name: Shop
question: How fast does a shop sell?
tables:
  stores: # of the whole country
    rows: 30
    key: id
    columns:
      id: { type: sequence, start: 100 }
      city: { type: name, what: city }
  sales:
    rows: 300
    key: id
    columns:
      id: { type: sequence }
      store: { type: reference, table: stores, distribution: zipf }
workload:
  operation: statement
  method: prepared
statements:
  of-store:
    text: SELECT count(*) FROM {sales} s JOIN {stores} t ON t.id = s.store WHERE t.id = :store
    parameters:
      store: { type: key, table: stores }
    expectRows: 1
  sell:
    text: INSERT INTO {sales} (id, store) VALUES (:id, :store)
    parameters:
      id: { type: newKey, table: sales }
      store: { type: key, table: stores }
checks:
  stores-are-known:
    text: SELECT s.id FROM {sales} s LEFT JOIN {stores} t ON t.id = s.store WHERE t.id IS NULL
targets: [sqlite]
measure: { repeats: 1, seconds: 1, warmupSeconds: 0 }
`;

test('tables are seen, changed, renamed, undone and removed in the form, and a run says what held', async ({
  dyno,
}) => {
  const { page } = dyno;
  await dyno.setYaml(shop);
  const form = page.getByRole('region', { name: 'Form' });
  const editor = page.getByRole('textbox', { name: 'Experiment file' });
  const tables = form.getByRole('tablist', { name: 'Tables' });
  await expect(tables.getByRole('tab', { name: 'stores', selected: true })).toBeVisible();
  const rows = page.getByRole('region', { name: 'First rows of stores' });
  await expect(rows.getByRole('cell', { name: '100', exact: true })).toBeVisible();

  await tables.getByRole('tab', { name: 'sales' }).click();
  await expect(form.getByRole('textbox', { name: 'table of store', exact: true }).first()).toHaveValue('stores');
  await expect(page.getByRole('region', { name: 'First rows of sales' }).getByRole('row')).toHaveCount(21);
  expect(await violations(page)).toEqual([]);

  await tables.getByRole('tab', { name: 'stores' }).click();
  await form.getByRole('textbox', { name: 'New name of stores' }).fill('shops');
  await form.getByRole('button', { name: 'Rename' }).click();
  await expect(tables.getByRole('tab', { name: 'shops', selected: true })).toBeVisible();
  await expect(editor).toContainText('shops: # of the whole country');
  await expect(editor).toContainText('table: shops, distribution: zipf');
  await expect(editor).toContainText('JOIN {shops} t');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tables.getByRole('tab', { name: 'stores' })).toBeVisible();
  await expect(editor).not.toContainText('shops');

  await form.getByRole('textbox', { name: 'Name of a new table' }).fill('articles');
  await form.getByRole('button', { name: 'Add table' }).click();
  await expect(tables.getByRole('tab', { name: 'articles', selected: true })).toBeVisible();
  await form.getByRole('button', { name: 'Remove table' }).click();
  await expect(editor).not.toContainText('articles');

  await dyno.run();
  expect(await dyno.waitForResult()).toBe('complete');
  await page.getByRole('tab', { name: 'Conditions' }).click();
  await expect(page.getByText(/Checks: 1 holds\./)).toBeVisible();
});
