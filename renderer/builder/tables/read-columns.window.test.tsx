import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { shop } from '#integration/results/small-experiments.fixture.ts';
import { DynoError } from '#model/error.ts';
import type { ProposedTable } from '#protocol/proposed-table.ts';
import { expectNoText, expectText, openExperiment, openPart, region } from '../../dev/window.fixture.tsx';

const proposed: ProposedTable = {
  name: 'bills',
  table: {
    from: { file: 'bills.csv', encoding: 'windows-1252' },
    rows: 77,
    key: 'number',
    columns: {
      number: { type: 'file', column: 'No', as: 'integer' },
      amount: { type: 'file', as: 'decimal', precision: 9, scale: 2, nulls: 0.1 },
    },
  },
  told: ['number is the key, because its values differ in all rows.'],
};

test('the columns of a chosen file fill the table in one step, and errors stand beside the button', async () => {
  const answers: (ProposedTable | DynoError | null)[] = [
    null,
    new DynoError('badInput', 'bills.csv, line 2: the record has 1 fields, and the header 2.'),
    proposed,
  ];
  const dyno = await openExperiment(shop, {
    handlers: {
      'experiments:tableOfFile': async () => {
        const answer = answers.shift() ?? null;
        if (answer instanceof DynoError) throw answer;
        return answer;
      },
    },
  });
  await openPart(dyno, 'Data');
  const section = within(await region('Tables'));
  const press = async () =>
    dyno.user.click(await section.findByRole('button', { name: 'Read the columns from a file…' }));
  await press();
  await press();
  await section.findByText(/line 2: the record has 1 fields/);
  await expectNoText(dyno, 'bills.csv');

  await press();
  await section.findByText(/number is the key/);
  expect(section.queryByText(/the record has 1 fields/)).toBeNull();
  for (const part of ['bills.csv', 'windows-1252', 'rows: 77', 'key: number', 'column: No', 'precision: 9'])
    await expectText(dyno, part);
  expect(section.getByRole('checkbox', { name: 'Rows from a file' })).toBeChecked();
  expect(section.getByRole('textbox', { name: 'File' })).toHaveValue('bills.csv');
  await dyno.user.click(screen.getByRole('button', { name: 'Undo' }));
  await expectNoText(dyno, 'bills.csv');
  await expectNoText(dyno, 'precision: 9');
});
