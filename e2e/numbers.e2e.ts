import { quick } from './experiments.ts';
import { expect, test } from './fixtures.ts';

test('a number field keeps what is typed, says what it understood, and why it did not', async ({ dyno }) => {
  const { page } = dyno;
  const file = page.getByRole('textbox', { name: 'Experiment file' });
  await dyno.setYaml(quick);
  await dyno.showSection('Measurement');
  const repeats = page.getByRole('textbox', { name: 'Repeats' });
  const warmUp = page.getByRole('textbox', { name: 'Warm-up seconds' });

  await warmUp.pressSequentially('500ms');
  await warmUp.press('Tab');
  await expect(warmUp).toHaveValue('500ms');
  await expect(warmUp).toHaveAccessibleDescription(/= 0\.5\ss/);
  await expect(file).toContainText('warmupSeconds: 0.5');

  for (const typed of ['1,2', '0,5', 'two']) {
    await repeats.fill(typed);
    await repeats.press('ArrowUp');
    await repeats.press('Enter');
    await repeats.blur();
    await expect(repeats).toHaveValue(typed);
    await expect(repeats).toHaveAttribute('aria-invalid', 'true');
    await expect(repeats).toHaveAccessibleDescription(/whole number/);
    await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
  }

  await dyno.showSection('Workload');
  const rows = page.getByRole('textbox', { name: 'Rows', exact: true });
  await rows.fill('1.000');
  await expect(rows).toHaveAccessibleDescription(/= 1,000\srows \(the point separates thousands\)/);
  await expect(file).toContainText('rows: 1000');
  await rows.fill('100k');
  await expect(file).toContainText('rows: 100000');
  await expect(rows).toHaveValue('100k');

  // The YAML and Undo show another number.
  await page.keyboard.press('Escape');
  await file.click();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(rows).not.toHaveValue('100k');
});
