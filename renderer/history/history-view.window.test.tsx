import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { namedRun } from '#integration/results/recorded-runs.fixture.ts';
import { madeHistory } from '#presentation/charts/made-history.fixture.ts';
import type { History } from '#protocol/history.ts';
import { choose, fill, goTo, openWindow, press, region, select } from '../dev/window.fixture.tsx';

const two = [namedRun('Checkout', '2026-11-20T08:00:00Z', 0.6), namedRun('Checkout', '2026-11-21T08:00:00Z', 0.5)];

/** Opens the window at the history of an experiment, from the head of a run. */
async function openHistory(...histories: readonly History[]) {
  const asked: unknown[] = [];
  const dyno = await openWindow({
    runs: two,
    handlers: {
      'history:of': async (argument) => {
        asked.push(argument);
        return { history: JSON.stringify(histories[Math.min(asked.length, histories.length) - 1]) };
      },
    },
  });
  await goTo(dyno, 'Runs');
  await dyno.user.click(await screen.findByRole('button', { name: 'Checkout' }));
  await dyno.user.click(await screen.findByRole('button', { name: 'History' }));
  await screen.findByRole('heading', { level: 1, name: 'Checkout: history' });
  return { dyno, asked };
}

const cells = async () => within(await region('Cells'));
const charts = async () =>
  (await cells()).getAllByRole('region').map((chart) => chart.getAttribute('aria-label')?.split(':')[0]);

test('the history of an experiment begins with the answer, and the cells that moved first are at the top', async () => {
  const { dyno, asked } = await openHistory(madeHistory({ runs: 8, cells: 4, changeAt: 5 }));
  expect(asked).toEqual([{ experiment: 'Checkout', size: null }]);
  const answer = await region('Answer');
  expect(within(answer).getByRole('heading')).toHaveTextContent(
    /^Since .*, throughput of browse is 60 % higher \(57–63 %\)\.$/,
  );
  expect(answer).toHaveTextContent(/Moved first.*throughput of browse.*With it changed.*shared_buffers/);
  await screen.findByText(/^8 runs since Nov 3/);
  expect(await charts()).toEqual(['browse on shop', 'look up on shop', 'pay on shop', 'report on shop']);
  const changes = within(await region('What changed between the runs'));
  expect(changes.getAllByRole('row')).toHaveLength(1 + 2);

  // Metric, filter and the cells that changed choose the charts.
  await dyno.user.click((await cells()).getByRole('radio', { name: 'Changed 2' }));
  expect(await charts()).toEqual(['browse on shop', 'look up on shop']);
  await fill(dyno, (await cells()).getByRole('searchbox', { name: 'Filter cells' }), 'LOOK shop');
  expect(await charts()).toEqual(['look up on shop']);
  await fill(dyno, (await cells()).getByRole('searchbox', { name: 'Filter cells' }), 'nothing');
  await screen.findByText('No cell matches');
  await fill(dyno, (await cells()).getByRole('searchbox', { name: 'Filter cells' }), 'pay');
  await choose(dyno, select('Metric'), 'p99 latency');
  await screen.findByText('No cell matches');
});

test('a point opens its run by keyboard, and the chart is read as a table and saved', async () => {
  const { dyno } = await openHistory(madeHistory({ runs: 3, cells: 1 }));
  const chart = within(await (await cells()).findByRole('region', { name: /^browse on shop: Throughput/ }));
  await choose(dyno, chart.getByRole('button', { name: /^Save or read/ }), 'Save as CSV…');
  await waitFor(() => expect(dyno.saved).toHaveLength(1));
  expect(dyno.saved[0]!.data.trim().split('\r\n')).toHaveLength(1 + 3);
  await choose(dyno, chart.getByRole('button', { name: /^Save or read/ }), 'Show as table');
  expect(chart.getAllByRole('row')).toHaveLength(1 + 3);
  await choose(dyno, chart.getByRole('button', { name: /^Save or read/ }), 'Show as chart');
  const points = await chart.findAllByRole('button', { name: /rows\/s, 5 repeats$/ });
  expect(points).toHaveLength(3);
  await press(dyno, points[0]!, 'ArrowRight');
  expect(points[1]).toHaveFocus();
  await dyno.user.keyboard('{Enter}');
  await screen.findByRole('tab', { name: 'Time series' });
});

test('no complete run leads to the experiments, and one run teaches what comes next', async () => {
  const one = madeHistory({ runs: 1, cells: 2 });
  const { dyno } = await openHistory({ ...one, runs: [], series: [] }, one);
  await screen.findByText('There is no complete run of “Checkout”');
  screen.getByRole('button', { name: 'Choose an experiment' });
  await dyno.user.click(screen.getByRole('button', { name: 'All runs' }));
  await dyno.user.keyboard('{Control>}k{/Control}');
  await dyno.user.keyboard('History of experiment: Checkout{Enter}');
  expect(await region('Answer')).toHaveTextContent(/There is one run so far\.Run it again after a patch/);
});

test('a history that cannot be read says why', async () => {
  const dyno = await openWindow({
    runs: two,
    handlers: {
      'history:of': async () => {
        throw new Error('The disk is gone.');
      },
    },
  });
  await goTo(dyno, 'Runs');
  await dyno.user.click(await screen.findByRole('button', { name: 'Checkout' }));
  await dyno.user.click(await screen.findByRole('button', { name: 'History' }));
  await screen.findByText(/The disk is gone\./);
});
