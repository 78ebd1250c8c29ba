import { callTime, madeJournal, processTime } from '#analysis/findings/shared/findings.fixture.ts';
import { typedNullRun } from '#analysis/findings/statements/typed-null.fixture.ts';
import { violations } from './axe.ts';
import type { DynoApp } from './driver.ts';
import { expect, test } from './fixtures.ts';
import { openRecorded } from './recorded-run.ts';

/** A run in which single-row commits wait for the log, on two targets of different durability. */
const recorded = () =>
  madeJournal({
    factors: { callsPerCommit: [1, 100] },
    roundTrip: { cheapestMs: 0.08, handshakes: null },
    targets: (['sqlite', 'noop'] as const).map((name, i) => ({
      name,
      descriptor: { id: 'sqlite' },
      fingerprint: {
        product: 'Server 1',
        version: '1',
        emulator: null,
        durability: { synchronous_commit: i === 0 ? 'on' : 'off' },
        memory: {},
        other: {},
        unavailable: [],
      },
      probeInfo: {
        'wait:IO:WalSync': { unit: 'count', label: 'WAL sync', class: 'log' },
        'wait:cpu': { unit: 'count', label: 'running', class: 'cpu' },
      },
    })),
    trial: ({ settings, target }) => ({
      rate: settings.callsPerCommit === 1 && target === 'sqlite' ? 1_000 : 9_000,
      gauges:
        settings.callsPerCommit === 1 && target === 'sqlite'
          ? { 'wait:IO:WalSync': 3, 'wait:cpu': 1 }
          : { 'wait:cpu': 2 },
      health: { processTime: processTime({}), callTime: callTime(10_000, { waitMs: 1 }) },
    }),
  });

async function openRun(dyno: DynoApp, records = recorded()): Promise<void> {
  await openRecorded(dyno, records, 'Made up');
  await dyno.page.getByRole('tab', { name: 'Findings' }).click();
}

test('findings say what limits, lead to their evidence, and open the experiment that would confirm them', async ({
  dyno,
}) => {
  const { page } = dyno;
  await openRun(dyno);
  const finding = page.getByRole('article', { name: 'Bound by commits' });
  await expect(finding).toContainText('certain');
  await expect(finding).toContainText(
    /Calls per commit: 1 on sqlite waits for commits \(1 row per commit\): the log took 75\.0.% of the server’s own time/,
  );

  // Evidence links to its chart, filtered by its variant; the keyboard works, too.
  await finding.getByRole('button', { name: /^Log, of the server’s own time: 75\.0.%/ }).press('Enter');
  await expect(page.getByRole('tab', { name: 'Time series', selected: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Calls per commit: 1|Variant/ }).first()).toBeVisible();
  await page.getByRole('tab', { name: 'Findings' }).click();

  await finding.getByRole('button', { name: 'Open the experiment that would confirm this' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Fewer commits' })).toBeVisible();
});

test('nulls of another type, by a run constructed from published figures', async ({ dyno }) => {
  const { page } = dyno;
  await openRun(dyno, madeJournal(typedNullRun));
  const finding = page.getByRole('article', { name: 'Nulls of another type' });
  await expect(finding).toContainText('certain');
  await expect(finding).toContainText(/loses 99\.3\s% of its throughput to nulls declared as “asDecimal”/);
  await expect(finding.getByRole('button', { name: /^Throughput with Null binding asFloat/ })).toContainText('150×');
});

test('what was not shown has its reason, and the list is of one cell where one is chosen', async ({ dyno }) => {
  const { page } = dyno;
  await openRun(dyno);
  await page.getByText('Checks without findings').click();
  await expect(page.getByText('Its trials are too short to tell; at least 20 seconds are needed.')).toBeVisible();
  await page.getByRole('button', { name: /Findings for/ }).click();
  await page.getByRole('option', { name: 'Calls per commit: 100 on sqlite' }).click();
  await expect(page.getByRole('article', { name: 'Bound by commits' })).toHaveCount(0);
});

test('differences between targets are repeated under charts and lead to their table', async ({ dyno }) => {
  const { page } = dyno;
  await openRun(dyno);
  await page.getByRole('tab', { name: 'Summary' }).click();
  await page.getByRole('button', { name: 'Settings differ: durability' }).first().click();
  await expect(page.getByRole('tab', { name: 'Environment', selected: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Settings compared' })).toBeFocused();
});

test('the view is free of accessibility violations', async ({ dyno }) => {
  const { page } = dyno;
  await openRun(dyno);
  await page.getByText('Checks without findings').click();
  expect(await violations(page)).toEqual([]);
});
