import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalRecord } from '#protocol/journal.ts';
import type { DynoApp } from './driver.ts';

/** Opens a recorded run; `name` is the name of its experiment. */
export async function openRecorded(
  { home, page }: DynoApp,
  records: Iterable<JournalRecord>,
  name = 'Insert duel',
): Promise<void> {
  await mkdir(join(home, 'runs'), { recursive: true });
  const lines = [...records].map((record) => `${JSON.stringify(record)}\n`);
  await writeFile(join(home, 'runs', '20261120-080000-recorded.dyno-run'), lines.join(''));
  await page.reload();
  await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('tab', { name: 'Time series' }).waitFor();
}
