import { violations } from './axe.ts';
import { expect, test } from './fixtures.ts';

const shop = `dyno: 1
name: A shop
question: What does the data look like?
dataset:
  rows: 2000
  key: id
  columns:
    id: { type: code, pattern: 'AB-####-??' }
    customer: { type: name, what: person, locale: de, pool: 50 }
    kind: { type: group, values: [retail, wholesale], weights: [3, 1] }
    quantity: { type: integer, min: 1, max: 9, distribution: zipf }
    price: { type: decimal, precision: 8, scale: 2, distribution: exponential, nulls: 0.2 }
    total: { type: correlated, of: price, times: quantity }
    note: { type: words, minWords: 3, maxWords: 14 }
    details: { type: document, fields: { tags: { type: list, of: { type: group, count: 9 } }, maker: { type: name, what: company } } }
workload:
  operation: insert
targets: [sqlite]
`;

test('the first rows are shown, and follow the form and the text', async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(shop);
  await dyno.showSection('Workload');
  const rows = page.getByRole('region', { name: 'First rows of the dataset' });
  await expect(rows.getByRole('row')).toHaveCount(21);
  await expect(rows.getByRole('columnheader')).toHaveText([
    'id',
    'customer',
    'kind',
    'quantity',
    'price',
    'total',
    'note',
    'details',
  ]);
  const first = rows.getByRole('row').nth(1).getByRole('cell');
  await expect(first.first()).toHaveText(/^AB-\d{4}-[A-Z]{2}$/);
  await expect(first.last()).toHaveText(/^\{"tags":\[.*\],"maker":".+"\}$/);
  const before = await rows.textContent();

  // Sets another seed in the form.
  const form = page.getByRole('region', { name: 'Form' });
  const seed = form.getByRole('textbox', { name: 'Seed', exact: true }).first();
  await seed.fill('7');
  await seed.press('Tab');
  await expect.poll(() => rows.textContent()).not.toBe(before);

  // Groups are a list with commas.
  const values = form.getByRole('textbox', { name: 'Values of kind' });
  await values.fill('private, public');
  await expect(page.getByRole('textbox', { name: 'Experiment file' })).toContainText('private');
  await expect(rows).toContainText('public');
  await expect(rows).not.toContainText('wholesale');

  // Arrow keys scroll the table.
  await rows.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => rows.evaluate((box) => box.scrollTop)).toBeGreaterThan(0);
});

test('a new type begins as a valid column', async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(shop);
  await dyno.showSection('Workload');
  const form = page.getByRole('region', { name: 'Form' });
  const rows = page.getByRole('region', { name: 'First rows of the dataset' });
  await form.getByRole('button', { name: /Type of note/ }).click();
  await page.getByRole('option', { name: 'name', exact: true }).click();
  await form.getByRole('button', { name: /What of note/ }).click();
  await page.getByRole('option', { name: 'email' }).click();
  await expect(rows).toContainText(/@example\.(com|org|net)/);
});

test('what is wrong with the dataset stands where the rows were; the rest of the file does not matter', async ({
  dyno,
}) => {
  const { page } = dyno;
  const form = page.getByRole('region', { name: 'Form' });
  const rows = page.getByRole('region', { name: 'First rows of the dataset' });
  await dyno.setYaml(shop.replace('of: price', 'of: prise'));
  await dyno.showSection('Workload');
  await expect(form.getByText(/“prise” is not a column of this dataset/)).toBeVisible();
  await expect(form.getByText('Did you mean “price”?')).toBeVisible();
  await expect(rows).toBeHidden();

  await dyno.setYaml(shop.replace('operation: insert', 'operation: inzert'));
  await expect(rows.getByRole('row')).toHaveCount(21);
});

test('it is free of accessibility violations', async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(shop);
  await dyno.showSection('Workload');
  const rows = page.getByRole('region', { name: 'First rows of the dataset' });
  await expect(rows.getByRole('row')).toHaveCount(21);
  expect(await violations(page)).toEqual([]);
});
