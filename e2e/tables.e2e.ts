import { shop } from '#integration/results/small-experiments.fixture.ts';
import { violations } from './axe.ts';
import { expect, test } from './fixtures.ts';

test('a check is added and tried in the form, fails a trial, and holds when it is changed', { tag: '@long' }, async ({
  dyno,
}) => {
  // The test tries the check twice and runs twice.
  test.slow();
  const { page } = dyno;
  await dyno.setYaml(shop);
  await dyno.showPart('Advanced');
  const form = page.getByRole('region', { name: 'Form' });
  const section = form.getByRole('region', { name: 'Checks' });
  const file = page.getByRole('textbox', { name: 'Experiment file' });
  const tabs = section.getByRole('tablist', { name: 'Checks' });
  await expect(tabs.getByRole('tab', { name: 'stores-are-known', selected: true })).toBeVisible();

  await section.getByRole('textbox', { name: 'Name of a new check' }).fill('no-sale-is-new');
  await section.getByRole('button', { name: 'Add check' }).click();
  await expect(tabs.getByRole('tab', { name: 'no-sale-is-new', selected: true })).toBeVisible();
  await section.getByRole('textbox', { name: 'Conditions that must hold' }).fill('Nobody sells');
  await expect(file).toContainText('about: Nobody sells');

  const text = section.getByRole('textbox', { name: 'Text of no-sale-is-new, All' });
  const write = async (query: string) => {
    await text.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(query);
  };
  await write('SELECT id FROM {sale} WHERE id > :id');
  await expect(file).toContainText('SELECT id FROM {sale} WHERE id > :id');
  const problems = page.getByRole('region', { name: 'Plan' });
  await expect(problems.getByText(/has \{sale\}, and there is no such table/)).toBeVisible();
  await expect(problems.getByText(/parameter “id”, and checks have none/)).toBeVisible();
  await expect(section.getByRole('button', { name: 'Try once' })).toBeDisabled();

  // One check on loaded rows, and one on rows that only the statements create.
  const tried = section.getByRole('region', { name: 'no-sale-is-new on sqlite', exact: true });
  await write('SELECT id, store FROM {sales} WHERE id > 298');
  await section.getByRole('button', { name: 'Try once' }).click();
  await expect(tried).toContainText('returned 2 rows; 0 expected', { timeout: 30_000 });
  await expect(tried.getByRole('cell', { name: '300', exact: true })).toBeVisible();
  await write('SELECT id, store FROM {sales} WHERE id > 300');
  await section.getByRole('button', { name: 'Try once' }).click();
  await expect(tried).toContainText('0 rows', { timeout: 30_000 });
  await expect(tried).toContainText('as expected');
  expect(await violations(page)).toEqual([]);

  await dyno.run();
  expect(await dyno.waitForResult()).toBe('complete');
  expect(await dyno.results()).toMatchObject([{ status: 'failed' }]);
  await expect(page.getByRole('region', { name: 'Skipped and failed' })).toContainText(
    /A check does not hold: “no-sale-is-new” found [\d,]+ rows(?: and more)?, the first: id 30\d, store \d+/,
  );
  await page.getByRole('tab', { name: 'Environment' }).click();
  const checks = page.getByRole('region', { name: 'Checks' });
  await expect(checks.getByRole('row', { name: /stores-are-known/ })).toContainText('1 of 1 trial');
  const failing = checks.getByRole('row', { name: /no-sale-is-new/ });
  await expect(failing).toContainText('Nobody sells');
  await expect(failing).toContainText('0 of 1 trial');
  await expect(failing).toContainText(/Trial 1: [\d,]+ rows(?: and more)?, the first: id 30\d, store \d+; id/);
  expect(await violations(page)).toEqual([]);

  await page.getByRole('navigation').getByRole('link', { name: 'Builder' }).click();
  await tabs.getByRole('tab', { name: 'no-sale-is-new' }).click();
  await write('SELECT id FROM {sales} WHERE store IS NULL');
  await dyno.run();
  expect(await dyno.waitForResult()).toBe('complete');
  expect(await dyno.results()).toMatchObject([{ status: 'ok' }]);
  await page.getByRole('tab', { name: 'Environment' }).click();
  await expect(checks.getByRole('row', { name: /no-sale-is-new/ })).toContainText('1 of 1 trial');
});
