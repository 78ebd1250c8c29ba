import { readFileSync } from 'node:fs';
import { expect, test } from './fixtures.ts';

const missingIndex = readFileSync(
  new URL('../workers/integration/advise/cases/missing-index.dyno.yaml', import.meta.url),
  'utf8',
)
  .replace('rows: 30000', 'rows: 2000')
  .replace(/targets: .*/, 'targets: [sqlite]');

test('advice is measured from the builder, and its run keeps it', { tag: '@long' }, async ({ dyno }) => {
  test.slow();
  const { page } = dyno;
  await dyno.openExperiment('Insert duel');
  await dyno.setYaml(missingIndex);
  await page.getByRole('button', { name: 'Advise…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Advise' });
  await dialog.getByRole('textbox', { name: 'Budget, minutes' }).fill('0.4');
  await dialog.getByRole('button', { name: 'Advise' }).click();
  await expect(dialog.getByText(/trials/)).toBeVisible({ timeout: 30_000 });
  const panel = page.getByRole('region', { name: 'Advice' });
  await expect(panel).toBeVisible({ timeout: 120_000 });
  await expect(panel).toContainText('index on orders (customer)');
  await page.reload();
  await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
  await page.getByRole('button', { name: 'Advice for Missing index' }).first().click();
  await expect(panel).toContainText('index on orders (customer)');
});
