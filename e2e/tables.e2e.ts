import { violations } from './axe.ts';
import { expect, test } from './fixtures.ts';

/** Runs on SQLite only, which needs no server. */
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
measure: { until: { seconds: 1 }, repeats: 1, warmupSeconds: 0 }
`;

test('tables are seen, changed, renamed, undone and removed in the form, and a run says what held', async ({
  dyno,
}) => {
  const { page } = dyno;
  await dyno.setYaml(shop);
  await dyno.showSection('Workload');
  const form = page.getByRole('region', { name: 'Form' });
  const editor = page.getByRole('textbox', { name: 'Experiment file' });
  const section = form.getByRole('region', { name: 'Tables' });
  const tables = section.getByRole('tablist', { name: 'Tables' });
  await expect(tables.getByRole('tab', { name: 'stores', selected: true })).toBeVisible();
  const rows = page.getByRole('region', { name: 'First rows of stores' });
  await expect(rows.getByRole('cell', { name: '100', exact: true })).toBeVisible();

  await tables.getByRole('tab', { name: 'sales' }).click();
  await expect(form.getByRole('textbox', { name: 'Table of store', exact: true }).first()).toHaveValue('stores');
  await expect(page.getByRole('region', { name: 'First rows of sales' }).getByRole('row')).toHaveCount(21);
  expect(await violations(page)).toEqual([]);

  await tables.getByRole('tab', { name: 'stores' }).click();
  await section.getByRole('textbox', { name: 'New name of stores' }).fill('shops');
  await section.getByRole('button', { name: 'Rename' }).click();
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
  await page.getByRole('tab', { name: 'Environment' }).click();
  const checks = page.getByRole('region', { name: 'Checks' });
  await expect(checks.getByRole('row', { name: /stores-are-known/ })).toContainText('1 of 1 trial');
});

test('a check is added, renamed, undone and tried in the form, fails a trial, and holds when it is changed', async ({
  dyno,
}) => {
  // The test tries the check twice and runs twice.
  test.slow();
  const { page } = dyno;
  await dyno.setYaml(shop);
  await dyno.showSection('Workload');
  const form = page.getByRole('region', { name: 'Form' });
  const section = form.getByRole('region', { name: 'Checks' });
  const file = page.getByRole('textbox', { name: 'Experiment file' });
  const tabs = section.getByRole('tablist', { name: 'Checks' });
  await expect(tabs.getByRole('tab', { name: 'stores-are-known', selected: true })).toBeVisible();

  const name = section.getByRole('textbox', { name: 'Name of a new check' });
  await name.fill('stores-are-known');
  await expect(section.getByRole('button', { name: 'Add check' })).toBeDisabled();
  await name.fill('nothing-sold');
  await name.press('Tab');
  await page.keyboard.press('Enter');
  await expect(tabs.getByRole('tab', { name: 'nothing-sold', selected: true })).toBeVisible();
  await expect(file).toContainText('SELECT id FROM {stores} WHERE id IS NULL');

  await section.getByRole('textbox', { name: 'New name of nothing-sold' }).fill('no-sale-is-new');
  await section.getByRole('button', { name: 'Rename' }).click();
  await expect(tabs.getByRole('tab', { name: 'no-sale-is-new', selected: true })).toBeVisible();
  await expect(file).not.toContainText('nothing-sold');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tabs.getByRole('tab', { name: 'nothing-sold' })).toBeVisible();
  await page.getByRole('button', { name: 'Redo' }).click();
  await tabs.getByRole('tab', { name: 'no-sale-is-new' }).click();
  await section.getByRole('textbox', { name: 'Conditions that must hold' }).fill('Nobody sells');
  await expect(file).toContainText('about: Nobody sells');

  const text = section.getByRole('textbox', { name: 'Text of no-sale-is-new, All' });
  const write = async (query: string) => {
    await text.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(query);
  };
  await write('SELECT id FROM {sale} WHERE id > :id');
  await expect(file).toContainText('SELECT id FROM {sale} WHERE id > :id');
  const problems = page.getByRole('region', { name: 'Plan' });
  await expect(problems.getByText(/has \{sale\}, and there is no such table/)).toBeVisible();
  await expect(problems.getByText(/parameter “id”, and checks have none/)).toBeVisible();
  await expect(section.getByRole('button', { name: 'Try once' })).toBeDisabled();

  // First a check on loaded rows, then one on rows that only the statements make.
  const tried = section.getByRole('region', { name: 'no-sale-is-new on sqlite', exact: true });
  await write('SELECT id, store FROM {sales} WHERE id > 298');
  await section.getByRole('button', { name: 'Try once' }).click();
  await expect(tried).toContainText('returned 2 rows; 0 expected', { timeout: 30_000 });
  await expect(tried.getByRole('cell', { name: '300', exact: true })).toBeVisible();
  await write('SELECT id, store FROM {sales} WHERE id > 300');
  await section.getByRole('button', { name: 'Try once' }).click();
  await expect(tried).toContainText('0 rows', { timeout: 30_000 });
  await expect(tried).toContainText('as expected');
  expect(await violations(page)).toEqual([]);

  await dyno.run();
  expect(await dyno.waitForResult()).toBe('complete');
  expect(await dyno.results()).toMatchObject([{ status: 'failed' }]);
  await expect(page.getByRole('region', { name: 'Skipped and failed' })).toContainText(
    /A check does not hold: `no-sale-is-new` found [\d,]+ rows( and more)?, the first: id 30\d, store \d+/,
  );
  await page.getByRole('tab', { name: 'Environment' }).click();
  const checks = page.getByRole('region', { name: 'Checks' });
  await expect(checks.getByRole('row', { name: /stores-are-known/ })).toContainText('1 of 1 trial');
  const failing = checks.getByRole('row', { name: /no-sale-is-new/ });
  await expect(failing).toContainText('Nobody sells');
  await expect(failing).toContainText('0 of 1 trial');
  await expect(failing).toContainText(/Trial 1: [\d,]+ rows( and more)?, the first: id 30\d, store \d+; id/);
  expect(await violations(page)).toEqual([]);

  await page.getByRole('navigation').getByRole('link', { name: 'Builder' }).click();
  await tabs.getByRole('tab', { name: 'no-sale-is-new' }).click();
  await write('SELECT id FROM {sales} WHERE store IS NULL');
  await dyno.run();
  expect(await dyno.waitForResult()).toBe('complete');
  expect(await dyno.results()).toMatchObject([{ status: 'ok' }]);
  await page.getByRole('tab', { name: 'Environment' }).click();
  await expect(checks.getByRole('row', { name: /no-sale-is-new/ })).toContainText('1 of 1 trial');

  await page.getByRole('navigation').getByRole('link', { name: 'Builder' }).click();
  for (let left = 2; left > 0; left--) await section.getByRole('button', { name: 'Remove check' }).click();
  // A hidden series is not in the page.
  await file.click();
  await page.keyboard.press('ControlOrMeta+End');
  await expect(file).toContainText('targets: [sqlite]');
  await expect(file).not.toContainText('checks:');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tabs.getByRole('tab')).toHaveCount(1);
});
