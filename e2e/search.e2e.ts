import type { Page } from '@playwright/test';
import { violations } from './axe.ts';
import { quick } from './experiments.ts';
import { expect, test } from './fixtures.ts';

/** Reads, which more connections in one process do not make faster. */
const reads = quick
  .replace('operation: insert', 'operation: readByKey')
  .replace(
    /factors:[\s\S]*$/,
    'targets: [sqlite, noop]\nmeasure:\n  until: { seconds: 0.3 }\n  repeats: 2\n  warmupSeconds: 0\n',
  );

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Experiment file' });

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^(?!Help: ).*${field}`) }).click();
  await page.getByRole('option', { name: option }).click();
}

async function fill(page: Page, name: string, value: string): Promise<void> {
  await page.getByRole('textbox', { name }).fill(value);
  await page.getByRole('textbox', { name }).press('Enter');
}

test('a search is chosen in the form, runs, and says what it found with its curve', async ({ dyno }) => {
  test.slow();
  const { page } = dyno;
  await dyno.setYaml(reads);
  await dyno.showSection('Measurement');
  const editor = editorOf(page);
  await choose(page, 'Search for', 'Maximum load meeting SLO');
  await expect(editor).toContainText('search: { from: 1, to: 512, find: limit, setting: connections, p99Ms: 50 }');
  await choose(page, 'Search for', 'Saturation point');
  await expect(editor).toContainText('search: { from: 1, to: 512, find: saturation, setting: connections }');
  await fill(page, 'Search to', '16');
  await fill(page, 'Search in steps of (%)', '20');
  await expect(editor).toContainText(
    'search: { from: 1, to: 16, find: saturation, setting: connections, relativeStep: 0.2 }',
  );
  await expect(page.getByText(/^About \d+ to \d+ trials on sqlite and noop/)).toBeVisible();
  const plan = page.getByRole('region', { name: 'Plan' });
  await expect(
    plan.getByRole('row', { name: /^Saturation point about \d+ to \d+ trials at \d+ loads to choose from/ }),
  ).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await choose(page, 'Load to raise', 'Arrival rate (1/s)');
  await plan.getByRole('tab', { name: /Problems/ }).click();
  await expect(plan.getByText(/In a closed load nothing arrives/)).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(plan.getByText(/nothing arrives/)).toHaveCount(0);

  await dyno.run();
  const curve = page.getByRole('region', { name: 'What the search found over connections' });
  await expect(curve).toBeVisible({ timeout: 60_000 });
  expect(await dyno.waitForResult()).toBe('complete');
  const panel = page.getByRole('region', { name: 'Search for the saturation point' });
  await expect(panel.getByRole('row', { name: /connections sqlite .*throughput/ })).toBeVisible();
  await expect(curve).toBeVisible();
  await expect(page.getByRole('region', { name: 'Verdicts' })).toContainText('sqlite: ');
  expect(await violations(page)).toEqual([]);

  await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
  const { length } = await dyno.results();
  await expect(page.getByRole('region', { name: 'Quick check', exact: true })).toContainText(`${length} of ${length}`);
});

test('stages of the load are added, changed, undone and removed in the form', async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(reads);
  await dyno.showSection('Measurement');
  const editor = editorOf(page);
  await page.getByRole('button', { name: 'Add stage' }).click();
  await expect(editor).toContainText('stages:    - { seconds: 10 }');
  await expect(editor).not.toContainText('seconds: 0.3');
  await fill(page, 'Name of stage 1', 'ramp');
  await fill(page, 'Load from of stage 1', '0');
  await page.getByRole('button', { name: 'Add stage' }).click();
  await fill(page, 'Seconds of stage 2', '4');
  await fill(page, 'Load to of stage 2', '250');
  await expect(editor).toContainText('- { seconds: 10, name: ramp, from: 0 }    - { seconds: 4, to: 2.5 }');
  expect(await violations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Remove stage 1' }).click();
  await expect(editor).not.toContainText('ramp');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(editor).toContainText('ramp');
  await page.getByRole('button', { name: 'Remove stage 2' }).click();
  await page.getByRole('button', { name: 'Remove stage 1' }).click();
  await expect(editor).not.toContainText('stages');
});
