import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { violations } from './axe.ts';
import { launchDyno } from './driver.ts';
import { quick } from './experiments.ts';
import { expect, test } from './fixtures.ts';
import { runIds } from './journal.ts';

test('a mistake is shown with a suggestion, and prevents a run until it is corrected', async ({ dyno }) => {
  await dyno.setYaml(quick.replace('operation:', 'opperation:'));
  await expect(dyno.page.getByText(/opperation/).first()).toBeVisible();
  await expect(dyno.page.getByText(/did you mean/i).first()).toBeVisible();
  await expect(dyno.page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();

  const plan = dyno.page.getByRole('region', { name: 'Plan' });
  await expect(plan.getByRole('listitem')).toContainText('Workload › Opperation');
  await plan.getByRole('button', { name: 'Fix: Rename “opperation” to “operation”' }).click();
  await expect(plan.getByText('No problems.')).toHaveCount(0);
  await expect(dyno.page.getByRole('textbox', { name: 'Experiment file' })).toContainText('operation: insert');
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
  await dyno.openExperiment('Insert duel');
  await dyno.showSection('Factors');
  const form = page.getByRole('region', { name: 'Form' });
  const name = form.getByRole('textbox', { name: 'Name of a new level of method' });
  await name.fill('bulk load, small');
  await name.press('Enter');
  const settings = form.getByRole('group', { name: 'Settings of bulk load, small' });
  const rowsPerCall = settings.getByRole('textbox', { name: 'Rows per call' });
  await rowsPerCall.fill('50');
  await rowsPerCall.press('Tab');
  await settings.getByRole('button', { name: 'Add setting to bulk load, small' }).click();
  await page.getByRole('menuitem', { name: 'Calls per commit' }).click();

  // A new level is a copy of the last one.
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('bulk load, small');
  await dyno.page.keyboard.press('ControlOrMeta+s');
  const folder = join(dyno.home, 'experiments');
  await expect
    .poll(async () => {
      const files = (await readdir(folder)).filter((file) => file.endsWith('.dyno.yaml'));
      return (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('');
    })
    .toContain('    bulk load, small: { method: bulk, rowsPerCall: 50, bulkFormat: binary, callsPerCommit: 1 }\n');
});

test('unsaved changes survive a visit to another page', async ({ dyno }) => {
  const { page } = dyno;
  const link = (name: string) => page.getByRole('navigation').getByRole('link', { name });
  await dyno.openExperiment('Insert duel');
  const name = page.getByRole('region', { name: 'Form' }).getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Changed duel');
  await expect(page.getByText('Unsaved changes')).toBeVisible();

  await link('Runs').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible();
  await link('Builder').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Changed duel' })).toBeVisible();

  // Opening the same experiment again keeps its edits.
  await link('Experiments').click();
  await page.getByRole('button', { name: 'Insert duel', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Changed duel' })).toBeVisible();

  await link('Runs').click();
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('back to the builder');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Changed duel' })).toBeVisible();
});

test('a shortcut uses a number that is still being typed', async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(quick);
  await expect(page.getByRole('heading', { level: 1, name: 'Quick check' })).toBeVisible();
  await dyno.showSection('Measurement');
  await page.getByRole('textbox', { name: 'Repeats' }).fill('1');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText(/^Saved “Quick check”/)).toBeVisible();
  const folder = join(dyno.home, 'experiments');
  const [file] = (await readdir(folder)).filter((name) => name.endsWith('.dyno.yaml'));
  expect(await readFile(join(folder, file!), 'utf8')).toBe(quick.replace('repeats: 2', 'repeats: 1'));

  await page.getByRole('textbox', { name: 'Repeats' }).fill('3');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(() => runIds(dyno.home)).toHaveLength(1);
  await dyno.waitForResult();
  expect(await dyno.results()).toHaveLength(12);
});

test('a number is added to the levels at the first press', async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(quick.replace('method: [prepared, multiRow]', 'rowsPerCall: [1, 100]'));
  await dyno.showSection('Factors');
  const level = page.getByRole('textbox', { name: 'New level of Rows per call' });
  await level.fill('10');
  await page.getByRole('button', { name: 'Add level to Rows per call' }).click();
  const editor = page.getByRole('textbox', { name: 'Experiment file' });
  await expect(editor).toContainText('rowsPerCall: [1, 10, 100]');
  await level.fill('20');
  await level.press('Enter');
  await expect(editor).toContainText('rowsPerCall: [1, 10, 20, 100]');
});

test('numbers are read as the file writes them, whatever the system’s language', async () => {
  const dyno = await launchDyno({ env: { LANGUAGE: 'de', LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' } });
  try {
    const { page } = dyno;
    expect(await page.evaluate(() => navigator.language)).toMatch(/^de/);
    await dyno.setYaml(quick);
    await expect(page.getByRole('heading', { level: 1, name: 'Quick check' })).toBeVisible();
    await dyno.showSection('Measurement');
    await page.getByRole('button', { name: /^(?!Help: ).*A trial ends/ }).click();
    await page.getByRole('option', { name: 'After a time' }).click();
    const seconds = page.getByRole('textbox', { name: 'Seconds', exact: true });
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

test('removing a target changes the baseline', async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(quick.replace('measure:', 'baseline: { target: sqlite }\nmeasure:'));
  const form = page.getByRole('region', { name: 'Form' });
  await dyno.showSection('Measurement');
  await expect(form.getByRole('button', { name: /^(?!Help: ).*Baseline: target/ })).toContainText('sqlite');
  await dyno.showSection('Servers');
  await form.getByText('SQLite').first().click();
  await expect(page.getByText(/^4 trials on noop/)).toBeVisible();
  await expect(page.getByRole('tab', { name: /Problems/ })).toContainText('1');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
  await dyno.showSection('Measurement');
  await form.getByRole('button', { name: /^(?!Help: ).*Baseline: target/ }).click();
  await page.getByRole('option', { name: 'Default' }).click();
  await expect(page.getByRole('textbox', { name: 'Experiment file' })).not.toContainText('baseline');
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

test('engine-specific options are set in the form, and varied as factors', async ({ dyno }) => {
  const { page } = dyno;
  // Options are those of the engines that the experiment names.
  const postgres = '{ name: pg, engine: postgres, host: db }';
  await dyno.setYaml(quick.replace('[sqlite, noop]', `[${postgres}]`));
  const form = page.getByRole('region', { name: 'Form' });
  const editor = page.getByRole('textbox', { name: 'Experiment file' });
  await dyno.showSection('Workload');
  await expect(form.getByRole('heading', { name: 'Workload' })).toBeVisible();
  const section = form.getByRole('region', { name: 'Engine-specific options' });
  await expect(section).toContainText('PostgreSQL');
  await expect(section).not.toContainText('SQL Server');

  await dyno.setYaml(quick.replace('[sqlite, noop]', `[${postgres}, { name: ms, engine: sqlserver, host: db }]`));
  await expect(section).toContainText('SQL Server');
  await section.getByRole('button', { name: 'All options' }).click();
  await section
    .getByRole('button', { name: /Table organisation$/ })
    .first()
    .click();
  await page.getByRole('option', { name: 'heap', exact: true }).click();
  await expect(editor).toContainText('sqlserver.table: heap');
  const packetSize = section.getByRole('textbox', { name: /Packet size/ });
  await packetSize.fill('4096');
  await packetSize.press('Tab');
  await expect(editor).toContainText('sqlserver.packetSize: 4096');
  await expect(page.getByRole('tab', { name: /Problems/ })).toContainText('0');
  expect(await violations(page)).toEqual([]);

  await dyno.showSection('Factors');
  await form.getByRole('button', { name: 'Add factor' }).click();
  await page.getByRole('menuitem', { name: 'SQL Server: TCP_NODELAY' }).click();
  await expect(editor).toContainText('sqlserver.noDelay: [true, false]');
  // Adding a factor removes its setting from the workload, where it would have no effect.
  await form.getByRole('button', { name: 'Add factor' }).click();
  await page.getByRole('menuitem', { name: 'SQL Server: Table organisation' }).click();
  await expect(editor).toContainText('sqlserver.table: [clustered, nonclustered]');
  await expect(editor).not.toContainText('sqlserver.table: heap');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
});

test('a password in plain text is rejected', async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(quick);
  await dyno.showSection('Servers');
  await page.getByRole('button', { name: 'Add target' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /Engine/ }).click();
  await page.getByRole('option', { name: 'PostgreSQL' }).click();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('staging');
  const password = dialog.getByLabel('Password', { exact: true });
  await password.fill('hunter2');
  await expect(dialog).toContainText('secret in plain text');
  await expect(dialog.getByRole('button', { name: 'Add target' })).toBeDisabled();
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a file says
  await password.fill('${env:STAGING_PASSWORD}');
  await dialog.getByRole('button', { name: 'Add target' }).click();
  await expect(page.getByRole('textbox', { name: 'Experiment file' })).toContainText('STAGING_PASSWORD');

  await dyno.setYaml(quick.replace('noop', '{ name: x, engine: postgres, password: hunter2 }'));
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText('Could not save')).toBeVisible();
});

test('a built-in target whose server is missing cannot be chosen, and says what to install', async () => {
  const dyno = await launchDyno({ env: { DYNO_MONGOD: '/nowhere/mongod' } });
  try {
    await dyno.openExperiment('Insert duel');
    await dyno.showSection('Servers');
    const form = dyno.page.getByRole('region', { name: 'Form' });
    const mongodb = form.getByRole('checkbox', { name: /MongoDB/ });
    await expect(mongodb).toBeDisabled();
    const row = form.getByRole('listitem').filter({ has: dyno.page.getByRole('checkbox', { name: /MongoDB/ }) });
    await expect(row).toContainText('Not installed');
    await row.locator('summary').click();
    await expect(row).toContainText(/mongod/);
    await expect(form.getByRole('checkbox', { name: /SQLite/ })).toBeEnabled();

    // A file from another machine may name this target: the run skips it here, and the user can remove it.
    await dyno.setYaml(quick.replace(/^targets:.*$/m, 'targets: [sqlite, local-mongodb]'));
    await expect(dyno.page.getByText(/Missing on this machine: local-mongodb; trials there fail/)).toBeVisible();
    await expect(mongodb).toBeEnabled();
  } finally {
    await dyno.close();
  }
});

test('repeats continue until the intervals have the form’s target precision', async ({ dyno }) => {
  // On a busy machine rates scatter, and all nine rounds may be needed.
  test.slow();
  const { page } = dyno;
  await dyno.setYaml(quick);
  await dyno.showSection('Measurement');
  await page.getByRole('button', { name: /^(?!Help: ).*How many repeats/ }).click();
  await page.getByRole('option', { name: 'Until the target precision' }).click();
  for (const [name, value] of [
    ['Minimum repeats', '2'],
    ['Maximum repeats', '9'],
    ['Target precision (%)', '50'],
  ] as const) {
    await page.getByRole('textbox', { name }).fill(value);
    await page.getByRole('textbox', { name }).press('Tab');
  }
  await expect(page.getByRole('textbox', { name: 'Experiment file' })).toContainText('repeats: { min: 2, max: 9 }');
  await expect(page.getByRole('textbox', { name: 'Experiment file' })).toContainText('until: { precision: 0.5 }');
  await expect(page.getByRole('region', { name: 'Plan' }).getByText('2 to 9 trials').first()).toBeVisible();

  await dyno.run();
  expect(await dyno.waitForResult(400_000)).toBe('complete');
  const enough = (await dyno.records()).find(({ record }) => record === 'enough');
  if (enough?.record !== 'enough') throw new Error('The run does not say why it ended.');
  // Four cells; every round is complete.
  expect(await dyno.results()).toHaveLength(4 * enough.precision.round);
  await page.getByRole('tab', { name: 'Environment' }).click();
  await expect(page.getByText(/^2 to 9 repeats, until intervals are within ±\s50\s%\. /)).toBeVisible();
});

test('indexes are added, changed, undone and removed in the form; what an engine lacks is left out of the plan', async ({
  dyno,
}) => {
  const { page } = dyno;
  await dyno.setYaml(quick.replace('[sqlite, noop]', '[sqlite, { name: pg, engine: postgres, host: db }]'));
  const form = page.getByRole('region', { name: 'Form' });
  const editor = page.getByRole('textbox', { name: 'Experiment file' });
  await dyno.showSection('Workload');
  await form.getByRole('button', { name: 'Add index' }).click();
  await expect(editor).toContainText('indexes:    - columns: [payload]');
  await expect(page.getByRole('tab', { name: /Skipped/ })).toContainText('0');

  await form.getByRole('textbox', { name: 'Columns of index 1' }).fill('payload, id');
  await expect(editor).toContainText('columns: [payload, id]');
  await form.getByRole('checkbox', { name: 'Index 1 is unique' }).press('Space');
  await expect(editor).toContainText('unique: true');
  await form.getByRole('button', { name: 'Add index' }).click();
  await form.getByRole('button', { name: 'Kind of index 2' }).click();
  await page.getByRole('option', { name: 'hash', exact: true }).click();
  await expect(editor).toContainText('kind: hash');
  expect(await violations(page)).toEqual([]);

  const plan = page.getByRole('region', { name: 'Plan' });
  await plan.getByRole('tab', { name: /Skipped/ }).click();
  await expect(plan.getByRole('row', { name: /sqlite SQLite has B-trees only/ })).toHaveCount(2);
  await expect(plan.getByRole('row', { name: /pg/ })).toHaveCount(0);

  await form.getByRole('textbox', { name: 'Columns of index 2' }).fill('nowhere');
  await plan.getByRole('tab', { name: /Problems/ }).click();
  await expect(plan.getByText(/names “nowhere”, which is not a column/)).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(plan.getByText(/names “nowhere”/)).toHaveCount(0);
  await expect(editor).not.toContainText('nowhere');

  await form.getByRole('button', { name: 'Remove index 2' }).click();
  await form.getByRole('button', { name: 'Remove index 1' }).click();
  await expect(editor).not.toContainText('indexes');
});

test('the kind of experiment is chosen by a card, and factors are found by what they do', async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(quick);
  const editor = page.getByRole('textbox', { name: 'Experiment file' });
  const kinds = page.getByRole('radiogroup', { name: 'Kind of experiment' });
  await dyno.showSection('Question');
  await expect(kinds.getByRole('radio', { name: 'Compare' })).toBeChecked();
  await kinds.getByText('Find maximum load').click();
  await expect(editor).toContainText('find: limit');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
  await kinds.getByText('Custom SQL').click();
  await expect(editor).toContainText('operation: statement');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
  expect(await violations(page), 'cards').toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(editor).toContainText('A comment that must survive.');
  await expect(kinds.getByRole('radio', { name: 'Compare' })).toBeChecked();

  await dyno.showSection('Factors');
  await page.getByRole('button', { name: 'Add factor' }).click();
  const picker = page.getByRole('dialog', { name: 'Add factor' });
  await expect(picker.getByRole('group', { name: 'Load' })).toBeVisible();
  // The word stands in the description alone.
  await picker.getByRole('searchbox', { name: 'Search factors' }).fill('emulator');
  await expect(picker.getByRole('menuitem', { name: 'Network round trip (ms)' })).toBeVisible();
  await expect(picker.getByRole('menuitem', { name: 'Connections' })).toHaveCount(0);
  expect(await violations(page), 'picker').toEqual([]);
  await picker.getByRole('menuitem', { name: 'Network round trip (ms)' }).click();
  await expect(editor).toContainText('networkRoundTripMs: [0, 10]');
});
