import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { namedRun } from '#integration/results/recorded-runs.fixture.ts';
import type { RunEntry } from '#protocol/ipc.ts';
import { noAnnotation } from '#protocol/run-annotation.ts';
import { choose, fill, goTo, openTab, openWindow, press, region } from '../dev/window.fixture.tsx';

const two = [
  namedRun('Insert duel', '2026-11-20T08:00:00Z', 0.6),
  namedRun('Insert duel', '2026-11-21T08:00:00Z', 0.5),
];
const group = () => region('Insert duel');

const readsOfSqlite = `dyno: 1
name: Insert duel
question: How fast?
dataset: { rows: 1000, key: id, columns: { id: { type: uuid4 }, city: { type: text, length: 8 } } }
workload: { operation: readByKey }
measure: { repeats: 3 }
targets: [sqlite]
`;

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
  expect(within(await region('Throughput')).getAllByRole('row')).toHaveLength(1 + 4);
  await screen.findByText(/^2 of 4 cells differ, most of all/);
});

test('a run has a title and tags, which its deletion and its return keep, and a tag shows the runs that have it', async () => {
  const dyno = await openWindow({ runs: two });
  await goTo(dyno, 'Runs');
  const menu = async () => within(await group()).getAllByRole('button', { name: /^Actions for/ })[0]!;
  await choose(dyno, await menu(), 'Title and tags…');
  const dialog = await screen.findByRole('dialog', { name: 'Title and tags' });
  await fill(dyno, within(dialog).getByRole('textbox', { name: 'Tags' }), 'last');
  expect(dialog).toHaveTextContent('already names a run');
  expect(within(dialog).getByRole('button', { name: 'Save' })).toBeDisabled();
  await fill(dyno, within(dialog).getByRole('textbox', { name: 'Tags' }), '#nightly, v1.2');
  await fill(dyno, within(dialog).getByRole('textbox', { name: 'Title' }), 'After the upgrade');
  await dyno.user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await choose(dyno, await menu(), 'Pin as baseline');
  await expect.poll(async () => (await group()).textContent).toContain('Baseline');
  expect(await group()).toHaveTextContent('After the upgrade');

  await choose(dyno, await menu(), 'Delete');
  await screen.findByText(/Deleted the run of “Insert duel”, its baseline/);
  await dyno.user.click(screen.getByRole('button', { name: 'Undo' }));
  await dyno.user.click(await within(await group()).findByRole('button', { name: 'Show runs with the tag v1.2' }));
  await expect.poll(async () => (await group()).textContent).toContain('1 run');
  await dyno.user.click(within(await group()).getByRole('button', { name: 'After the upgrade' }));
  // The page of the run shows them, too.
  await screen.findByText(/^After the upgrade · /);
  await screen.findByRole('button', { name: 'Show runs with the tag nightly' });
});

test('the actions of the next run have the focus after a run was deleted by keyboard', async () => {
  const dyno = await openWindow({ runs: two });
  await goTo(dyno, 'Runs');
  const menus = async () => within(await group()).getAllByRole('button', { name: /^Actions for/ });
  const [first, second] = await menus();
  await press(dyno, first!, 'Enter');
  await screen.findByRole('menu');
  await dyno.user.keyboard('{End}{Enter}');
  await expect.poll(menus).toHaveLength(1);
  await expect.poll(() => document.activeElement).toBe(second);
});

test('three runs stand side by side, with the pinned baseline as the reference', async () => {
  const dyno = await openWindow({ runs: [...two, namedRun('Insert duel', '2026-11-22T08:00:00Z', 0.6)] });
  await goTo(dyno, 'Runs');
  const newest = within(await group()).getAllByRole('button', { name: /^Actions for/ })[0]!;
  await choose(dyno, newest, 'Pin as baseline');
  for (const box of within(await group()).getAllByRole('checkbox')) await press(dyno, box, ' ');
  await dyno.user.click(screen.getByRole('button', { name: 'Compare' }));
  await screen.findByRole('heading', { level: 1, name: 'Comparison of 3 runs' });
  const heads = within(await region('Throughput')).getAllByRole('columnheader');
  expect(heads.map(({ textContent }) => textContent)).toEqual([
    ...['Variant', 'Target'],
    ...[expect.stringMatching(/22.*rows\/s/), expect.stringContaining('20'), expect.stringContaining('21')],
  ]);
  expect(await region('Answer')).toHaveTextContent(/Nov 21.*cells differ, most of all/);
});

test('a run is run again with one difference, and compared when it is complete', async () => {
  const started: string[] = [];
  const dyno = await openWindow({
    runs: two,
    handlers: {
      'runs:experiment': async () => ({ text: readsOfSqlite }),
      'runs:start': async ({ text }) => {
        started.push(text);
        return { runId: 'r1' };
      },
    },
  });
  await goTo(dyno, 'Runs');
  await choose(dyno, within(await group()).getAllByRole('button', { name: /^Actions for/ })[0]!, /difference/);
  const dialog = await screen.findByRole('dialog', { name: 'Run again with a difference' });
  await choose(dyno, within(dialog).getByRole('button', { name: /Key$/ }), /^measure\.repeats/);
  await fill(dyno, within(dialog).getByRole('textbox', { name: 'Value' }), '7');
  // The dialog says what the run costs before it starts.
  await expect.poll(() => within(dialog).getByRole('status').textContent).toMatch(/trials? on/);
  await dyno.user.click(within(dialog).getByRole('button', { name: 'Run and compare' }));
  await screen.findByRole('heading', { level: 1, name: 'Comparison of two runs' });
  expect(started).toEqual([expect.stringMatching(/repeats: 7/)]);
  await expect.poll(async () => (await region('Answer')).textContent).toContain('measure.repeats 7');
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
