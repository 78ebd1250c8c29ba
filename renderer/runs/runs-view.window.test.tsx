import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { namedRun } from '#integration/results/recorded-runs.fixture.ts';
import type { RunEntry } from '#protocol/ipc.ts';
import { noAnnotation } from '#protocol/run-annotation.ts';
import { fill, goTo, openTab, openWindow, press, region } from '../dev/window.fixture.tsx';

const two = [
  namedRun('Insert duel', '2026-11-20T08:00:00Z', 0.6),
  namedRun('Insert duel', '2026-11-21T08:00:00Z', 0.5),
];
const group = () => region('Insert duel');

test('runs stand together by experiment with their fastest variant, and are found by their notes', async () => {
  const dyno = await openWindow({ runs: two });
  await goTo(dyno, 'Runs');
  expect(await group()).toHaveTextContent('2 runs');
  expect(within(await group()).getAllByText(/on Alpha$/)).toHaveLength(2);
  expect(within(await group()).getAllByText(/Complete, 20 trials/)).toHaveLength(2);

  await dyno.user.click(
    within(await group())
      .getAllByRole('button', { name: /2026/ })
      .at(-1)!,
  );
  await openTab(dyno, 'Notes');
  await fill(dyno, await screen.findByRole('textbox', { name: 'Note' }), 'before the index rebuild');
  await dyno.user.tab();
  await goTo(dyno, 'Runs');

  const search = await screen.findByRole('searchbox', { name: 'Filter runs' });
  await fill(dyno, search, 'no such run');
  await screen.findByText('No run matches');
  await fill(dyno, search, 'index rebuild');
  await within(await group()).findByText('before the index rebuild');
  expect(await group()).toHaveTextContent('1 run');
  await fill(dyno, search, 'duel alpha');
  await expect.poll(async () => (await group()).textContent).toContain('2 runs');
});

test('two runs are chosen by keyboard and compared', async () => {
  const dyno = await openWindow({ runs: two });
  await goTo(dyno, 'Runs');
  await group();
  expect(screen.getByRole('button', { name: 'Compare' })).toBeDisabled();
  for (const box of within(await group()).getAllByRole('checkbox')) await press(dyno, box, ' ');
  await dyno.user.click(screen.getByRole('button', { name: 'Compare' }));
  expect(await region('What changed')).toHaveTextContent('No difference: experiment, servers');
  expect(within(await region('Comparison')).getAllByRole('row')).toHaveLength(1 + 4);
  await screen.findByText(/^2 of 4 cells differ, most of all/);
});

test('the list is read anew at each visit, because the command line works in the same home', async () => {
  let entries: readonly RunEntry[] = [];
  const dyno = await openWindow({ handlers: { 'runs:list': async () => entries } });
  await goTo(dyno, 'Runs');
  await screen.findByText('Nothing has run yet');
  entries = [
    {
      ...{ id: 'r1', name: 'Insert duel', size: 'tiny', startedAt: '2026-11-20T08:00:00Z', status: 'complete' },
      ...{ trialsGood: 1, comparison: 'notPlanned', grade: null },
      ...{ trialsDone: 1, trialsPlanned: 1, targets: ['sqlite'], bytes: 1, durationMs: 1, cells: [] },
      ...{ ...noAnnotation, isBaseline: false },
    },
  ];
  await goTo(dyno, 'Home');
  await goTo(dyno, 'Runs');
  expect(await group()).toHaveTextContent('1 run');
  // A run shows its size.
  within(await group()).getByRole('rowheader', { name: /tiny$/ });
});
