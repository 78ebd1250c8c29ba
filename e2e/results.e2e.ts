import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerSaveDialog } from './driver.ts';
import { quick, slow } from './experiments.ts';
import { expect, test } from './fixtures.ts';

test('the results open by themselves when the run that is watched is over', async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(slow.replace('seconds: 4', 'seconds: 3').replace('repeats: 2', 'repeats: 1'));
  await dyno.run();
  await expect(page.getByRole('tab', { name: 'Live', selected: true })).toBeVisible();
  // The first trial has a point in the chart before the run is over.
  const course = page.getByRole('region', { name: 'Course of the run' });
  await expect(course.getByRole('img').first()).toBeVisible();
  await page.getByRole('tab', { name: 'Live' }).click();

  await dyno.waitForResult();
  await expect(page.getByRole('tab', { name: 'Results', selected: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Verdicts' })).toContainText(/sqlite/);
});

test('a chart is saved as SVG, PNG and CSV, and read as a table', async ({ dyno }) => {
  const { app, page } = dyno;
  await dyno.setYaml(quick);
  await dyno.run();
  await dyno.waitForResult();
  const chart = page.getByRole('region', { name: 'Throughput', exact: true });
  const choose = async (action: string) => {
    await chart.getByRole('button', { name: /Save or read/ }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };

  const folder = await mkdtemp(join(tmpdir(), 'dyno-charts-'));
  const saved = async (format: 'SVG' | 'PNG' | 'CSV') => {
    const file = join(folder, `chart.${format.toLowerCase()}`);
    await answerSaveDialog(app, file);
    await choose(`Save as ${format}…`);
    await expect.poll(async () => (await readFile(file).catch(() => Buffer.of())).length).toBeGreaterThan(0);
    return readFile(file);
  };
  try {
    const svg = (await saved('SVG')).toString();
    expect(svg).toMatch(/^<svg [^>]*xmlns=/);
    expect(svg).toContain('multiRow');

    const png = await saved('PNG');
    expect([...png.subarray(0, 4)]).toEqual([0x89, ...Buffer.from('PNG')]);
    // A PNG has its width after the signature and the head of the first chunk.
    expect(png.readUInt32BE(16)).toBeGreaterThan(1_000);

    const [head, ...rows] = (await saved('CSV')).toString().trim().split(/\r?\n/);
    expect(head).toContain('variant,target');
    expect(rows.filter((row) => row.includes('sqlite'))).toHaveLength(2);
  } finally {
    await rm(folder, { recursive: true });
  }

  await choose('Show as table');
  await expect(chart.getByRole('row', { name: /method=multiRow sqlite/ })).toBeVisible();
});

test('a filter hides a target, and another baseline changes the ratios', async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(quick);
  await dyno.run();
  await dyno.waitForResult();
  const ratios = page.getByRole('region', { name: 'Ratios' });
  const cell = (name: string) => ratios.getByRole('button', { name });
  await expect(ratios.getByRole('columnheader')).toHaveText(['Variant', 'sqlite', 'noop']);

  await page.getByRole('group', { name: 'Filter' }).getByText('noop').click();
  await expect(ratios.getByRole('columnheader')).toHaveText(['Variant', 'sqlite']);
  // A hidden baseline stays the baseline.
  await page.getByRole('group', { name: 'Filter' }).getByText('noop').click();
  await cell('multiRow on sqlite:').click();
  await page
    .getByRole('group', { name: 'Filter' })
    .getByRole('button', { name: /Variant/ })
    .click();
  await page
    .getByRole('option', { name: 'method=prepared' })
    .or(page.getByRole('option', { name: 'prepared' }))
    .click();
  await expect(cell('multiRow on sqlite:')).toHaveCount(0);
  await expect(ratios).toContainText('Baseline: multiRow on sqlite.');
  await page
    .getByRole('group', { name: 'Filter' })
    .getByRole('button', { name: /Variant/ })
    .click();
  await page.getByRole('option', { name: 'All variants' }).click();

  await cell('multiRow on sqlite:').click();
  await expect(ratios).toContainText('Baseline: multiRow on sqlite.');
  await expect(cell('multiRow on sqlite:')).toContainText('baseline');
  await expect(cell('prepared on sqlite:')).toContainText('×');

  await cell('prepared on sqlite:').click();
  await expect(cell('prepared on sqlite:')).toContainText('baseline');
  await expect(cell('multiRow on sqlite:')).toContainText('×');
  await ratios.getByRole('columnheader').getByRole('button', { name: 'sqlite' }).click();
  await expect(ratios).toContainText('Baseline: the same variant on sqlite.');
});
