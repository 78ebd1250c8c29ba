import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { dataset } from '#integration/results/small-experiments.fixture.ts';
import { isAlive } from '#platform/is-alive.ts';
import { procOf } from '#platform/processes.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import type { Phase } from '#protocol/measurement.ts';
import { answerSaveDialog, type DynoApp, launchApp } from './dyno-app.ts';
import { expect, test } from './fixtures.ts';
import { pagesBelow, workersBelow } from './processes.ts';

/** `window`: the app's main process, which runs the trials. `page`: the process that shows them. */
const victims = ['window', 'page'] as const;
/**
 * A stopped window continues after a while, as after a machine's suspend; a stopped page continues at the end of the
 * run.
 */
const signals = ['SIGKILL', 'SIGSTOP'] as const;
/** Phases of the second trial; `report`: while the report of the whole run is made. */
const moments = ['schema', 'load', 'warmup', 'measure', 'verify', 'report'] as const satisfies (Phase | 'report')[];

interface Strike {
  readonly victim: (typeof victims)[number];
  readonly signal: (typeof signals)[number];
  readonly moment: (typeof moments)[number];
}

/** Every process in every phase (`npm run test:long -- faults`). */
const matrix: readonly Strike[] = signals.flatMap((signal) =>
  victims.flatMap((victim) => moments.map((moment) => ({ victim, signal, moment }))),
);

/** The strike of `npm test`; page-crash.e2e.ts has the killed page. */
const selection: readonly Strike[] = [{ victim: 'window', signal: 'SIGKILL', moment: 'measure' }];

const stoppedMs = 2_000;

/** Two trials that change rows, so that each has every phase. */
const struck = `dyno: 1
name: Struck
question: What is lost?
${dataset(20_000)}workload: { operation: update, method: prepared, connections: 2, processes: 2 }
targets: [${whole ? 'embedded-postgres' : 'sqlite'}]
measure: { until: { seconds: 0.5 }, repeats: 2, warmupSeconds: 0.5, timeoutSeconds: 60 }
`;

interface Struck {
  readonly pid: number;
  readonly workers: readonly number[];
  /** The records of the run file at the time of the strike. */
  readonly before: readonly JournalRecord[];
}

/** Runs to the given point, where the window pauses, and strikes. */
async function strike(dyno: DynoApp, { victim, signal, moment }: Strike, report: string): Promise<Struck> {
  const window = dyno.app.process().pid ?? 0;
  const [page = 0] = pagesBelow(window);
  const pid = victim === 'window' ? window : page;
  await dyno.setYaml(struck);
  if (moment !== 'report') await standStillIn(dyno.app, moment);
  await dyno.run();
  if (moment === 'report') await standStillInReport(dyno, window, report);
  else await expect.poll(() => procOf(window)?.state, { timeout: 60_000 }).toBe('T');
  const workers = workersBelow(window);
  const before = await dyno.records();
  if (signal === 'SIGKILL' || victim === 'page') process.kill(pid, signal);
  if (victim === 'page') process.kill(window, 'SIGCONT');
  else if (signal === 'SIGSTOP') setTimeout(() => process.kill(window, 'SIGCONT'), stoppedMs);
  return { pid, workers, before };
}

/** Makes the main process stop itself when it records that the second trial begins this phase. */
const standStillIn = (app: ElectronApplication, phase: Phase): Promise<void> =>
  app.evaluate((_electron, wanted) => {
    const { stringify } = JSON;
    JSON.stringify = (value: unknown, ...how: never[]) => {
      const noted = value as { readonly record?: unknown; readonly trial?: unknown; readonly phase?: unknown } | null;
      if (noted?.record === 'phase' && noted.trial === 2 && noted.phase === wanted) {
        JSON.stringify = stringify;
        process.kill(process.pid, 'SIGSTOP');
      }
      return stringify(value, ...how);
    };
  }, phase);

/** Requests the report until the window was stopped before writing it. */
async function standStillInReport(dyno: DynoApp, window: number, report: string): Promise<void> {
  await dyno.waitForResult();
  await answerSaveDialog(dyno.app, report);
  for (;;) {
    await dyno.page.getByRole('button', { name: 'Export report' }).click();
    await dyno.page.getByRole('button', { name: 'Save report' }).click();
    process.kill(window, 'SIGSTOP');
    if (!existsSync(report)) return;
    process.kill(window, 'SIGCONT');
    await rm(report);
  }
}

test.describe('nothing is lost where', () => {
  test.skip(process.platform !== 'linux', 'Processes are looked up in /proc.');
  for (const cell of whole ? matrix : selection)
    test(`${cell.signal} strikes the ${cell.victim} during ${cell.moment}`, async () => {
      const dyno = await launchApp();
      try {
        await survives(dyno, cell);
      } finally {
        await dyno.close();
      }
    });
});

async function survives(dyno: DynoApp, cell: Strike): Promise<void> {
  const { victim, signal, moment } = cell;
  const report = join(dyno.home, 'report.html');
  const { pid, workers, before } = await strike(dyno, cell, report);
  if (victim === 'window' && signal === 'SIGKILL') {
    await expect.poll(() => workers.filter(isAlive), { timeout: 60_000 }).toEqual([]);
    await goesOn(dyno.home, moment);
  }
  await expect.poll(async () => (await dyno.records()).at(-1)?.record, { timeout: 120_000 }).toBe('end');
  if (victim === 'page' && signal === 'SIGSTOP') process.kill(pid, 'SIGCONT');
  if (signal === 'SIGSTOP') {
    await dyno.waitForResult();
    if (moment === 'report') await expect(dyno.page.getByText('Report saved').last()).toBeVisible();
  } else if (victim === 'page') {
    // The test reads the state from the operating system, because Playwright abandons an app whose page ends while the
    // main process is stopped.
    await expect.poll(() => pagesBelow(dyno.app.process().pid ?? 0).some((one) => one !== pid)).toBe(true);
    if (moment === 'report') await expect.poll(() => existsSync(report)).toBe(true);
  }
  expect((await dyno.records()).slice(0, before.length)).toEqual(before);
  expect((await dyno.results()).map(({ status }) => status)).toEqual(['ok', 'ok']);
  if (existsSync(report)) expect(readFileSync(report, 'utf8')).toMatch(/<\/html>\s*$/);
}

/** Reopens the killed app: an interrupted run is resumed, a complete run is exported. */
async function goesOn(home: string, moment: Strike['moment']): Promise<void> {
  const dyno = await launchApp({ home });
  try {
    await dyno.page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
    if (moment === 'report') {
      await dyno.page
        .getByRole('region', { name: 'Struck', exact: true })
        .getByRole('rowheader')
        .getByRole('button')
        .first()
        .click();
      await dyno.exportReport(join(home, 'report.html'));
      return;
    }
    await expect(dyno.page.getByText(/interrupted/i).first()).toBeVisible();
    await dyno.page.getByRole('button', { name: 'Resume' }).first().click();
    await dyno.waitForResult();
  } finally {
    await dyno.close();
  }
}
