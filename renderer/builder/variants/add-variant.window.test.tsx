import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { shop } from '#integration/results/small-experiments.fixture.ts';
import { expectText, openExperiment, openPart, region } from '../../dev/window.fixture.tsx';

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
