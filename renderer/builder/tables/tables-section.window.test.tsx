import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { shop } from '#integration/results/small-experiments.fixture.ts';
import { expectNoText, expectText, fill, openExperiment, openPart, region } from '../../dev/window.fixture.tsx';

const tab = (name: string, selected?: boolean) =>
  screen.findByRole('tab', { name, ...(selected !== undefined && { selected }) });

test('tables are seen, renamed, undone, added and removed in the form', async () => {
  const dyno = await openExperiment(shop);
  await openPart(dyno, 'Data');
  const form = within(await region('Form'));
  const section = within(await region('Tables'));
  await tab('stores', true);
  within(await region('First rows of stores')).getByRole('cell', { name: '100' });

  await dyno.user.click(await tab('sales'));
  expect((await form.findAllByRole('textbox', { name: 'Table of store' }))[0]).toHaveValue('stores');
  expect(within(await region('First rows of sales')).getAllByRole('row')).toHaveLength(21);

  await dyno.user.click(await tab('stores'));
  await fill(dyno, await section.findByRole('textbox', { name: 'New name of stores' }), 'shops');
  await dyno.user.click(section.getByRole('button', { name: 'Rename' }));
  await tab('shops', true);
  for (const part of ['shops: # of the whole country', 'table: shops, distribution: zipf', 'JOIN {shops} t'])
    await expectText(dyno, part);
  await dyno.user.click(screen.getByRole('button', { name: 'Undo' }));
  await tab('stores');
  await expectNoText(dyno, 'shops');

  await fill(dyno, form.getByRole('textbox', { name: 'Name of a new table' }), 'articles');
  await dyno.user.click(form.getByRole('button', { name: 'Add table' }));
  await tab('articles', true);
  await expectText(dyno, 'articles');
  await dyno.user.click(form.getByRole('button', { name: 'Remove table' }));
  await expectNoText(dyno, 'articles');
});

test('checks are added, renamed, undone, described and removed in the form', async () => {
  const dyno = await openExperiment(shop);
  await openPart(dyno, 'Advanced');
  const section = within(await region('Checks'));
  await tab('stores-are-known', true);

  const name = section.getByRole('textbox', { name: 'Name of a new check' });
  await fill(dyno, name, 'stores-are-known');
  expect(section.getByRole('button', { name: 'Add check' })).toBeDisabled();
  await fill(dyno, name, 'nothing-sold');
  await dyno.user.keyboard('{Tab}{Enter}');
  await tab('nothing-sold', true);
  await expectText(dyno, 'SELECT id FROM {stores} WHERE id IS NULL');

  await fill(dyno, section.getByRole('textbox', { name: 'New name of nothing-sold' }), 'no-sale-is-new');
  await dyno.user.click(section.getByRole('button', { name: 'Rename' }));
  await tab('no-sale-is-new', true);
  await expectNoText(dyno, 'nothing-sold');
  await dyno.user.click(screen.getByRole('button', { name: 'Undo' }));
  await tab('nothing-sold');
  await dyno.user.click(screen.getByRole('button', { name: 'Redo' }));
  await dyno.user.click(await tab('no-sale-is-new'));
  await fill(dyno, section.getByRole('textbox', { name: 'Conditions that must hold' }), 'Nobody sells');
  await expectText(dyno, 'about: Nobody sells');

  for (let left = 2; left > 0; left--) await dyno.user.click(section.getByRole('button', { name: 'Remove check' }));
  await expectNoText(dyno, 'checks:');
  await dyno.user.click(screen.getByRole('button', { name: 'Undo' }));
  await expect.poll(() => within(screen.getByRole('tablist', { name: 'Checks' })).getAllByRole('tab')).toHaveLength(1);
});

test('pasted CREATE TABLE statements become tables, and one of them the dataset', async () => {
  const dyno = await openExperiment(shop);
  await openPart(dyno, 'Data');
  const paste = async (section: string, script: string) => {
    await dyno.user.click(within(await region(section)).getByRole('button', { name: 'Paste CREATE TABLE…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Paste CREATE TABLE' }));
    await fill(dyno, dialog.getByRole('textbox', { name: 'CREATE TABLE statements' }), script);
    return dialog;
  };
  const taken = await paste('Tables', 'CREATE TABLE stores (id bigint PRIMARY KEY);');
  await taken.findByText(/already has stores/);
  expect(taken.getByRole('button', { name: 'Use the table' })).toBeDisabled();
  await dyno.user.click(taken.getByRole('button', { name: 'Cancel' }));

  const two = await paste(
    'Tables',
    `CREATE TABLE people (id bigint PRIMARY KEY, state varchar(8) CHECK (state IN ('new', 'gone')));
     CREATE TABLE visits (id bigint PRIMARY KEY, person bigint REFERENCES people (id));`,
  );
  await two.findByText('Found people (2 columns) and visits (2 columns).');
  await dyno.user.click(two.getByRole('button', { name: 'Use 2 tables' }));
  await tab('people');
  await tab('visits');
  await expectText(dyno, 'type: oneOf');
  await expectText(dyno, 'table: people');

  const one = await paste('Dataset', 'CREATE TABLE bills (id bigint PRIMARY KEY, amount decimal(9, 2) NOT NULL);');
  await one.findByText('Found bills (2 columns).');
  await dyno.user.click(one.getByRole('button', { name: 'Use the table' }));
  await expectText(dyno, 'amount');
  await expectText(dyno, 'name: bills');
  // A table beside cannot get the name of the dataset, and the dataset none of theirs.
  const again = await paste('Tables', 'CREATE TABLE Bills (id bigint PRIMARY KEY);');
  await again.findByText(/already has bills/);
  await dyno.user.click(again.getByRole('button', { name: 'Cancel' }));
  const beside = await paste('Dataset', 'CREATE TABLE visits (id bigint PRIMARY KEY);');
  await beside.findByText(/already has visits under Tables/);
  await dyno.user.click(beside.getByRole('button', { name: 'Cancel' }));
});

test('the dataset is renamed in all texts at once, and a pasted table brings its name along', async () => {
  const dyno = await openExperiment(`dyno: 1
name: Look-ups
question: How fast?
dataset:
  rows: 100
  key: id
  columns: { id: { type: sequence }, note: { type: text, length: 9 } }
workload: { operation: statement, method: prepared }
statements: { one: { text: 'SELECT note FROM {table} WHERE id = :id', parameters: { id: { type: key } } } }
targets: [sqlite]
size: big
sizes: { big: { dataset: { rows: 5000 } } }
measure: { until: { seconds: 1 } }
`);
  await openPart(dyno, 'Data');
  const section = within(await region('Dataset'));
  const field = await section.findByRole('textbox', { name: 'Name of the table' });
  expect(field).toHaveValue('table');
  await fill(dyno, field, 'Orders');
  expect(section.getByRole('button', { name: 'Rename' })).toBeDisabled();
  await fill(dyno, field, 'orders');
  await dyno.user.click(section.getByRole('button', { name: 'Rename' }));
  await expectText(dyno, 'SELECT note FROM {orders} WHERE id = :id');
  await expectText(dyno, 'name: orders');
  within(await region('First rows of the dataset')).getByRole('cell', { name: '1' });
  await dyno.user.click(screen.getByRole('button', { name: 'Undo' }));
  await expectText(dyno, 'SELECT note FROM {table} WHERE id = :id');

  await dyno.user.click(section.getByRole('button', { name: 'Paste CREATE TABLE…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Paste CREATE TABLE' }));
  const script = 'CREATE TABLE shop."Invoice Lines" (id bigint PRIMARY KEY, note varchar(9));';
  await fill(dyno, dialog.getByRole('textbox', { name: 'CREATE TABLE statements' }), script);
  await dialog.findByText('Found invoice_lines (2 columns).');
  await dyno.user.click(dialog.getByRole('button', { name: 'Use the table' }));
  await expectText(dyno, 'SELECT note FROM {invoice_lines} WHERE id = :id');
  await expectText(dyno, 'name: invoice_lines');
  await expectNoText(dyno, '5000');
});

test('a table takes its rows from a file, whose format has a default without a name', async () => {
  const dyno = await openExperiment(shop);
  await openPart(dyno, 'Data');
  await tab('stores', true);
  const section = within(await region('Tables'));
  await dyno.user.click(section.getByRole('checkbox', { name: 'Rows from a file' }));
  await expectText(dyno, 'file: rows.csv');
  expect(section.getByRole('button', { name: /Format/, expanded: false })).toHaveTextContent(/^Default$/);
  section.getByText(/Default: by the ending of its name/);
  await dyno.user.click(section.getByRole('checkbox', { name: 'Rows from a file' }));
  await expectNoText(dyno, 'rows.csv');
});
