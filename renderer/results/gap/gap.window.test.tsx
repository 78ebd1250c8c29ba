import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type MadeTournament, tournamentJournal } from '#analysis/compare/tournament.fixture.ts';
import { choose, openRecorded, openTab, region } from '../../dev/window.fixture.tsx';

const changes: MadeTournament['changes'] = [
  { name: 'old', ms: [200, 0.4], plan: 'Seq Scan' },
  {
    name: 'new',
    text: 'SELECT id FROM {stores} s',
    indexes: [{ name: 'by_store', bytes: 1_000_000, buildMs: 80 }],
    ms: [20, 0.4],
    plan: 'Index Scan',
  },
  { name: 'text alone', text: 'SELECT id FROM {stores} s', ms: [190, 0.4], plan: 'Seq Scan' },
];

test('two variants of a run are chosen, and their differences become an experiment', async () => {
  const dyno = await openRecorded(tournamentJournal({ changes, targets: ['sqlite'] }));
  await openTab(dyno, 'Summary');
  const answer = within(await region('Verdicts'));
  await dyno.user.click(answer.getByRole('button', { name: 'Explain the gap…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Explain the gap' });
  expect(
    within(dialog)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['statements.search', 'tables.sales.indexes (before: none)']);
  await choose(dyno, within(dialog).getByRole('button', { name: /To$/ }), 'Change: text alone');
  expect(dialog).toHaveTextContent('have one difference, which explains their gap: statements.search');
  expect(within(dialog).getByRole('button', { name: 'Run' })).toBeDisabled();
});

test('the differences are listed, and the reason why nothing can run, where the target of the run is gone', async () => {
  const dyno = await openRecorded(tournamentJournal({ changes, targets: ['removed'] }));
  await openTab(dyno, 'Summary');
  const answer = within(await region('Verdicts'));
  await dyno.user.click(answer.getByRole('button', { name: 'Explain the gap…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Explain the gap' });
  expect(within(dialog).getAllByRole('listitem')).toHaveLength(2);
  await within(dialog).findByText(/“removed”/);
  expect(within(dialog).getByRole('button', { name: 'Run' })).toBeDisabled();
});
