import { commitJournal } from '#analysis/cells/commits.fixture.ts';
import { callJournal } from '#analysis/cells/per-call.fixture.ts';
import { sweepJournal } from '#analysis/compare/sweep.fixture.ts';
import {
  clientTimeRun,
  commitBoundRun,
  emulatedNetworkRun,
  explainedRun,
  namedRun,
  openLoadRun,
  rehearsalRun,
  serverTimeRun,
  serverWorkRun,
} from '#integration/results/recorded-runs.fixture.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { violations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { openRecorded, writeRecorded } from './recorded-run.ts';

interface Recorded {
  readonly records: Iterable<JournalRecord>;
  /** The tabs to look at, each with a text that is there once it has been drawn. */
  readonly tabs: Readonly<Record<string, string>>;
  /** A text that opens more of the page. */
  readonly more?: string;
}

const recorded: Readonly<Record<string, Recorded>> = {
  'findings and the checks without findings': {
    records: commitBoundRun(),
    tabs: { Findings: 'Bound by commits' },
    more: 'Checks without findings',
  },
  'calls that are reported one by one': { records: callJournal(), tabs: { Summary: 'Reported per call' } },
  'timed commits': { records: commitJournal(3), tabs: { Latency: 'WAL/redo per commit' } },
  'a sweep over connections': {
    records: sweepJournal({ loads: [1, 2, 4, 8, 16, 24, 32] }),
    tabs: { Summary: 'How it scales with connections' },
    more: 'Load by load',
  },
  'the time of clients': {
    records: clientTimeRun(),
    tabs: { 'Time series': 'Client’s time, PostgreSQL', Latency: 'A call, from its start to its answer' },
  },
  'the time of a server': {
    records: serverTimeRun(),
    tabs: { 'Time series': 'servers’ time went', Environment: 'servers’ time went' },
  },
  'the timed work of a server': {
    records: serverWorkRun(),
    tabs: { Timeline: 'Data flush: ', 'Time series': 'Data flush: ' },
  },
  'open load in stages': {
    records: openLoadRun(),
    tabs: { Summary: 'Load: open, 200 arrivals/s', 'Time series': 'Stages of the load' },
  },
  'goals, prices and an explained gap': {
    records: explainedRun(),
    tabs: { Summary: 'Cost per million rows' },
  },
  'the decision of a rehearsal': {
    records: rehearsalRun(),
    tabs: { Summary: 'of the server’s time is covered' },
    more: 'Not covered: ',
  },
  'an emulated network': {
    records: emulatedNetworkRun(),
    tabs: { Environment: 'Network between client and server' },
  },
};

// Pages of runs are built of the same panels, so `npm test` looks at every third run.
for (const [at, [name, { records, tabs, more }]] of Object.entries(recorded).entries())
  test(`pages of a run with ${name} are free of accessibility violations`, {
    tag: at % 3 === 0 ? [] : '@long',
  }, async ({ dyno }) => {
    const { page } = dyno;
    await openRecorded(dyno, records);
    for (const [tab, text] of Object.entries(tabs)) {
      await page.getByRole('tab', { name: tab }).click();
      await expect(page.getByText(text).locator('visible=true').first()).toBeVisible();
      if (more !== undefined) await page.getByText(more).first().click();
      expect(await violations(page), tab).toEqual([]);
    }
  });

test('the history of an experiment finds the run at which it changed, and is free of accessibility violations', {
  tag: '@long',
}, async ({ dyno }) => {
  const { page } = dyno;
  const shares = [0.6, 0.61, 0.6, 0.3, 0.31, 0.3];
  await writeRecorded(dyno, ...shares.map((share, i) => namedRun('Checkout', `2026-11-2${i}T08:00:00Z`, share)));
  await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
  await page.getByRole('button', { name: 'Checkout', exact: true }).click();
  await page.getByRole('button', { name: 'History', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Answer' })).toContainText(/^Since Nov 23, throughput of .* lower/);
  await expect(page.getByRole('region', { name: /: Throughput$/ })).toHaveCount(4);
  expect(await violations(page)).toEqual([]);
});
