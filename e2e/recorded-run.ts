import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalRecord } from '#protocol/journal.ts';
import type { DynoApp } from './driver.ts';

/** Puts recorded runs into the home of the app, which then shows them. */
export async function writeRecorded(
  { home, page }: DynoApp,
  ...runs: readonly Iterable<JournalRecord>[]
): Promise<void> {
  await mkdir(join(home, 'runs'), { recursive: true });
  for (const [i, records] of runs.entries()) {
    const lines = [...records].map((record) => `${JSON.stringify(record)}\n`);
    await writeFile(join(home, 'runs', `2026112${i}-080000-recorded.dyno-run`), lines.join(''));
  }
  await page.reload();
  await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).waitFor();
}

/** Opens a recorded run; `name` is the name of its experiment. */
export async function openRecorded(
  dyno: DynoApp,
  records: Iterable<JournalRecord>,
  name = 'Insert duel',
): Promise<void> {
  const { page } = dyno;
  await writeRecorded(dyno, records);
  await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('tab', { name: 'Time series' }).waitFor();
}
