import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { withAdvice } from '#analysis/advise/advice.fixture.ts';
import { storeChanges, tournamentJournal } from '#analysis/compare/tournament.fixture.ts';
import { quick, shop } from '#integration/results/small-experiments.fixture.ts';
import { DynoError } from '#model/error.ts';
import type { Requests } from '#protocol/ipc.ts';
import { fill, goTo, openExperiment, openRecorded, openTab, openWindow, region } from '../../dev/window.fixture.tsx';

const longEnough = { timeout: 20_000 };

const dialogOf = async () => within(await screen.findByRole('dialog', { name: 'Advise' }, longEnough));

/** The handlers of an advice that ends when the test says so. */
function measuring() {
  const asked: Requests['runs:advise']['argument'][] = [];
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly runId: string }>();
  const handlers = {
    'runs:advise': (argument: Requests['runs:advise']['argument']) => {
      asked.push(argument);
      return promise;
    },
    'runs:cancelAdvice': async () => {
      reject(new DynoError('cancelled', 'The advice was cancelled.'));
      return null;
    },
  };
  return { asked, handlers, end: resolve };
}

test('an advice is asked for with a budget, and its run is shown at the end', async () => {
  const { asked, handlers, end } = measuring();
  const runs = [[...tournamentJournal({ changes: storeChanges })]];
  const dyno = await openExperiment(shop, { handlers, runs });
  await dyno.user.click(await screen.findByRole('button', { name: 'Advise…' }, longEnough));
  const dialog = await dialogOf();
  const budget = dialog.getByRole('textbox', { name: /^Budget/ });
  await fill(dyno, budget, '0');
  expect(dialog.getByRole('button', { name: 'Advise' })).toBeDisabled();
  await fill(dyno, budget, '5');
  const begin = dialog.getByRole('button', { name: 'Advise' });
  await waitFor(() => expect(begin).toBeEnabled(), longEnough);
  await dyno.user.click(begin);
  expect(await dialog.findByRole('button', { name: 'Cancel the advice' })).toBeVisible();
  expect(dialog.getByText(/^at most 5 min left$/)).toBeVisible();
  expect(asked).toEqual([expect.objectContaining({ text: shop, budgetSeconds: 300 })]);
  end({ runId: 'r1' });
  expect(await screen.findByRole('tab', { name: 'Summary' }, longEnough)).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an advice goes on while its dialog is closed, and can be cancelled there', async () => {
  const { handlers } = measuring();
  const dyno = await openExperiment(shop, { handlers });
  const open = await screen.findByRole('button', { name: 'Advise…' }, longEnough);
  await dyno.user.click(open);
  const begin = (await dialogOf()).getByRole('button', { name: 'Advise' });
  await waitFor(() => expect(begin).toBeEnabled(), longEnough);
  await dyno.user.click(begin);
  await dyno.user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  await dyno.user.click(open);
  await dyno.user.click((await dialogOf()).getByRole('button', { name: 'Cancel the advice' }));
  expect(await (await dialogOf()).findByRole('textbox', { name: /^Budget/ })).toBeVisible();
});

test('an experiment without statements of its own has no such button, and the palette says why', async () => {
  const dyno = await openExperiment(quick);
  await screen.findByText(/trials on/, {}, longEnough);
  expect(screen.queryByRole('button', { name: 'Advise…' })).toBeNull();
  await dyno.user.keyboard('{Control>}k{/Control}');
  await dyno.user.keyboard('advise on this{Enter}');
  expect(await (await dialogOf()).findByText(/has no statements of its own/, {}, longEnough)).toBeVisible();
});

test('a run that keeps advice begins with it, and offers its statements to copy', async () => {
  const dyno = await openRecorded(withAdvice(tournamentJournal({ changes: storeChanges })));
  await openTab(dyno, 'Summary');
  const panel = within(await region('Advice'));
  panel.getByText(
    /^On PostgreSQL, “another text with an index” is recommended: 2 candidates measured in 5 min.*\(the budget did not suffice for 1 more\)\./,
  );
  const effects = panel.getByRole('table', { name: 'Effects of another text with an index' });
  expect(effects).toHaveTextContent(/search, p50\s*20\.0\sms\s*10\.0\sms\s*2\.0× faster \(1\.7–2\.5×\)/);
  expect(effects).toHaveTextContent(/probe-insert-sales \(inserts of Dyno/);
  panel.getByText(/^Indexes larger by 8\.00\sMiB, built in 1\.20\ss\.$/);
  expect(panel.getByRole('region', { name: 'SQL' })).toHaveTextContent(
    /CREATE INDEX sales_day_amount ON sales \(day, amount\);.*SET work_mem = '64MB';.*ANALYZE sales;.*SELECT 1 FROM sales;/s,
  );
  await dyno.user.click(panel.getByText(/^Not measured: 2 candidates/));
  expect(panel.getByRole('table', { name: 'Candidates not measured' })).toHaveTextContent(/plans are the same with it/);
  expect(await region('Tournament')).toBeVisible();
});

test('advice is asked for from a run of statements', async () => {
  const dyno = await openWindow({ runs: [[...tournamentJournal({ changes: storeChanges })]] });
  await goTo(dyno, 'Runs');
  await dyno.user.click((await screen.findAllByRole('button', { name: /store/i }))[0]!);
  await dyno.user.click(await screen.findByRole('button', { name: 'Advise…' }, longEnough));
  expect((await dialogOf()).getByRole('button', { name: 'Cancel' })).toBeVisible();
});
