import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { shop } from '#integration/results/small-experiments.fixture.ts';
import { expectNoText, expectText, fill, openExperiment, openPart, region } from '../../dev/window.fixture.tsx';

test('a variant of the indexes becomes a level, whose difference to the file is shown and which is edited there', async () => {
  const dyno = await openExperiment(shop);
  await openPart(dyno, 'Data');
  await dyno.user.click(await screen.findByRole('tab', { name: 'sales' }));
  await dyno.user.click(screen.getByRole('button', { name: 'Add a variant of the indexes of sales' }));
  const section = within(await region('Factors'));
  await section.findByText(/changes tables\.sales\.indexes/);
  await expectText(dyno, 'indexes of sales:');

  const difference = within(await section.findByRole('figure', { name: 'Difference of variant 1 to the file' }));
  difference.getByText('tables.sales.indexes');
  expect(difference.getAllByText('added:', { exact: false }).length).toBe(1);
  const indexes = within(section.getByRole('table', { name: 'Indexes of sales in variant 1' }));
  expect(indexes.getAllByRole('textbox', { name: /^Columns of index/ }).at(-1)).toHaveFocus();

  const name = section.getByRole('textbox', { name: 'New name of variant 1' });
  await dyno.user.clear(name);
  await dyno.user.type(name, 'by store');
  await dyno.user.click(section.getByRole('button', { name: 'Rename' }));
  await expectText(dyno, 'by store:');
  expect(dyno.text()).not.toContain('variant 1');
  await section.findByRole('table', { name: 'Indexes of sales in by store' });
});

test('a variant of the indexes may have none, where the table has some', async () => {
  const dyno = await openExperiment(shop);
  await openPart(dyno, 'Data');
  await dyno.user.click(await screen.findByRole('tab', { name: 'sales' }));
  await dyno.user.click(screen.getByRole('button', { name: 'Add a variant of the indexes of sales' }));
  const section = within(await region('Factors'));
  const removed = () => section.queryAllByRole('button', { name: /^Remove index/ });
  while (removed().length > 0) await dyno.user.click(removed()[0]!);
  await expectText(dyno, 'indexes: []');
  section.getByRole('button', { name: 'Add index' });
});

test('a variant of a text is edited in the level, and other levels keep the text of the file', async () => {
  const dyno = await openExperiment(shop);
  await openPart(dyno, 'Statements');
  const [add] = await screen.findAllByRole('button', { name: /^Add a variant of the text of/ });
  await dyno.user.click(add!);
  const section = within(await region('Factors'));
  await section.findByText('This level leaves the file as it is.');
  expect(section.getByRole('textbox', { name: /^Text of \S+ in variant 1, All/ })).toHaveFocus();
});

const factorsOf = (text: string) => (readYaml(text).value as { readonly factors?: unknown }).factors;

test('a variant of an option or of a setting is a factor that begins with the value of the file', async () => {
  const own = 'method: prepared\n  fillFactor: 70\n  options: { sqlite.table: withoutRowid }';
  const dyno = await openExperiment(shop.replace('method: prepared', own));
  await openPart(dyno, 'Advanced');
  await dyno.user.click(screen.getByRole('button', { name: 'Add a variant of SQLite: Table organisation' }));
  const factors = within(await region('Factors'));
  expect(await factors.findByRole('button', { name: 'withoutRowid' })).toBeInTheDocument();
  await expectText(dyno, 'sqlite.table: [withoutRowid, rowid]');
  await expectNoText(dyno, 'options:');

  await openPart(dyno, 'Advanced');
  await dyno.user.click(screen.getByRole('button', { name: 'Add a variant of Fill factor' }));
  await expectText(dyno, 'fillFactor: [70, ');
  const again = within(await region('Factors'));
  expect(await again.findByRole('textbox', { name: 'New level of Fill factor' })).toHaveFocus();
  await expectNoText(dyno, 'fillFactor: 70');
});

test('a variant of rows, of a column, of a parameter, of steps and of setup is edited in its level', async () => {
  const view = 'setup: { busy: "CREATE VIEW {busy} AS SELECT * FROM {sales}" }\n';
  const trade = 'transactions: { trade: { steps: [of-store, sell] } }\n';
  const dyno = await openExperiment(`${shop}${view}${trade}`);
  const level = async (part: 'Data' | 'Statements', tab: string, button: string) => {
    await openPart(dyno, part);
    await dyno.user.click(await screen.findByRole('tab', { name: new RegExp(`^${tab}`) }));
    await dyno.user.click(await screen.findByRole('button', { name: button }));
    return within(await region('Factors'));
  };
  let factors = await level('Data', 'sales', 'Add a variant of the rows of sales');
  const rows = await factors.findByRole('textbox', { name: 'Rows of sales in variant 1' });
  expect(rows).toHaveFocus();
  await fill(dyno, rows, '5000');
  await dyno.user.tab();
  factors = await level('Data', 'sales', 'Add a variant of column store of sales');
  expect(await factors.findByRole('button', { name: /Type of store/ })).toHaveFocus();
  await dyno.user.click(factors.getByRole('button', { name: 'Settings of variant 1', expanded: true }));
  factors = await level('Statements', 'of-store', 'Add a variant of parameter store of of-store');
  const parameters = await factors.findByRole('table', { name: 'Parameters of of-store in variant 1' });
  expect(within(parameters).getByRole('button', { name: /Values of store/ })).toHaveFocus();
  factors = await level('Statements', 'trade', 'Add a variant of the steps of trade');
  const steps = await factors.findByRole('textbox', { name: 'Steps of trade in variant 1' });
  expect(steps).toHaveFocus();
  await fill(dyno, steps, 'sell, of-store');
  factors = await level('Data', 'busy', 'Add a variant of the setup busy');
  expect(await factors.findByRole('textbox', { name: /^Text of busy in variant 1, All/ })).toHaveFocus();
  const store = { type: 'reference', table: 'stores', distribution: 'zipf' };
  await expect
    .poll(() => factorsOf(dyno.text()))
    .toEqual({
      'rows of sales': { unchanged: {}, 'variant 1': { tables: { sales: { rows: 5_000 } } } },
      'column store of sales': { unchanged: {}, 'variant 1': { tables: { sales: { columns: { store } } } } },
      'parameter store of of-store': {
        unchanged: {},
        'variant 1': { statements: { 'of-store': { parameters: { store: { type: 'key', table: 'stores' } } } } },
      },
      'steps of trade': {
        unchanged: {},
        'variant 1': { transactions: { trade: { steps: ['sell', 'of-store'] } } },
      },
      busy: { unchanged: {}, 'variant 1': { setup: { busy: 'CREATE VIEW {busy} AS SELECT * FROM {sales}' } } },
    });
});

test('a statement of teardown is added beside those of setup', async () => {
  const dyno = await openExperiment(`${shop}setup: { busy: "CREATE VIEW {busy} AS SELECT * FROM {sales}" }\n`);
  await openPart(dyno, 'Data');
  await fill(dyno, await screen.findByRole('textbox', { name: 'Name of a new statement of teardown' }), 'end');
  await dyno.user.click(screen.getByRole('button', { name: 'Add statement of teardown' }));
  await expect.poll(() => readYaml(dyno.text()).value).toMatchObject({ teardown: { end: 'DROP VIEW {busy}' } });
});
