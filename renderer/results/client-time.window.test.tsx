import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { partLabels } from '#analysis/client/client-time.ts';
import { clientTimeRun } from '#integration/results/recorded-runs.fixture.ts';
import { choose, drawnTexts, openRecorded, openTab, press, region } from '../dev/window.fixture.tsx';

test('bands of the clients’ time are shown under the throughput, for all processes or each one', async () => {
  const dyno = await openRecorded(clientTimeRun());
  await openTab(dyno, 'Time series');
  const chart = await region('Where the clients’ time went');
  const drawn = () => drawnTexts(chart);
  await expect.poll(drawn).toEqual(expect.arrayContaining(['Throughput (rows/s)', 'Client’s time, PostgreSQL']));
  expect(drawn()).toContain(partLabels.wait);
  expect(drawn()).not.toContain(partLabels.generate);

  // The checkbox is set by keyboard.
  await press(dyno, screen.getByRole('checkbox', { name: 'Show each client process' }), ' ');
  for (const process of [1, 2])
    await expect
      .poll(() => drawn().filter((text) => text === `Client’s time, PostgreSQL, process ${process}`))
      .toHaveLength(1);

  await choose(dyno, within(chart).getByRole('button', { name: /Save or read/ }), 'Show as table');
  await within(chart).findByRole('columnheader', { name: `${partLabels.encode} (share)` });
});

test('cells have a bar of the clients’ time, and one of a mean call', async () => {
  const dyno = await openRecorded(clientTimeRun());
  await openTab(dyno, 'Latency');
  const calls = await region('A call, from its start to its answer');
  expect(calls).toHaveTextContent('prepared · Connections: 4 · PostgreSQL');
  expect(calls).toHaveTextContent(/5\.00.ms, 2\.0 round trips/);
  const shares = await region('Where the client’s time went');
  for (const share of [/55\.0.%/, /25\.0.%/, /15\.0.%/]) expect(shares).toHaveTextContent(share);
});
