import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { namedRun } from '#integration/results/recorded-runs.fixture.ts';
import { violations } from './axe.ts';
import { answerSaveDialog } from './dyno-app.ts';
import { expect, test } from './fixtures.ts';
import { writeRecorded } from './recorded-run.ts';

// The first tasks of a new user, with the necessary clicks. Typing a text does not count.

/** Counts the clicks of a page from now on, including clicks by scripts. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = window as unknown as { clicks: number };
    counted.clicks = 0;
    window.addEventListener('pointerdown', () => counted.clicks++, { capture: true });
  });
  return () => page.evaluate(() => (window as unknown as { clicks: number }).clicks);
}

/** Presses buttons and types into fields, each of which counts as one press. Enter in a field belongs to the field. */
function counted(page: Page) {
  let presses = 0;
  return {
    presses: () => presses,
    async press(target: Locator) {
      presses++;
      await target.click();
    },
    async type(field: Locator, text: string, key?: 'Enter' | 'Tab') {
      presses++;
      if ((await field.getAttribute('contenteditable')) === 'true') {
        await field.click();
        await page.keyboard.press('ControlOrMeta+a');
        await page.keyboard.insertText(text);
      } else await field.fill(text);
      if (key) await page.keyboard.press(key);
    },
  };
}

const rail = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name }).click();

test('the home page names the winner, and one click shows the answer', async ({ dyno }) => {
  const { page } = dyno;
  await writeRecorded(dyno, namedRun('Insert duel', '2026-11-20T08:00:00Z', 0.6));
  const clicks = await countClicks(page);
  const last = page.getByRole('region', { name: 'Last run' });
  await expect(last).toContainText('81.1k rows/s Secondary index: no on Beta');
  await last.getByRole('button', { name: 'Open results' }).click();
  await expect(page.getByRole('region', { name: 'Verdicts' })).toContainText('Beta');
  expect(await clicks()).toBeLessThanOrEqual(1);
});

test('whether a secondary index slows inserts: three clicks start it, and its answer compares the index', {
  tag: '@long',
}, async ({ dyno }) => {
  const { page } = dyno;
  const clicks = await countClicks(page);
  await rail(page, 'Experiments');
  await page.getByRole('searchbox', { name: 'Search experiments' }).fill('secondary index slow');
  await page.getByRole('button', { name: 'Secondary index', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Secondary index' })).toBeVisible();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Cancel run' })).toBeVisible({ timeout: 60_000 });
  expect(await clicks()).toBeLessThanOrEqual(4);
  await page.getByRole('button', { name: 'Cancel run' }).click();

  await writeRecorded(dyno, namedRun('Secondary index', '2026-11-20T08:00:00Z', 0.6));
  await rail(page, 'Runs');
  await page.getByRole('region', { name: 'Secondary index' }).getByRole('button', { name: /2026/ }).last().click();
  await expect(page.getByRole('region', { name: 'Verdicts' })).toContainText(/40\s% slower on Alpha and Beta/u);
  expect(await violations(page)).toEqual([]);
});

test('how many users until p99 > 50 ms on the retail mix: four clicks start the search', async ({ dyno }) => {
  const { page } = dyno;
  const clicks = await countClicks(page);
  await rail(page, 'Experiments');
  await page.getByRole('searchbox', { name: 'Search experiments' }).fill('retail mix');
  await page.getByRole('button', { name: 'Retail mix', exact: true }).click();
  await page.getByText('Find maximum load').click();
  const plan = page.getByRole('region', { name: 'Plan' });
  await expect(plan.getByRole('row', { name: /^Maximum load meeting SLO about \d+ to \d+ trials/ })).toBeVisible();
  await expect(plan.getByRole('tab', { name: 'Problems 0' })).toBeVisible();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Cancel run' })).toBeVisible({ timeout: 60_000 });
  expect(await clicks()).toBeLessThanOrEqual(4);
  const [header] = await dyno.records();
  expect(header).toMatchObject({
    plan: { experiment: { goals: { p99Ms: 50 } }, measure: { search: { find: 'limit', setting: 'users' } } },
  });
  await page.getByRole('button', { name: 'Cancel run' }).click();
});

test('a table of six columns with an index, two statements of 80 and 20 %, and three engines take at most 35 presses', {
  tag: '@long',
}, async ({ dyno }) => {
  const { page } = dyno;
  const { press, type, presses } = counted(page);
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const choose = async (select: RegExp, option: string) => {
    await press(page.getByRole('button', { name: select }));
    await press(page.getByRole('option', { name: option, exact: true }));
  };
  await press(page.getByRole('navigation').getByRole('link', { name: 'Builder' }));
  await press(button('New experiment'));
  await press(page.getByText('Custom SQL', { exact: true }));
  await press(page.getByRole('tab', { name: /^Targets/ }));
  await press(page.getByRole('region', { name: 'Form' }).locator('label', { hasText: /^MariaDB$/ }));

  await press(page.getByRole('tab', { name: /^Workload/ }));
  const column = page.getByRole('textbox', { name: 'Name of the new column' });
  for (const name of ['customer', 'status', 'total', 'created', 'note']) {
    await type(column, name, 'Enter');
    await expect(column).toBeFocused();
    await expect(column).toHaveValue('');
  }
  await choose(/Type of customer$/, 'integer');
  await choose(/Type of total$/, 'decimal');
  await choose(/Type of created$/, 'timestamp');
  await press(button('Remove column payload'));
  await press(button('Add index'));
  await expect(page.getByRole('textbox', { name: 'Columns of index 1' })).toHaveValue('customer');

  await press(page.getByRole('tab', { name: /^Statements/ }));
  await type(page.getByRole('textbox', { name: 'Weight' }), '80', 'Tab');
  await type(
    page.getByRole('textbox', { name: 'Name of a new statement, transaction or scenario' }),
    'of-customer',
    'Enter',
  );
  await type(
    page.getByRole('textbox', { name: 'Text of of-customer, All' }),
    'SELECT total FROM {table} WHERE customer = :customer',
  );
  await type(page.getByRole('textbox', { name: 'Weight' }), '20', 'Tab');
  await expect(page.getByRole('tab', { name: /^of-customer 20\s%$/u })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Problems 0' })).toBeVisible();
  await press(button('Run'));
  await expect(page.getByRole('button', { name: 'Cancel run' })).toBeVisible({ timeout: 60_000 });
  expect(presses()).toBeLessThanOrEqual(35);
  const [header] = await dyno.records();
  expect(header).toMatchObject({ plan: { experiment: { dataset: { indexes: [{ columns: ['customer'] }] } } } });
  await page.getByRole('button', { name: 'Cancel run' }).click();
});

test('two runs compared take four clicks, and a report for the boss three', async ({ dyno }) => {
  const { app, page } = dyno;
  await writeRecorded(
    dyno,
    namedRun('Insert duel', '2026-11-20T08:00:00Z', 0.6),
    namedRun('Insert duel', '2026-11-21T08:00:00Z', 0.5),
  );
  const clicks = await countClicks(page);
  await rail(page, 'Runs');
  const boxes = page.getByRole('checkbox', { name: /Choose Insert duel/ });
  await expect(boxes).toHaveCount(2);
  for (const box of await boxes.all()) await box.locator('xpath=ancestor::label').click();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Comparison of two runs' })).toBeVisible();
  expect(await clicks()).toBeLessThanOrEqual(4);
  expect(await violations(page)).toEqual([]);

  await rail(page, 'Home');
  const before = await clicks();
  const file = join(dyno.home, 'report.html');
  await answerSaveDialog(app, file);
  await page.getByRole('button', { name: 'Open results' }).click();
  await page.getByRole('button', { name: 'Export report' }).click();
  await page.getByRole('button', { name: 'Save report' }).click();
  await expect(page.getByText('Report saved')).toBeVisible();
  expect((await clicks()) - before).toBeLessThanOrEqual(3);
  expect(await readFile(file, 'utf8')).toContain('Secondary index: yes');
});
