import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { choose, expectText, fill, openExperiment, openPart, region } from '../../dev/window.fixture.tsx';

const shop = `dyno: 1
name: A shop
question: What does the data look like?
dataset:
  rows: 2000
  key: id
  columns:
    id: { type: code, pattern: 'AB-####-??' }
    customer: { type: name, what: person, locale: de, pool: 50 }
    kind: { type: oneOf, values: [retail, wholesale], weights: [3, 1] }
    quantity: { type: integer, min: 1, max: 9, distribution: zipf }
    price: { type: decimal, precision: 8, scale: 2, distribution: exponential, nulls: 0.2 }
    total: { type: correlated, of: price, times: quantity }
    note: { type: words, minWords: 3, maxWords: 14 }
    details: { type: document, fields: { tags: { type: list, of: { type: oneOf, count: 9 } }, maker: { type: name, what: company } } }
workload:
  operation: insert
targets: [sqlite]
`;

const firstRows = () => region('First rows of the dataset');
const form = async () => within(await region('Form'));

async function openShop(text = shop) {
  const dyno = await openExperiment(text);
  await openPart(dyno, 'Data');
  return dyno;
}

test('the first rows are shown, and follow the form and the text', async () => {
  const dyno = await openShop();
  const rows = within(await firstRows());
  expect(rows.getAllByRole('row')).toHaveLength(21);
  expect(rows.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    ...['id', 'customer', 'kind', 'quantity', 'price', 'total', 'note', 'details'],
  ]);
  const cells = within(rows.getAllByRole('row')[1]!).getAllByRole('cell');
  expect(cells.at(0)).toHaveTextContent(/^AB-\d{4}-[A-Z]{2}$/);
  expect(cells.at(-1)).toHaveTextContent(/^\{"tags":\[.*\],"maker":".+"\}$/);
  const before = (await firstRows()).textContent;

  // Another seed is set in the form.
  await fill(dyno, (await form()).getAllByRole('textbox', { name: 'Seed' })[0]!, '7');
  await dyno.user.tab();
  await expect.poll(async () => (await firstRows()).textContent).not.toBe(before);

  // Groups are a list with commas.
  await fill(dyno, (await form()).getByRole('textbox', { name: 'Values of kind' }), 'private, public');
  await expectText(dyno, 'private');
  await expect.poll(async () => (await firstRows()).textContent).toContain('public');
  expect(await firstRows()).not.toHaveTextContent('wholesale');
});

test('a new type begins as a valid column', async () => {
  const dyno = await openShop();
  await choose(dyno, (await form()).getByRole('button', { name: /Type of note/ }), 'name');
  await choose(dyno, await (await form()).findByRole('button', { name: /What of note/ }), 'email');
  await expect.poll(async () => (await firstRows()).textContent).toMatch(/@example\.(com|org|net)/);
});

test('a mistake in the dataset stands in the place of its rows', async () => {
  await openShop(shop.replace('of: price', 'of: prise'));
  await (await form()).findByText(/“prise” is not a column of this dataset/);
  await (await form()).findByText('Did you mean “price”?');
  expect(screen.queryByRole('region', { name: 'First rows of the dataset' })).toBeNull();
});

test('a mistake elsewhere in the file does not hide the rows', async () => {
  await openShop(shop.replace('operation: insert', 'operation: inzert'));
  expect(within(await firstRows()).getAllByRole('row')).toHaveLength(21);
});
