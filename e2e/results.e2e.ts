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
  const timeline = page.getByRole('region', { name: 'Timeline of the run' });
  await expect(timeline.getByRole('img').first()).toBeVisible();
  await page.getByRole('tab', { name: 'Live' }).click();

  await dyno.waitForResult();
  await expect(page.getByRole('tab', { name: 'Summary', selected: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Verdicts' })).toContainText(/sqlite/);
});

test('the picture is saved as SVG, PNG and CSV, and read as a table', async ({ dyno }) => {
  const { app, page } = dyno;
  await dyno.setYaml(quick);
  await dyno.run();
  await dyno.waitForResult();
  const chart = page.getByRole('region', { name: 'Comparison' });
  const choose = async (action: string) => {
    await chart.getByRole('button', { name: 'Save the comparison' }).click();
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

  // The table follows the metric and the filter of the picture.
  await chart.getByRole('radio', { name: 'Table' }).click();
  await chart.getByRole('searchbox', { name: 'Filter' }).fill('multi');
  await expect(chart.getByRole('rowheader')).toHaveText(['multiRow']);
  await chart.getByRole('button', { name: /Metric/ }).click();
  await page.getByRole('option', { name: 'p50 latency' }).click();
  await expect(chart.getByRole('button', { name: /multiRow on sqlite:.*(µs|ms)/ })).toBeVisible();
});

test('a bar opens its details, and the baseline changes only by its button', async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(quick);
  await dyno.run();
  await dyno.waitForResult();
  const comparison = page.getByRole('region', { name: 'Comparison' });
  const cell = (name: string) => comparison.getByRole('button', { name });
  const details = page.getByRole('dialog');
  const inspect = async (name: string) => {
    await cell(name).click();
    await expect(details).toBeVisible();
  };
  await comparison.getByRole('radio', { name: 'Table' }).click();
  await expect(comparison.getByRole('columnheader')).toHaveText(['Variant', 'sqlite', 'noop']);
  await page.getByRole('group', { name: 'Filter' }).getByText('noop').click();
  await expect(comparison.getByRole('columnheader')).toHaveText(['Variant', 'sqlite']);
  await page.getByRole('group', { name: 'Filter' }).getByText('noop').click();

  // A cell opens its details; the baseline is changed there, on purpose.
  await inspect('multiRow on sqlite:');
  await expect(details.getByRole('img', { name: /^Where the client’s time went/ })).toBeVisible();
  await details.getByRole('button', { name: 'Use as baseline', exact: true }).click();
  await expect(comparison).toContainText('Ratios: to multiRow on sqlite.');
  await expect(cell('multiRow on sqlite:')).toContainText('baseline');
  await expect(cell('prepared on sqlite:')).toContainText('×');

  // A hidden baseline stays the baseline.
  const variants = page.getByRole('group', { name: 'Filter' }).getByRole('button', { name: /Variant/ });
  await variants.click();
  await page
    .getByRole('option', { name: 'method=prepared' })
    .or(page.getByRole('option', { name: 'prepared' }))
    .click();
  await expect(cell('multiRow on sqlite:')).toHaveCount(0);
  await expect(comparison).toContainText('Ratios: to multiRow on sqlite.');
  await variants.click();
  await page.getByRole('option', { name: 'All variants' }).click();

  await inspect('prepared on sqlite:');
  await details.getByRole('button', { name: 'Use target as baseline' }).click();
  await expect(comparison).toContainText('Ratios: to the same variant on sqlite.');

  // The selection survives a change of tab; a bar opens the same details by keyboard.
  await page.getByRole('tab', { name: 'Latency' }).click();
  await page.getByRole('tab', { name: 'Summary' }).click();
  await expect(comparison.getByRole('radio', { name: 'Table' })).toBeChecked();
  await comparison.getByRole('radio', { name: 'Chart' }).click();
  await cell('multiRow on sqlite:').focus();
  await page.keyboard.press('Enter');
  await expect(
    details.getByRole('grid', { name: 'Trials' }).or(details.getByRole('table', { name: 'Trials' })),
  ).toBeVisible();
});
