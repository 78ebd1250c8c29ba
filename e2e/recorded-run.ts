import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalRecord } from '#protocol/journal.ts';
import type { DynoApp } from './dyno-app.ts';

/** Puts recorded runs into the home of the app, which then shows them. */
export async function writeRecorded(dyno: DynoApp, ...runs: readonly Iterable<JournalRecord>[]): Promise<void> {
  await writeRuns(dyno, runs);
  await dyno.page.reload();
  await dyno.page.getByRole('navigation').getByRole('link', { name: 'Runs' }).waitFor();
}

async function writeRuns({ home }: DynoApp, runs: readonly Iterable<JournalRecord>[]): Promise<void> {
  await mkdir(join(home, 'runs'), { recursive: true });
  for (const [i, records] of runs.entries()) {
    const lines = [...records].map((record) => `${JSON.stringify(record)}\n`);
    await writeFile(join(home, 'runs', `2026112${i}-080000-recorded.dyno-run`), lines.join(''));
  }
}

/** Opens a recorded run from the list of runs, which is read anew at each visit. */
export async function openRecorded(dyno: DynoApp, records: Iterable<JournalRecord>): Promise<void> {
  const { page } = dyno;
  const journal = [...records];
  const header = journal.find((record) => record.record === 'header');
  await writeRuns(dyno, [journal]);
  await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
  await page.getByRole('button', { name: header?.plan.experiment.name ?? '', exact: true }).click();
  await page.getByRole('tab', { name: 'Time series' }).waitFor();
}
