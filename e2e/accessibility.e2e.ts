import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { quick } from './experiments.ts';
import { expect, test } from './fixtures.ts';

async function violations(page: Page): Promise<readonly string[]> {
  // Legacy mode: a second page, which axe would otherwise open for its report, cannot be opened in Electron.
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return found.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).join(' | ')}`);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every screen is free of accessibility violations in ${colorScheme}`, async ({ dyno }) => {
    const { page } = dyno;
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await dyno.setYaml(quick);
    await expect(page.getByRole('heading', { level: 1, name: 'Quick check' })).toBeVisible();
    expect(await violations(page)).toEqual([]);

    await dyno.run();
    await dyno.waitForResult();
    expect(await violations(page)).toEqual([]);

    for (const screen of ['Experiments', 'Runs']) {
      await page.getByRole('navigation').getByRole('link', { name: screen }).click();
      await expect(page.getByRole('heading', { level: 1, name: screen })).toBeVisible();
      expect(await violations(page)).toEqual([]);
    }
  });
}

test('a run can be started and found again with the keyboard alone', async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(quick);
  await expect(page.getByRole('heading', { level: 1, name: 'Quick check' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
  await page.keyboard.press('ControlOrMeta+Enter');
  await dyno.waitForResult();

  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.type('go to runs');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible();
  await expect(page.getByText('Quick check').first()).toBeVisible();
});
