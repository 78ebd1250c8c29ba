import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { madeJournal } from '#analysis/findings/shared/findings.fixture.ts';
import { smallJournal } from '#analysis/findings/shared/small-run.fixture.ts';
import { machineUseOf, timesOf } from '#analysis/run-model/journal-parts.fixture.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import type { StatementCounts } from '#protocol/measurement.ts';
import { goTo, openRecorded, openWindow, region } from '../dev/window.fixture.tsx';

const two = [{ name: 'Alpha' }, { name: 'Beta' }];
const near = (rate: number, repeat: number) => rate * (1 + 0.005 * (repeat % 3));
const rateOf = (target: string, repeat: number) => near(target === 'Beta' ? 2_000 : 1_000, repeat);

test('data from a busy machine is not to be quoted: the answer names the program, and runs again', async () => {
  const stress = { name: 'stress', processes: 1, pid: 7, cpuMs: 15_000 };
  const journal = madeJournal({
    targets: two,
    trial: ({ target, repeat }) => ({
      rate: rateOf(target, repeat),
      result: { machine: machineUseOf({ busyMs: 19_800, others: [stress] }) },
    }),
  });
  let started = 0;
  const start = async () => {
    started++;
    return { runId: 'r1' };
  };
  const dyno = await openWindow({ runs: [journal], handlers: { 'runs:start': start } });
  await goTo(dyno, 'Runs');
  await dyno.user.click(await screen.findByRole('button', { name: 'Made up' }));
  const answer = await region('Verdicts');
  expect(answer).toHaveTextContent('Data: Do not quote “stress” took 75');
  expect(answer).toHaveTextContent('Not certain, because the data is not to be quoted');
  await goTo(dyno, 'Home');
  expect(await region('Last run')).toHaveTextContent('Do not quote “stress” took 75');
  await goTo(dyno, 'Runs');
  expect(screen.getByText('Do not quote')).toHaveAttribute('title', expect.stringContaining('“stress” took'));
  await dyno.user.click(screen.getByRole('button', { name: 'Made up' }));
  // One button of the page runs the experiment again.
  expect(within(await region('Verdicts')).queryByRole('button', { name: 'Run again' })).toBeNull();
  await dyno.user.click(screen.getByRole('button', { name: 'Run again' }));
  await expect.poll(() => started).toBe(1);
});

test('a run that was cancelled says how far it came, in the answer, in the list and on Home', async () => {
  const whole = madeJournal({
    targets: two,
    repeats: 3,
    trial: ({ target, repeat }) => ({ rate: rateOf(target, repeat) }),
  });
  const third = whole.findIndex((record) => record.record === 'result' && record.result.number === 3);
  const end: JournalRecord = { record: 'end', at: '2026-11-20T08:10:00.000Z', status: 'cancelled' };
  const dyno = await openWindow({ runs: [[...whole.slice(0, third), end]] });
  await goTo(dyno, 'Home');
  expect(await region('Last run')).toHaveTextContent('Cancelled: 2 of 6 trials, no comparison');
  await goTo(dyno, 'Runs');
  expect(screen.getByText('Cancelled: 2 of 6 trials, no comparison')).toBeVisible();
  await dyno.user.click(screen.getByRole('button', { name: 'Made up' }));
  const answer = await region('Verdicts');
  within(answer).getByRole('heading', { name: 'Cancelled: 2 of 6 trials, no comparison' });
  expect(answer).toHaveTextContent('Too few trials have a result for a comparison.');
  expect(within(answer).queryByRole('button', { name: 'Resume' })).toBeNull();
  screen.getByRole('button', { name: 'Resume' });
});

test('custom statements on one server are the answer, the one with the most time first', async () => {
  const counts = (name: string, ms: number, calls: number): StatementCounts => ({
    ...{ name, kind: 'statement', calls, rows: calls, errors: {}, failed: null },
    service: timesOf([ms, calls]),
  });
  const journal = smallJournal({
    cells: [
      {
        settings: { operation: 'statement', method: 'prepared', connections: 2 },
        trials: [1, 2, 3].map(() => ({
          perSecond: Array<number>(10).fill(100),
          more: { statements: [counts('look', 10, 400), counts('sum', 1_000, 12)] },
        })),
      },
    ],
    more: { statements: { look: { text: 'SELECT 1' }, sum: { text: 'SELECT 2' } } },
  });
  await openRecorded(journal);
  const table = within(await region('Verdicts')).getByRole('table', { name: 'Statements' });
  const names = within(table).getAllByRole('rowheader');
  expect(names.map(({ textContent }) => textContent)).toEqual(['sum', 'look']);
});
