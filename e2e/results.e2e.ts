import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { serverWorkRun } from '#integration/results/recorded-runs.fixture.ts';
import { slow } from '#integration/results/small-experiments.fixture.ts';
import { ownClipboard } from './clipboard.ts';
import { answerSaveDialog } from './dyno-app.ts';
import { expect, test } from './fixtures.ts';
import { openRecorded } from './recorded-run.ts';

test('the results open by themselves when the run that is watched is over', { tag: '@long' }, async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(slow.replace('seconds: 4', 'seconds: 3').replace('repeats: 2', 'repeats: 1'));
  await dyno.run();
  await expect(page.getByRole('tab', { name: 'Live', selected: true })).toBeVisible();
  // The first trial has a point in the chart before the run is over.
  const timeline = page.getByRole('region', { name: 'Timeline of the run' });
  await expect(timeline.getByRole('img').first()).toBeVisible();
  await page.getByRole('tab', { name: 'Live' }).click();

  await dyno.waitForResult();
  await expect(page.getByRole('tab', { name: 'Summary', selected: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Verdicts' })).toContainText(/sqlite/);
});

test('pictures and charts are saved as SVG, PNG and CSV, and copied', async ({ dyno }) => {
  const { app, page, home } = dyno;
  await openRecorded(dyno, serverWorkRun());
  const saved = async (open: () => Promise<void>, format: 'SVG' | 'PNG' | 'CSV') => {
    const file = join(home, `chart.${format.toLowerCase()}`);
    await rm(file, { force: true });
    await answerSaveDialog(app, file);
    await open();
    await page.getByRole('menuitem', { name: `Save as ${format}…` }).click();
    await expect.poll(async () => (await readFile(file).catch(() => Buffer.of())).length).toBeGreaterThan(0);
    return readFile(file);
  };
  const picture = () => page.getByRole('button', { name: 'Save the comparison' }).click();
  const svg = (await saved(picture, 'SVG')).toString();
  expect(svg).toMatch(/^<svg [^>]*xmlns=/);
  expect(svg).toContain('multiRow');
  // The picture says where it comes from, and contains its font.
  for (const part of ['Insert duel · 2026-11-20 08:00 UTC', 'SQLite 3.51.0', '@font-face']) expect(svg).toContain(part);
  const png = await saved(picture, 'PNG');
  expect([...png.subarray(0, 4)]).toEqual([0x89, ...Buffer.from('PNG')]);
  // A PNG's width follows the signature and the header of the first chunk.
  expect(png.readUInt32BE(16)).toBeGreaterThan(1_000);
  const [head, ...rows] = (await saved(picture, 'CSV')).toString().trim().split(/\r?\n/);
  expect(head).toContain('variant,target');
  expect(rows.some((row) => row.includes('SQLite'))).toBe(true);

  {
    using _ = await ownClipboard();
    await app.evaluate(({ clipboard }) => clipboard.clear());
    await picture();
    await page.getByRole('menuitem', { name: 'Copy as picture' }).click();
    await expect(page.getByText('The picture is on the clipboard')).toBeVisible();
    expect(await app.evaluate(({ clipboard }) => clipboard.has('image/png'))).toBe(true);
  }
  expect(
    await page.evaluate(async () => (await navigator.permissions.query({ name: 'clipboard-read' as never })).state),
  ).toBe('denied');

  await page.getByRole('tab', { name: 'Time series' }).click();
  const chart = () => page.getByRole('button', { name: 'Save or read: Server’s own work', exact: true }).click();
  expect((await saved(chart, 'SVG')).toString()).toContain('Data flush: ');
  expect([...(await saved(chart, 'PNG')).subarray(1, 4)]).toEqual([...Buffer.from('PNG')]);
  expect((await saved(chart, 'CSV')).toString()).toMatch(/^variant,target,repeat,kind,label,at ms/);
});
