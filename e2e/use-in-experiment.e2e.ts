import { quick } from './experiments.ts';
import { expect, test } from './fixtures.ts';

test('a connection is used in the experiment that the user names, and that is undone', async ({ dyno }) => {
  const { page } = dyno;
  const go = (name: string) => page.getByRole('navigation').getByRole('link', { name }).click();
  const file = page.getByRole('textbox', { name: 'Experiment file' });
  await dyno.setYaml(quick);
  await expect(page.getByRole('heading', { level: 1, name: 'Quick check' })).toBeVisible();

  await go('Connections');
  await page.getByRole('button', { name: 'New connection' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).first().fill('staging');
  await page.getByRole('textbox', { name: 'Host' }).fill('127.0.0.1');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved “staging”')).toBeVisible();

  const dialog = page.getByRole('dialog', { name: 'Use “staging” in an experiment' });
  await page.getByRole('button', { name: 'Use in experiment' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Use in experiment' })).toBeVisible();

  await page.getByRole('button', { name: 'Use in experiment' }).click();
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Add to “Quick check”' }).click();
  await expect(page.getByText('“staging” is a server of “Quick check” now')).toBeVisible();
  await expect(file).toContainText('targets: [sqlite, noop, staging]');
  await expect(page.getByRole('tab', { name: /Servers/ })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('banner').or(page.locator('main')).getByRole('button', { name: 'Undo' }).first().click();
  await expect(file).toContainText('targets: [sqlite, noop]');

  await go('Connections');
  await page.getByRole('button', { name: 'staging', exact: true }).first().click();
  await page.getByRole('button', { name: 'Use in experiment' }).click();
  await dialog.getByRole('button', { name: 'New experiment' }).click();
  await expect(file).toContainText('targets: [staging]');
  await expect(page.getByText('Unsaved changes were set aside')).toBeVisible();
});
