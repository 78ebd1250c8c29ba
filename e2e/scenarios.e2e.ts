import { violations } from './axe.ts';
import { expect, test } from './fixtures.ts';

/** Runs on SQLite only, which needs no server. */
const shop = `dyno: 1
name: Shop
question: How fast does a shop sell?
tables:
  stores: { rows: 30, key: id, columns: { id: { type: sequence }, next: { type: integer, min: 1, max: 1 } } }
  sales: { rows: 300, key: id, columns: { id: { type: sequence }, store: { type: reference, table: stores } } }
workload: { operation: statement, method: prepared, users: 8, thinkMs: 10 }
statements:
  number: { text: 'SELECT next FROM {stores} WHERE id = :store', expectRows: 1 }
  sell:
    text: INSERT INTO {sales} (id, store) VALUES (:sale, :store)
    parameters: { sale: { type: newKey, table: sales } }
  note: { text: 'UPDATE {stores} SET next = :n + 1 WHERE id = :store', expectRows: 1 }
  count: { text: 'SELECT count(*) FROM {sales}', expectRows: 1 }
transactions:
  buy:
    parameters: { n: { type: captured, from: number, column: next } }
    steps: [number, { steps: [sell], times: { min: 1, max: 3 } }, note]
scenarios:
  buyer:
    users: 3
    parameters: { store: { type: key, table: stores } }
    steps: [buy, { thinkMs: { from: 10, to: 20 } }, buy]
  clerk: { users: 1, steps: [{ thinkMs: 50 }, count] }
targets: [sqlite]
measure: { until: { seconds: 1 }, repeats: 1, warmupSeconds: 0 }
`;

test('what users do is seen and changed in the form, and a run tells of each step, transaction and scenario', async ({
  dyno,
}) => {
  const { page } = dyno;
  await dyno.setYaml(shop);
  await dyno.showPart('Statements');
  const form = page.getByRole('region', { name: 'Form' });
  const tabs = form.getByRole('tablist', { name: 'Statements, transactions and scenarios' });
  await tabs.getByRole('tab', { name: /^buy transaction/ }).click();
  await expect(form.getByText('number, (sell) 1 to 3 times, note')).toBeVisible();
  await expect(form.getByRole('table', { name: 'Parameters of buy' })).toContainText('result of an earlier step');
  expect(await violations(page)).toEqual([]);
  await tabs.getByRole('tab', { name: /^buyer scenario/ }).click();
  await expect(form.getByText('buy, think 10 to 20 ms, buy')).toBeVisible();
  const users = form.getByRole('tabpanel', { name: /^buyer/ }).getByRole('textbox', { name: 'Users' });
  await users.fill('7');
  await users.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Experiment file' })).toContainText('users: 7');
  expect(await violations(page)).toEqual([]);

  await dyno.run();
  expect(await dyno.waitForResult()).toBe('complete');
  await page.getByRole('tab', { name: 'Latency' }).click();
  const table = page.getByRole('region', { name: 'Custom statements' });
  for (const name of ['number', 'sell', 'note', 'count', 'buy (transaction)', 'buyer (scenario)', 'clerk (scenario)'])
    await expect(table.getByRole('rowheader', { name, exact: true })).toBeVisible();
});
