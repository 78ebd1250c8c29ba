import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { madeJournal } from '#analysis/findings/shared/findings.fixture.ts';
import { typedNullRun } from '#analysis/findings/statements/typed-null.fixture.ts';
import { commitBoundRun } from '#integration/results/recorded-runs.fixture.ts';
import { choose, openRecorded, openTab, press, region } from '../dev/window.fixture.tsx';

async function openFindings(records = commitBoundRun()) {
  const dyno = await openRecorded(records);
  await openTab(dyno, 'Findings');
  return dyno;
}

const findingOf = (name: string) => screen.findByRole('article', { name });

test('findings say what limits, lead to their evidence, and open the experiment that would confirm them', async () => {
  const dyno = await openFindings();
  const finding = await findingOf('Bound by commits');
  expect(finding).toHaveTextContent('certain');
  expect(finding).toHaveTextContent(
    /Calls per commit: 1 on sqlite waits for commits \(1 row per commit\): the log took 75\.0.% of the server’s own time/,
  );

  // Evidence links to its chart, filtered by its variant, with mouse and keyboard.
  await press(dyno, within(finding).getByRole('button', { name: /^Log, of the server’s own time: 75\.0.%/ }), 'Enter');
  await screen.findByRole('tab', { name: 'Time series', selected: true });
  await screen.findAllByRole('button', { name: /^Calls per commit: 1|Variant/ });
  await openTab(dyno, 'Findings');

  const again = await findingOf('Bound by commits');
  await dyno.user.click(within(again).getByRole('button', { name: 'Open an experiment to confirm this' }));
  await screen.findByRole('heading', { level: 1, name: 'Fewer commits' });
});

test('nulls of another type, by a run constructed from published figures', async () => {
  await openFindings(madeJournal(typedNullRun));
  const finding = await findingOf('Nulls of another type');
  expect(finding).toHaveTextContent('certain');
  expect(finding).toHaveTextContent(/loses 99\.3\s% of its throughput to nulls declared as “asDecimal”/);
  const evidence = within(finding).getByRole('button', { name: /^Throughput with Null binding asFloat/ });
  expect(evidence).toHaveTextContent('150×');
});

test('what was not shown has its reason, and the list is of one cell where one is chosen', async () => {
  const dyno = await openFindings();
  await dyno.user.click(await screen.findByText('Checks without findings'));
  expect(screen.getByText('Its trials are too short to tell; at least 20 seconds are needed.')).toBeVisible();
  await choose(dyno, screen.getByRole('button', { name: /Findings for/ }), 'Calls per commit: 100 on sqlite');
  await expect.poll(() => screen.queryAllByRole('article', { name: 'Bound by commits' })).toEqual([]);
});

test('differences between targets are repeated under charts and lead to their table', async () => {
  const dyno = await openRecorded(commitBoundRun());
  await openTab(dyno, 'Summary');
  const [remark] = await screen.findAllByRole('button', { name: /^Settings differ: durability/ });
  await dyno.user.click(remark!);
  await screen.findByRole('tab', { name: 'Environment', selected: true });
  const compared = await region('Settings compared');
  await expect.poll(() => document.activeElement).toBe(compared);
});
