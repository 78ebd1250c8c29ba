import { violations } from './axe.ts';
import { expect, test } from './fixtures.ts';

/** Runs on SQLite only, which needs no server. */
const own = `dyno: 1
name: Custom statements
question: How fast are custom statements?
dataset:
  rows: 500
  key: id
  columns:
    id: { type: sequence }
    payload: { type: text, length: 20 }
workload:
  operation: statement
  method: prepared
statements:
  look-up:
    text: SELECT payload FROM {table} WHERE id = :id
    parameters:
      id: { type: key }
    expectRows: 1
  forget:
    text: DELETE FROM {table} WHERE id = :id
    parameters:
      id: { type: key }
    weight: 0
targets: [sqlite]
measure:
  until: { seconds: 1 }
  repeats: 2
  warmupSeconds: 0
`;

test('a statement is written in the form, tried once, and measured', async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(own);
  await expect(page.getByRole('heading', { level: 1, name: 'Custom statements' })).toBeVisible();
  const form = page.getByRole('region', { name: 'Form' });
  await dyno.showPart('Statements');
  const editor = form.getByRole('textbox', { name: 'Text of look-up, All' });
  await expect(editor).toContainText('SELECT payload');

  // The form changes the file, and the file changes the form.
  await editor.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText(' AND payload > :least');
  await expect(page.getByRole('textbox', { name: 'Experiment file' })).toContainText('AND payload > :least');
  await expect(page.getByText(/parameter “least”/).first()).toBeVisible();
  // A new parameter in the text appears when its editor loses the focus, and draws the values of its column.
  await page.keyboard.press('Tab');
  await expect(form.getByRole('button', { name: 'result of a query Values of least' })).toBeVisible();
  await dyno.setYaml(own);

  const tryOnce = form.getByRole('button', { name: 'Try once' });
  await expect(tryOnce).toBeEnabled();
  await tryOnce.press('Enter');
  const result = form.getByRole('region', { name: 'look-up on sqlite', exact: true });
  await expect(result).toContainText('1 row', { timeout: 30_000 });
  await expect(result).toContainText('as expected');
  await expect(result).toContainText('USING INTEGER PRIMARY KEY');
  await expect(result.getByRole('columnheader', { name: 'payload' })).toBeVisible();

  await form.getByRole('tab', { name: 'forget' }).click();
  await form.getByRole('button', { name: 'Try once' }).click();
  await expect(form.getByRole('region', { name: 'forget on sqlite', exact: true })).toContainText('rolled back', {
    timeout: 30_000,
  });
  expect(await violations(page)).toEqual([]);

  await form.getByRole('textbox', { name: 'New name of forget' }).fill('remove');
  await form.getByRole('button', { name: 'Rename' }).click();
  await expect(form.getByRole('tab', { name: 'remove', selected: true })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Experiment file' })).toContainText('remove:');
  await form.getByRole('button', { name: 'Remove statement' }).click();
  await expect(form.getByRole('tab', { name: 'remove' })).toBeHidden();

  await dyno.run();
  expect(await dyno.waitForResult()).toBe('complete');
  const results = (await dyno.records()).flatMap((record) => (record.record === 'result' ? [record.result] : []));
  for (const { status, statements } of results) {
    expect(status).toBe('ok');
    expect(statements?.map(({ name }) => name)).toEqual(['look-up']);
    const [lookUp] = statements ?? [];
    expect(lookUp?.calls).toBeGreaterThan(100);
    expect(lookUp?.rows).toBe(lookUp?.calls);
    expect(lookUp?.errors).toEqual({});
  }
  await page.getByRole('tab', { name: 'Latency' }).click();
  await expect(page.getByRole('region', { name: 'Custom statements' })).toContainText('look-up');
  expect(await violations(page)).toEqual([]);
});
