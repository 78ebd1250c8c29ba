import { expect, test } from './fixtures.ts';

const notice = /^SQLFire was discontinued; tested with its open-source descendant/;

test('an engine’s notice is shown where a connection or a target of it is made or tested', async ({ dyno }) => {
  const { page } = dyno;
  await page.getByRole('navigation').getByRole('link', { name: 'Connections' }).click();
  await page.getByRole('button', { name: 'New connection' }).click();
  const form = page.getByRole('region', { name: 'Connection', exact: true });
  await expect(form.getByText(notice)).toHaveCount(0);
  const paste = page.getByRole('textbox', { name: 'Paste a URL' });
  await paste.fill('drda://bench@127.0.0.1:1/dyno');
  await paste.press('Enter');
  await expect(form.getByText(notice)).toBeVisible();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('old one');
  await page.getByRole('button', { name: /Password source/ }).click();
  await page.getByRole('option', { name: 'None' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Not saved yet')).toHaveCount(0);

  await page.getByRole('navigation').getByRole('link', { name: 'Connections' }).click();
  await page.getByRole('button', { name: 'Test old one' }).click();
  const dialog = page.getByRole('dialog', { name: 'Test of old one' });
  await expect(dialog.getByText('Port failed')).toBeVisible();
  await expect(dialog.getByText(notice)).toBeVisible();
  await dialog.getByText('Close').click();

  await dyno.openExperiment('Insert duel');
  await dyno.showSection('Targets');
  await page.getByRole('button', { name: 'Add target' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a target' });
  await adding.getByText('Described in the file').click();
  await adding.getByRole('button', { name: /Engine/ }).click();
  await page.getByRole('option', { name: /SQLFire/ }).click();
  await expect(adding.getByText(notice)).toBeVisible();
});
