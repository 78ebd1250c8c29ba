import type { Page } from '@playwright/test';
import { quick } from '#integration/results/small-experiments.fixture.ts';
import { violations } from './axe.ts';
import { expect, test } from './fixtures.ts';

const goToHosts = async (page: Page): Promise<void> => {
  await page.getByRole('navigation').getByRole('link', { name: 'Load hosts' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Load hosts' })).toBeVisible();
};

test('a load host is added, tested step by step, chosen in an experiment, and removed with a way back', async ({
  dyno,
}) => {
  test.slow();
  const { page } = dyno;
  await goToHosts(page);
  await expect(page.getByText('All load comes from this machine')).toBeVisible();
  expect(await violations(page), 'no load hosts').toEqual([]);

  await page.getByRole('button', { name: 'Add load host' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save and test' }).click();
  await expect(dialog.getByText('Needed.')).toHaveCount(2);
  expect(await violations(page), 'form').toEqual([]);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('load1');
  await dialog.getByRole('textbox', { name: 'SSH login' }).fill('nobody@127.0.0.1:1');
  await dialog.getByRole('button', { name: 'Save and test' }).click();

  // No agent answers there, or nats-server is missing on this machine, which is reported first.
  const steps = page.getByRole('list', { name: 'Steps of the test' });
  await expect(steps.locator('[data-state="failed"]')).toHaveCount(1, { timeout: 90_000 });
  await expect(page.getByText(/(SSH login|Bus) failed/).first()).toBeVisible();
  await expect(steps.getByRole('listitem')).toHaveCount(6);
  await expect(steps.locator('[data-state="failed"] .check-step-hint')).not.toBeEmpty();
  expect(await violations(page), 'test').toEqual([]);
  await page.getByRole('button', { name: 'Close' }).last().click();
  const row = page.getByRole('row', { name: /load1/ });
  await expect(row).toContainText('over SSH: nobody@127.0.0.1');
  await expect(row).toContainText(/(SSH login|Bus) failed/);
  expect(await violations(page), 'list').toEqual([]);

  await page.getByRole('button', { name: 'Actions for load1' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect(page.getByText('All load comes from this machine')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toBeVisible();

  await dyno.setYaml(quick);
  await dyno.showPart('Advanced');
  await page.locator('summary', { hasText: 'load hosts' }).click();
  const from = page.getByRole('group', { name: 'Load hosts' });
  await from.locator('label', { hasText: 'load1' }).click();
  await expect(page.getByRole('textbox', { name: 'Experiment file' })).toContainText('loadFrom: local, load1');
  await from.locator('label', { hasText: 'local: this machine' }).click();
  await expect(page.getByRole('textbox', { name: 'Experiment file' })).toContainText('loadFrom: load1');
});
