import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { namedRun } from '#integration/results/recorded-runs.fixture.ts';
import { slow } from '#integration/results/small-experiments.fixture.ts';
import { violations } from './axe.ts';
import { answerSaveDialog } from './dyno-app.ts';
import { expect, test } from './fixtures.ts';
import { runIds } from './journal.ts';
import { openRecorded } from './recorded-run.ts';

const rail = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const palette = async (page: Page, text: string) => {
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
};
/** Presses Tab until the element has the focus, and returns the number of presses. */
async function tabsTo(page: Page, isThere: () => Promise<boolean>): Promise<number> {
  for (let presses = 1; presses <= 60; presses++) {
    await page.keyboard.press('Tab');
    if (await isThere()) return presses;
  }
  throw new Error('Tab does not get there.');
}

test('no shortcut works behind an open dialog', async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(slow);
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
  await palette(page, 'Keyboard shortcuts');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await runIds(dyno.home)).toEqual([]);
});

test('the rail always leads to the builder, and shows a live run on every screen', async ({ dyno }) => {
  const { page } = dyno;
  await rail(page).getByRole('link', { name: 'Builder' }).click();
  await expect(page.getByText('No experiment is open')).toBeVisible();
  await page.getByRole('button', { name: 'New experiment' }).click();
  await expect(page.getByText('No experiment is open')).toHaveCount(0);
  await dyno.setYaml(slow);
  await dyno.run();
  await rail(page).getByRole('link', { name: 'Connections' }).click();
  const live = page.getByRole('link', { name: /Slow check ?, running/ });
  await expect(live).toContainText(/of 4/);
  await live.click();
  await expect(page.getByRole('tab', { name: 'Live', selected: true })).toBeVisible();

  await palette(page, 'pause the run');
  await expect(page.getByRole('button', { name: 'Continue', exact: true })).toBeVisible();
  await palette(page, 'continue the run');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await palette(page, 'cancel the run');
  expect(await dyno.waitForResult()).toBe('cancelled');
  await expect(live).toHaveCount(0);
});

test('an error goes with the page or the run that it is about', { tag: '@long' }, async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(slow);
  await dyno.run();
  await expect(page.getByRole('button', { name: 'Cancel run' })).toBeVisible();
  const refused = page.getByText(/“Slow check” is still running/);
  await rail(page).getByRole('link', { name: 'Builder' }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(refused).toBeVisible();
  await rail(page).getByRole('link', { name: 'Runs' }).click();
  await expect(refused).toHaveCount(0);

  await rail(page).getByRole('link', { name: 'Builder' }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(refused).toBeVisible();
  await palette(page, 'cancel the run');
  await expect.poll(async () => (await dyno.records()).at(-1)?.record).toBe('end');
  await expect(refused).toHaveCount(0, { timeout: 30_000 });
});

test('a saved report is opened from its message, and the first chart is a few tab stops away', {
  tag: '@long',
}, async ({ dyno }) => {
  const { app, page } = dyno;
  await openRecorded(dyno, namedRun('Insert duel', '2026-11-20T08:00:00Z', 0.6));
  const folder = await mkdtemp(join(tmpdir(), 'dyno-report-'));
  try {
    const file = join(folder, 'report.html');
    await answerSaveDialog(app, file);
    await app.evaluate(({ shell }) => {
      shell.openPath = async (path) => {
        Object.assign(globalThis, { openedPath: path });
        return '';
      };
    });
    await palette(page, 'export the report');
    await page.getByRole('button', { name: 'Save report' }).click();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await expect.poll(() => app.evaluate(() => (globalThis as { openedPath?: string }).openedPath)).toBe(file);
  } finally {
    await rm(folder, { recursive: true });
  }

  await page.reload();
  await rail(page).getByRole('link', { name: 'Runs' }).click();
  await page.getByRole('button', { name: 'Insert duel', exact: true }).first().click();
  await page.getByRole('button', { name: 'Export report' }).waitFor();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const focused = (selector: string) => page.evaluate((css) => document.activeElement?.matches(css) ?? false, selector);
  await tabsTo(page, () => focused('.skip-link'));
  await expect(page.getByRole('button', { name: 'Skip to the page' })).toBeFocused();
  const stops = await tabsTo(page, () => focused('.rail-foot *'));
  expect(stops).toBeLessThanOrEqual(3);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.getByRole('button', { name: 'Skip to the first chart' }).focus();
  await page.keyboard.press('Enter');
  expect(await focused('[data-chart]')).toBe(true);
});

test('help opens beside the page, offline: by a question mark, by F1, and by a search', async ({ dyno }) => {
  const { page } = dyno;
  const help = page.getByRole('complementary', { name: 'Help' });
  await dyno.openExperiment('Insert duel');
  await dyno.showPart('Statements');
  await page.getByRole('button', { name: 'Help: Operation', exact: true }).click();
  await expect(help.getByRole('row', { name: /^operation Operation/ })).toBeInViewport();
  expect(await violations(page), 'passage').toEqual([]);
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Help: Operation', exact: true })).toBeFocused();

  await page.keyboard.press('F1');
  await help.getByRole('searchbox', { name: 'Search the documentation' }).fill('coordinated omission');
  await help.getByRole('button', { name: 'Load', exact: true }).first().click();
  await expect(
    help.getByText('a closed loop that makes no calls while the server stalls', { exact: false }),
  ).toBeVisible();
  await help.getByRole('button', { name: 'Contents' }).click();
  await help.locator('summary', { hasText: 'Reading results' }).click();
  await help.getByRole('button', { name: 'Scalability', exact: true }).click();
  await expect(help.getByRole('heading', { name: 'Scalability' })).toBeVisible();
  await help.getByRole('button', { name: 'Close the help' }).click();
  await expect(help).toHaveCount(0);
});
