import type { Page } from '@playwright/test';
import { violations } from './axe.ts';
import { quick } from './experiments.ts';
import { expect, test } from './fixtures.ts';

const cards = (page: Page) => page.getByRole('region', { name: 'Gallery' }).getByRole('listitem');
const goToGallery = async (page: Page) => {
  await page.getByRole('navigation').getByRole('link', { name: 'Experiments' }).click();
  await expect(cards(page).first()).toBeVisible();
  // Facts that need the experiments' plans appear after their names.
  await expect(page.getByRole('button', { name: 'About Insert duel', exact: true })).toBeVisible({ timeout: 30_000 });
};
const choose = async (page: Page, field: string, option: string) => {
  await page.getByRole('button', { name: field }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: option, exact: true }).focus();
  await page.keyboard.press('Enter');
};

test('cards say where an experiment runs and how long it takes', async ({ dyno }) => {
  const { page } = dyno;
  await goToGallery(page);
  const card = cards(page).filter({ has: page.getByRole('button', { name: 'Insert duel', exact: true }) });
  await expect(card).toContainText(/\d+ (s|min) · every engine · 3 sizes/);
});

test('the gallery is narrowed by topic and engine with the keyboard alone', async ({ dyno }) => {
  const { page } = dyno;
  await goToGallery(page);
  const all = await cards(page).count();
  await choose(page, 'Topic', 'why');
  await expect(cards(page).getByRole('heading', { name: 'Finding: one client process' })).toBeVisible();
  const why = await cards(page).count();
  expect(why).toBeLessThan(all);
  await choose(page, 'Topic', 'Every topic');
  // The experiment has no cell there, because prepared statements read no documents.
  await choose(page, 'Runs on', 'MongoDB');
  await expect(cards(page).getByRole('heading', { name: 'Fetch size', exact: true })).toHaveCount(0);
  await expect(cards(page).getByRole('heading', { name: 'Insert duel', exact: true })).toBeVisible();
});

test('a search looks through all texts of an experiment', async ({ dyno }) => {
  const { page } = dyno;
  await goToGallery(page);
  const all = await cards(page).count();
  await page.getByRole('searchbox', { name: 'Search experiments' }).fill('p99');
  await expect(cards(page).getByRole('heading', { name: 'Highest rate within a limit' })).toBeVisible();
  expect(await cards(page).count()).toBeLessThan(all);
});

test('an experiment has a page of its own, free of accessibility violations', async ({ dyno }) => {
  const { page } = dyno;
  await goToGallery(page);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'About Insert duel', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Insert duel' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Published figures' })).toContainText('SQL Server 2008 R2');
  await expect(page.getByText('Look at', { exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Engines' }).getByRole('row')).toHaveCount(9);
  expect(await violations(page)).toEqual([]);
});

test('a size is chosen on the page, shown by the form, and changed there', async ({ dyno }) => {
  const { page } = dyno;
  await goToGallery(page);
  await page.getByRole('button', { name: 'About Insert duel', exact: true }).click();
  await page.getByRole('region', { name: 'Sizes' }).getByRole('button', { name: 'published', exact: true }).click();
  const rows = page.getByRole('textbox', { name: 'Rows', exact: true });
  await dyno.showSection('Workload');
  await expect(rows).toHaveValue('500000');
  await rows.fill('400000');
  await rows.blur();
  await dyno.showSection('Question');
  await expect(page.getByRole('button', { name: /^(?!Help: ).*Size$/ })).toContainText('published');
  await page.getByRole('button', { name: /^(?!Help: ).*Size$/ }).click();
  await page.getByRole('option', { name: 'As written' }).click();
  await dyno.showSection('Workload');
  await expect(rows).toHaveValue('20000');
  await dyno.showSection('Question');
  await page.getByRole('button', { name: /^(?!Help: ).*Size$/ }).click();
  await page.getByRole('option', { name: 'published', exact: true }).click();
  await dyno.showSection('Workload');
  await expect(rows).toHaveValue('400000');
});

test('a run shows its size', async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(`${quick}sizes:\n  tiny: { dataset: { rows: 200 }, measure: { repeats: 1 } }\nsize: tiny\n`);
  await dyno.run();
  await dyno.waitForResult();
  await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
  const group = page.getByRole('region', { name: 'Quick check', exact: true });
  await expect(group.getByRole('rowheader', { name: /tiny$/ })).toBeVisible();
});
