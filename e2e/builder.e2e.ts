import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quick } from './experiments.ts';
import { expect, test } from './fixtures.ts';

test('a mistake is shown with a better word, and nothing can be run until it is mended', async ({ dyno }) => {
  await dyno.setYaml(quick.replace('operation:', 'opperation:'));
  await expect(dyno.page.getByText(/opperation/).first()).toBeVisible();
  await expect(dyno.page.getByText(/did you mean/i).first()).toBeVisible();
  await expect(dyno.page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();

  await dyno.setYaml(quick);
  await expect(dyno.page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
});

test('the form writes into the text and leaves comments alone; saving keeps both', async ({ dyno }) => {
  await dyno.setYaml(quick);
  await expect(dyno.page.getByRole('heading', { level: 1, name: 'Quick check' })).toBeVisible();
  const form = dyno.page.getByRole('region', { name: 'Form' });
  const name = form.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Renamed in the form');
  await name.press('Tab');
  await expect(dyno.page.getByRole('textbox', { name: 'Experiment file' })).toContainText('name: Renamed in the form');

  await dyno.page.keyboard.press('ControlOrMeta+s');
  await expect
    .poll(async () => {
      const folder = join(dyno.home, 'experiments');
      const files = (await readdir(folder)).filter((file) => file.endsWith('.dyno.yaml'));
      return Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    })
    .toEqual([quick.replace('Quick check', 'Renamed in the form')]);
});

test('a named level is added and changed in the form', async ({ dyno }) => {
  const { page } = dyno;
  await expect(page.getByRole('heading', { level: 1, name: 'Insert duel' })).toBeVisible();
  const form = page.getByRole('region', { name: 'Form' });
  const name = form.getByRole('textbox', { name: 'Name of a new level of way' });
  await name.fill('bulk load, small');
  await name.press('Enter');
  const settings = form.getByRole('group', { name: 'Settings of bulk load, small' });
  const rowsPerCall = settings.getByRole('textbox', { name: 'Rows per call' });
  await rowsPerCall.fill('50');
  await rowsPerCall.press('Tab');
  await settings.getByRole('button', { name: 'Add setting to bulk load, small' }).click();
  await page.getByRole('menuitem', { name: 'Calls per commit' }).click();

  // A new level begins as a copy of the last one.
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('bulk load, small');
  await dyno.page.keyboard.press('ControlOrMeta+s');
  const folder = join(dyno.home, 'experiments');
  await expect
    .poll(async () => {
      const files = (await readdir(folder)).filter((file) => file.endsWith('.dyno.yaml'));
      return (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('');
    })
    .toContain('    bulk load, small: { method: serverLoop, rowsPerCall: 50, callsPerCommit: 1 }\n');
});
