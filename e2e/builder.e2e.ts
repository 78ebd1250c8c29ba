import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quick } from '#integration/results/small-experiments.fixture.ts';
import { launchApp } from './dyno-app.ts';
import { expect, test } from './fixtures.ts';
import { runIds } from './journal.ts';

test('a shortcut uses a number that is still being typed', async ({ dyno }) => {
  const { page } = dyno;
  const onNoop = quick.replace('[sqlite, noop]', '[noop]');
  await dyno.setYaml(onNoop);
  await expect(page.getByRole('heading', { level: 1, name: 'Quick check' })).toBeVisible();
  await dyno.showSection('Measurement');
  await page.getByRole('textbox', { name: 'Repeats' }).fill('1');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText(/^Saved “Quick check”/)).toBeVisible();
  const folder = join(dyno.home, 'experiments');
  const [file] = (await readdir(folder)).filter((name) => name.endsWith('.dyno.yaml'));
  expect(await readFile(join(folder, file!), 'utf8')).toBe(onNoop.replace('repeats: 2', 'repeats: 1'));

  await page.getByRole('textbox', { name: 'Repeats' }).fill('3');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(() => runIds(dyno.home)).toHaveLength(1);
  await dyno.waitForResult();
  expect(await dyno.results()).toHaveLength(6);
});

test('the rows of stages and columns fit beside the YAML and the plan', async ({ dyno }) => {
  const { page } = dyno;
  await page.setViewportSize({ width: 1280, height: 800 });
  await dyno.setYaml(quick.replace('measure:', 'measure:\n  stages: [{ seconds: 5 }, { seconds: 10, to: 2 }]'));
  const form = page.getByRole('region', { name: 'Form' });
  const inView = (name: string) => expect(form.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
  await dyno.showSection('Measurement');
  await form.getByRole('button', { name: 'Add stage', exact: true }).scrollIntoViewIfNeeded();
  await inView('Remove stage 1');
  await page.getByRole('button', { name: 'YAML', exact: true }).click();
  await dyno.showPart('Data');
  await form.getByRole('button', { name: 'Add column', exact: true }).scrollIntoViewIfNeeded();
  await inView('Remove column payload');
});

test('numbers are read as the file writes them, whatever the system’s language', async () => {
  const dyno = await launchApp({ env: { LANGUAGE: 'de', LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' } });
  try {
    const { page } = dyno;
    expect(await page.evaluate(() => navigator.language)).toMatch(/^de/);
    await dyno.setYaml(quick);
    await expect(page.getByRole('heading', { level: 1, name: 'Quick check' })).toBeVisible();
    await dyno.showSection('Measurement');
    await page.getByRole('button', { name: /^(?!Help: ).*A trial ends/ }).click();
    await page.getByRole('option', { name: 'After a time' }).click();
    const seconds = page.getByRole('textbox', { name: 'Measured time (s)', exact: true });
    await seconds.fill('');
    await seconds.pressSequentially('0.5');
    await seconds.press('Tab');
    await expect(page.getByRole('textbox', { name: 'Experiment file' })).toContainText('seconds: 0.5');
    await seconds.fill('1,250');
    await expect(seconds).toHaveAccessibleDescription(/= 1\.25\ss \(the comma is the decimal sign\)/);
    await expect(page.getByRole('textbox', { name: 'Experiment file' })).toContainText('seconds: 1.25');
  } finally {
    await dyno.close();
  }
});

test('a file with Windows line ends keeps them', async ({ dyno }) => {
  const { page } = dyno;
  const file = join(dyno.home, 'experiments/crlf.dyno.yaml');
  await mkdir(join(dyno.home, 'experiments'), { recursive: true });
  await writeFile(file, quick.replaceAll('\n', '\r\n'));
  await page.reload();
  await dyno.openExperiment('Quick check');
  await dyno.showSection('Measurement');
  await page.getByRole('textbox', { name: 'Repeats' }).fill('1');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText(/^Saved “Quick check”/)).toBeVisible();
  expect(await readFile(file, 'utf8')).toBe(quick.replace('repeats: 2', 'repeats: 1').replaceAll('\n', '\r\n'));
});

test('an experiment with a password in plain text is not saved', async ({ dyno }) => {
  await dyno.setYaml(quick.replace('noop', '{ name: x, engine: postgres, password: hunter2 }'));
  await dyno.page.keyboard.press('ControlOrMeta+s');
  await expect(dyno.page.getByText('Could not save')).toBeVisible();
});
