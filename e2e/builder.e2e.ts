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
