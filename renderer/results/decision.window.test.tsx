import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { rehearsalRun } from '#integration/results/recorded-runs.fixture.ts';
import { openRecorded, openTab, region } from '../dev/window.fixture.tsx';

const rowOf = (table: HTMLElement, name: RegExp) => within(table).getAllByRole('row', { name })[0]!;

test('a rehearsal ends on its decision: the sentence, each statement by its share, and what is not covered', async () => {
  const dyno = await openRecorded(rehearsalRun());
  await openTab(dyno, 'Summary');
  const answer = await region('Verdicts');
  expect(answer).toHaveTextContent(/94\.0\s% of the server’s time is covered; on MariaDB, /);
  expect(answer).toHaveTextContent(/1 does not run/);
  expect(within(answer).queryByText('Compare')).toBeNull();
  const panel = within(await region('Decision'));
  const table = panel.getByRole('table', { name: 'Decision on MariaDB' });
  expect(
    within(table)
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['search', 'sell']);
  expect(rowOf(table, /^search/)).toHaveTextContent(/70\.0\s%/);
  expect(rowOf(table, /^sell/)).toHaveTextContent(/does not run.*near “RETURNING”/);
  await dyno.user.click(panel.getByText(/^Not covered: 6\.00\s% of the server’s time/));
  expect(panel.getByRole('table', { name: 'Not covered' })).toHaveTextContent('Definitions and maintenance');
  // The levels are statements, or changes of the file, whose tournament would be another answer.
  expect(screen.queryByRole('region', { name: 'Tournament' })).toBeNull();
});

test('both plans of a statement stand side by side, and a row opens its trials', async () => {
  const dyno = await openRecorded(rehearsalRun());
  await openTab(dyno, 'Summary');
  const panel = within(await region('Decision'));
  const plans = panel.queryByRole('region', { name: /Plans on PostgreSQL and MariaDB side by side/ });
  if (plans === null) await dyno.user.click(panel.getByText('Plans on PostgreSQL and MariaDB'));
  const shown = within(panel.getByRole('region', { name: /Plans on PostgreSQL and MariaDB side by side/ }));
  expect(shown.getByRole('table')).toHaveTextContent(/Seq Scan on sales/);
  within(panel.getByRole('table', { name: 'Decision on MariaDB' }))
    .getByRole('button', { name: 'search' })
    .focus();
  await dyno.user.keyboard('{Enter}');
  await screen.findByRole('complementary', { name: / on MariaDB/ });
});
