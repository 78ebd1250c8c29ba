import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { madeJournal } from '#analysis/findings/shared/findings.fixture.ts';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import { openRecorded, openTab, region } from '../dev/window.fixture.tsx';

test('the timeline is zoomed by buttons', async () => {
  const dyno = await openRecorded(fixtureJournal({ connections: [1], repeats: 1 }));
  await openTab(dyno, 'Timeline');
  const chart = within(await region('Timeline of the run'));
  const button = (name: string) => chart.getByRole('button', { name });
  expect(button('Zoom out')).toBeDisabled();
  expect(button('Earlier')).toBeDisabled();
  await dyno.user.click(button('Zoom in'));
  expect(button('Zoom out')).toBeEnabled();
  await dyno.user.click(button('Later'));
  expect(button('Later')).toBeDisabled();
  await dyno.user.click(button('Whole run'));
  expect(button('Whole run')).toBeDisabled();
});

test('counters of an area are drawn when they are unfolded', async () => {
  const gauges = Object.fromEntries(
    ['log', 'pages', 'rows', 'sent', 'locks', 'sorts', 'wait:IO'].map((name) => [name, 4]),
  );
  const dyno = await openRecorded(madeJournal({ repeats: 1, trial: () => ({ gauges }) }));
  await openTab(dyno, 'Time series');
  const area = within(await region('Server counters: log and checkpoints'));
  expect(area.queryByRole('img')).toBeNull();
  await dyno.user.click(area.getByRole('button', { name: 'Show 1 chart' }));
  expect(area.getByRole('img')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Hide' })).toHaveAttribute('aria-expanded', 'true');
});
