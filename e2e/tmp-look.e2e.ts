import { readFileSync } from 'node:fs';
import type { JournalRecord } from '#protocol/journal.ts';
import { test } from './fixtures.ts';
import { openRecorded } from './recorded-run.ts';

test('look', async ({ dyno }) => {
  const { page } = dyno;
  const shot = async (name: string) => {
    for (const [scheme, w, h] of [
      ['light', 1280, 800],
      ['dark', 1920, 1080],
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width: w, height: h });
      await page.waitForTimeout(900);
      await page.screenshot({ path: `/tmp/dyno-cells/${name}-${scheme}-${w}.png` });
    }
  };
  await shot('home');
  const records = readFileSync('/tmp/dyno-cells/b.dyno-run', 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JournalRecord);
  await openRecorded(dyno, records);
  for (const tab of [
    'Timeline',
    'Summary',
    'Latency',
    'Time series',
    'Plans',
    'Findings',
    'Environment',
    'Definition',
    'Notes',
  ]) {
    await page.getByRole('tab', { name: tab }).click();
    await shot(`t-${tab.replace(' ', '')}`);
  }
  await page.getByRole('link', { name: 'Runs' }).click();
  await shot('runs');
  await page.getByRole('link', { name: 'Experiments' }).click();
  await shot('experiments');
  await page.getByRole('link', { name: 'Builder' }).click();
  await shot('builder');
});
