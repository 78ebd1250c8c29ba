import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { storeChanges, tournamentJournal, wideTournament } from '#analysis/compare/tournament.fixture.ts';
import { openRecorded, openTab, region } from '../dev/window.fixture.tsx';

const rowOf = (table: HTMLElement, name: RegExp) => within(table).getAllByRole('row', { name })[0]!;

test('the answer names the best change, and the tournament has a row for each', async () => {
  const dyno = await openRecorded(tournamentJournal({ changes: storeChanges }));
  await openTab(dyno, 'Summary');
  const answer = await region('Verdicts');
  expect(answer).toHaveTextContent('With “covering index”, search is 40.6× faster (39.9–41.4×)');
  expect(answer).toHaveTextContent(
    /Besides: “sell” 10\s% slower \(8\.5–12\s%\), an index of 12\.1\sMiB, built in 800\sms\./,
  );
  expect(answer).toHaveTextContent('equal for 20 draws with rewritten, same text; differ with NOT IN');
  expect(screen.queryByRole('table', { name: 'Judged times' })).toBeNull();

  const table = within(await region('Tournament')).getByRole('table', { name: 'Tournament' });
  expect(
    within(table)
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['covering index', 'rewritten', 'as it is', 'same text', 'NOT IN']);
  expect(rowOf(table, /^covering index/)).toHaveTextContent(
    /40\.6× faster.*10\s% slower.*12\.1\sMiB.*800\sms.*index seek/,
  );
  expect(rowOf(table, /^same text/)).toHaveTextContent(/no difference shown.*same/);
  expect(rowOf(table, /^NOT IN/)).toHaveTextContent(/disqualified.*gives other answers than with Change: as it is/);
});

test('plans stand beside the baseline’s, and the ratios are a picture to save', async () => {
  const dyno = await openRecorded(tournamentJournal({ changes: storeChanges }));
  await openTab(dyno, 'Summary');
  const panel = within(await region('Tournament'));
  await dyno.user.click(panel.getByText('Plans beside the baseline’s'));
  const plans = within(panel.getByRole('region', { name: /Plans of the baseline and of a change/ }));
  expect(plans.getByRole('table')).toHaveTextContent(/Seq Scan on sales.*Index Only Scan on sales by by_store/);

  const chart = within(await region('Tournament: PostgreSQL'));
  await dyno.user.click(chart.getByRole('button', { name: 'Show picture' }));
  chart.getByRole('img', { name: /^covering index, search, p95: 40\.6× faster/ });
  await dyno.user.click(chart.getByRole('button', { name: /Save or read/ }));
  for (const format of ['SVG', 'PNG', 'CSV']) await screen.findByRole('menuitem', { name: `Save as ${format}…` });
});

test('a row opens the trials of its variant, also by the keyboard', async () => {
  const dyno = await openRecorded(tournamentJournal({ ...wideTournament, repeats: 2 }));
  await openTab(dyno, 'Summary');
  const table = within(await region('Tournament')).getByRole('table', { name: 'Tournament' });
  within(table).getAllByRole('button', { name: 'broken' })[0]!.focus();
  await dyno.user.keyboard('{Enter}');
  const panel = within(await screen.findByRole('complementary', { name: /: broken on / }));
  expect(within(panel.getByRole('table', { name: 'Trials' })).getAllByRole('row')).toHaveLength(3);
  await dyno.user.click(panel.getByRole('button', { name: 'Close the details' }));
  expect(screen.queryByRole('complementary', { name: /: broken on / })).toBeNull();
  expect(within(rowOf(table, /^included column not run/)).queryByRole('button')).toBeNull();
});

test('several targets are groups of one table, whose states are said', async () => {
  const dyno = await openRecorded(tournamentJournal({ ...wideTournament, repeats: 2 }));
  await openTab(dyno, 'Summary');
  const table = within(await region('Tournament')).getByRole('table', { name: 'Tournament' });
  for (const target of wideTournament.targets!) within(table).getByRole('rowheader', { name: target });
  // Groups whose table's head is off the screen have its titles once more.
  expect(within(table).getAllByRole('columnheader', { name: 'search, p95' })).toHaveLength(4);
  expect(within(table).getAllByRole('row', { name: /^broken failed .* The index cannot be created/ })).toHaveLength(4);
  expect(within(table).getAllByRole('row', { name: /^included column not run/ })).toHaveLength(2);
});

test('a target that the filter hides is not in the tournament', async () => {
  const dyno = await openRecorded(tournamentJournal({ ...wideTournament, repeats: 2 }));
  await openTab(dyno, 'Summary');
  await dyno.user.click(screen.getByRole('checkbox', { name: 'MariaDB' }));
  const table = within(await region('Tournament')).getByRole('table', { name: 'Tournament' });
  within(table).getByRole('rowheader', { name: 'SQLite' });
  expect(within(table).queryByRole('rowheader', { name: 'MariaDB' })).toBeNull();
});
