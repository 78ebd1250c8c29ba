import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { quick, shop } from '#integration/results/small-experiments.fixture.ts';
import {
  choose,
  expectNoText,
  expectText,
  fill,
  goTo,
  openExperiment,
  openPart,
  openSection,
  openWindow,
  press,
  region,
  select,
} from '../dev/window.fixture.tsx';

const runButton = () => screen.getByRole('button', { name: 'Run' });
const problems = () => screen.getByRole('tab', { name: /Problems/ });

test('a mistake is shown with a suggestion, and prevents a run until it is corrected', async () => {
  const dyno = await openExperiment(quick.replace('operation:', 'opperation:'));
  const plan = await region('Plan');
  await within(plan).findAllByText(/opperation/);
  await within(plan).findAllByText(/did you mean/i);
  await expect.poll(() => runButton()).toBeDisabled();

  expect(within(plan).getByRole('listitem')).toHaveTextContent('Workload › Opperation');
  await dyno.user.click(within(plan).getByRole('button', { name: 'Fix: Rename “opperation” to “operation”' }));
  await expectText(dyno, '  operation: insert');
  await expect.poll(() => runButton()).toBeEnabled();
});

test('a question about a run that is cancelled gives the focus back to the button', async () => {
  const dyno = await openWindow({
    opened: quick,
    handlers: {
      'runs:start': async () => ({
        toChange: [{ connection: 'staging', address: 'db.example.com', parameters: [], now: {} }],
      }),
    },
  });
  await expect.poll(() => runButton()).toBeEnabled();
  await press(dyno, runButton(), 'Enter');
  await screen.findByRole('dialog', { name: 'Change parameters of your server' });
  // A browser takes the focus from a disabled button, which jsdom does not.
  expect(screen.getByRole('button', { name: 'Run', hidden: true })).not.toBeDisabled();
  await dyno.user.keyboard('{Escape}');
  await expect.poll(() => document.activeElement).toBe(runButton());
});

test('the form writes into the text and leaves comments alone; saving keeps both', async () => {
  const saved: string[] = [];
  const dyno = await openWindow({
    opened: quick,
    handlers: {
      'experiments:save': async ({ text }) => {
        saved.push(text);
        return {
          id: 'mine',
          origin: 'mine',
          name: '',
          question: '',
          topic: null,
          targets: [],
          modifiedAt: '',
          text,
          problem: null,
        };
      },
    },
  });
  await fill(dyno, within(await region('Form')).getByRole('textbox', { name: 'Name' }), 'Renamed in the form');
  await dyno.user.tab();
  const renamed = quick.replace('Quick check', 'Renamed in the form');
  await expect.poll(() => dyno.text()).toBe(renamed);
  await dyno.user.keyboard('{Control>}s{/Control}');
  await expect.poll(() => saved).toEqual([renamed]);
});

test('a named level is added and changed in the form', async () => {
  const dyno = await openWindow();
  await goTo(dyno, 'Experiments');
  await dyno.user.click((await screen.findAllByRole('button', { name: 'Insert duel' }))[0]!);
  await openSection(dyno, /Factors/);
  const form = within(await region('Form'));
  const name = form.getByRole('textbox', { name: 'Name of a new level of method' });
  await fill(dyno, name, 'bulk load, small');
  await dyno.user.keyboard('{Enter}');
  const settings = within(await form.findByRole('group', { name: 'Settings of bulk load, small' }));
  await fill(dyno, settings.getByRole('textbox', { name: 'Rows per call' }), '50');
  await dyno.user.tab();
  await choose(dyno, settings.getByRole('button', { name: 'Add setting to bulk load, small' }), 'Calls per commit');

  // A new level is a copy of the last one.
  await expect.poll(async () => (await region('Plan')).textContent).toContain('bulk load, small');
  await expectText(
    dyno,
    '    bulk load, small: { method: bulk, rowsPerCall: 50, bulkFormat: binary, callsPerCommit: 1 }\n',
  );
});

test('unsaved changes survive a visit to another page', async () => {
  const dyno = await openWindow();
  const openDuel = async () => {
    await goTo(dyno, 'Experiments');
    await dyno.user.click((await screen.findAllByRole('button', { name: 'Insert duel' }))[0]!);
  };
  const changedDuel = () => screen.findByRole('heading', { level: 1, name: 'Changed duel' });
  await openDuel();
  await fill(dyno, within(await region('Form')).getByRole('textbox', { name: 'Name' }), 'Changed duel');
  await screen.findByText('Unsaved changes');

  await goTo(dyno, 'Runs');
  await screen.findByRole('heading', { level: 1, name: 'Runs' });
  await goTo(dyno, 'Builder');
  await changedDuel();

  // Opening the same experiment again keeps its edits.
  await openDuel();
  await changedDuel();

  await goTo(dyno, 'Runs');
  await dyno.user.keyboard('{Control>}k{/Control}');
  await screen.findByRole('dialog');
  await dyno.user.keyboard('back to the builder{Enter}');
  await changedDuel();
});

test('a number is added to the levels at the first press', async () => {
  const dyno = await openExperiment(quick.replace('method: [prepared, multiRow]', 'rowsPerCall: [1, 100]'));
  await openSection(dyno, /Factors/);
  await fill(dyno, screen.getByRole('textbox', { name: 'New level of Rows per call' }), '10');
  await dyno.user.click(screen.getByRole('button', { name: 'Add level to Rows per call' }));
  await expectText(dyno, 'rowsPerCall: [1, 10, 100]');
  await fill(dyno, screen.getByRole('textbox', { name: 'New level of Rows per call' }), '20');
  await dyno.user.keyboard('{Enter}');
  await expectText(dyno, 'rowsPerCall: [1, 10, 20, 100]');
});

test('removing a target changes the baseline', async () => {
  const dyno = await openExperiment(quick.replace('measure:', 'baseline: { target: sqlite }\nmeasure:'));
  await openSection(dyno, /Measurement/);
  expect(select('Baseline: target')).toHaveTextContent('sqlite');
  await openSection(dyno, /Targets/);
  await dyno.user.click(within(await region('Form')).getByRole('checkbox', { name: /SQLite/ }));
  await screen.findByText(/^4 trials on noop/);
  expect(problems()).toHaveTextContent('1');
  expect(runButton()).toBeEnabled();
  await openSection(dyno, /Measurement/);
  await choose(dyno, select('Baseline: target'), 'Default');
  await expectNoText(dyno, 'baseline');
});

test('engine-specific options are set in the form, and varied as factors', async () => {
  // Only options of the experiment's engines are offered.
  const postgres = '{ name: pg, engine: postgres, host: db }';
  const alone = await openExperiment(quick.replace('[sqlite, noop]', `[${postgres}]`));
  await openPart(alone, 'Advanced');
  const section = () => region('Engine-specific options');
  expect(await section()).toHaveTextContent('PostgreSQL');
  expect(await section()).not.toHaveTextContent('SQL Server');
});

test.each([
  ['after no statement', quick, ['Operation and load']],
  ['after the statements of the experiment', shop, ['Custom statements', 'Operation and load']],
])('the load comes %s', async (_, text, order) => {
  await openPart(await openExperiment(text), 'Statements');
  const headings = async () => {
    const all = within(await region('Workload')).getAllByRole('heading', { level: 2 });
    return all.map(({ textContent }) => textContent).filter((one) => order.includes(one));
  };
  await expect.poll(headings).toEqual(order);
});

test('options of two engines are set in the form, and varied as factors', async () => {
  const targets = '[{ name: pg, engine: postgres, host: db }, { name: ms, engine: sqlserver, host: db }]';
  const dyno = await openExperiment(quick.replace('[sqlite, noop]', targets));
  await openPart(dyno, 'Advanced');
  const section = within(await region('Engine-specific options'));
  await dyno.user.click(section.getByRole('button', { name: 'All options' }));
  await choose(dyno, section.getAllByRole('button', { name: /Table organisation$/ })[0]!, 'heap');
  await expectText(dyno, 'sqlserver.table: heap');
  await fill(dyno, section.getByRole('textbox', { name: /Packet size/ }), '4096');
  await dyno.user.tab();
  await expectText(dyno, 'sqlserver.packetSize: 4096');
  await expect.poll(() => problems().textContent).toContain('0');

  await openSection(dyno, /Factors/);
  await choose(dyno, screen.getByRole('button', { name: 'Add factor' }), /^SQL Server: TCP_NODELAY/);
  await expectText(dyno, 'sqlserver.noDelay: [true, false]');
  // Adding a factor removes its setting from the workload, where it would have no effect.
  await choose(dyno, screen.getByRole('button', { name: 'Add factor' }), /^SQL Server: Table organisation/);
  await expectText(dyno, 'sqlserver.table: [heap, clustered]');
  await expectNoText(dyno, 'sqlserver.table: heap');
  await expect.poll(() => runButton()).toBeEnabled();
});

test('a password in plain text cannot be added to a target', async () => {
  const dyno = await openExperiment(quick);
  await openSection(dyno, /Targets/);
  await dyno.user.click(screen.getByRole('button', { name: 'Add target' }));
  const dialog = within(await screen.findByRole('dialog'));
  await choose(dyno, dialog.getByRole('button', { name: /Engine/ }), 'PostgreSQL');
  await fill(dyno, dialog.getByRole('textbox', { name: 'Name' }), 'staging');
  await fill(dyno, dialog.getByLabelText('Password'), 'hunter2');
  await dialog.findByText(/secret in plain text/);
  expect(dialog.getByRole('button', { name: 'Add target' })).toBeDisabled();
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable as a file has it
  await fill(dyno, dialog.getByLabelText('Password'), '${env:STAGING_PASSWORD}');
  await dyno.user.click(dialog.getByRole('button', { name: 'Add target' }));
  await expectText(dyno, 'STAGING_PASSWORD');
});

test('a built-in target whose server is missing cannot be chosen, and says what to install', async () => {
  const missing = { 'local-mongodb': { what: 'There is no mongod.', fix: 'Install mongod.' } };
  const dyno = await openWindow({ opened: quick, missing });
  await openSection(dyno, /Targets/);
  const form = within(await region('Form'));
  const mongodb = () => form.getByRole('checkbox', { name: 'MongoDB' });
  expect(mongodb()).toBeDisabled();
  const row = mongodb().closest('li')!;
  expect(row).toHaveTextContent('Not installed');
  expect(row).toHaveTextContent(/mongod/);
  expect(form.getByRole('checkbox', { name: /SQLite/ })).toBeEnabled();
});

test('a missing server that a file from another machine names is told, and can be removed', async () => {
  const missing = { 'local-mongodb': { what: 'There is no mongod.', fix: 'Install mongod.' } };
  const opened = quick.replace(/^targets:.*$/m, 'targets: [sqlite, local-mongodb]');
  const dyno = await openWindow({ opened, missing });
  await screen.findByText(/Missing on this machine: local-mongodb; trials on it fail/);
  await openSection(dyno, /Targets/);
  expect(within(await region('Form')).getByRole('checkbox', { name: 'MongoDB' })).toBeEnabled();
});

test('the form writes repeats until a target precision', async () => {
  const dyno = await openExperiment(quick);
  await openSection(dyno, /Measurement/);
  await choose(dyno, select('How many repeats'), 'Until a precision');
  for (const [name, value] of [
    ['Minimum repeats', '2'],
    ['Maximum repeats', '9'],
    ['Target precision (%)', '50'],
  ] as const) {
    await fill(dyno, await screen.findByRole('textbox', { name }), value);
    await dyno.user.tab();
  }
  await expectText(dyno, 'repeats: { min: 2, max: 9 }');
  await expectText(dyno, 'until: { precision: 0.5 }');
  await within(await region('Plan')).findAllByText('2 to 9 trials');
});

test('indexes are added, changed, undone and removed in the form; what an engine lacks is left out of the plan', async () => {
  const dyno = await openExperiment(
    quick.replace('[sqlite, noop]', '[sqlite, { name: pg, engine: postgres, host: db }]'),
  );
  const form = within(await region('Form'));
  const plan = within(await region('Plan'));
  await openPart(dyno, 'Data');
  await dyno.user.click(form.getByRole('button', { name: 'Add index' }));
  await expectText(dyno, 'indexes:\n    - columns: [payload]');
  expect(screen.getByRole('tab', { name: /Skipped/ })).toHaveTextContent('0');

  await fill(dyno, form.getByRole('textbox', { name: 'Columns of index 1' }), 'payload, id');
  await expectText(dyno, 'columns: [payload, id]');
  await press(dyno, form.getByRole('checkbox', { name: 'Index 1 is unique' }), ' ');
  await expectText(dyno, 'unique: true');
  await dyno.user.click(form.getByRole('button', { name: 'Add index' }));
  await choose(dyno, await form.findByRole('button', { name: /Kind of index 2/ }), 'hash');
  await expectText(dyno, 'kind: hash');

  await dyno.user.click(plan.getByRole('tab', { name: /Skipped/ }));
  await expect.poll(() => plan.queryAllByRole('row', { name: /sqlite SQLite has B-trees only/ })).toHaveLength(2);
  expect(plan.queryAllByRole('row', { name: /pg/ })).toEqual([]);

  await fill(dyno, form.getByRole('textbox', { name: 'Columns of index 2' }), 'nowhere');
  await dyno.user.click(plan.getByRole('tab', { name: /Problems/ }));
  await plan.findByText(/names “nowhere”, which is not a column/);
  await dyno.user.click(screen.getByRole('button', { name: 'Undo' }));
  await expect.poll(() => plan.queryByText(/names “nowhere”/)).toBeNull();
  await expectNoText(dyno, 'nowhere');

  await dyno.user.click(form.getByRole('button', { name: 'Remove index 2' }));
  await dyno.user.click(form.getByRole('button', { name: 'Remove index 1' }));
  await expectNoText(dyno, 'indexes');
});

test('the kind of experiment is chosen by a card, and factors are found by their effect', async () => {
  const dyno = await openExperiment(quick);
  const kinds = within(await screen.findByRole('radiogroup', { name: 'Kind of experiment' }));
  expect(kinds.getByRole('radio', { name: /^Compare/ })).toBeChecked();
  await dyno.user.click(kinds.getByText('Find maximum load'));
  await expectText(dyno, 'find: limit');
  await expect.poll(() => runButton()).toBeEnabled();
  await dyno.user.click(kinds.getByText('Custom SQL'));
  await expectText(dyno, 'operation: statement');
  await expect.poll(() => runButton()).toBeEnabled();
  await dyno.user.click(screen.getByRole('button', { name: 'Undo' }));
  await dyno.user.click(screen.getByRole('button', { name: 'Undo' }));
  await expect.poll(() => dyno.text()).toBe(quick);
  expect(kinds.getByRole('radio', { name: /^Compare/ })).toBeChecked();

  await openSection(dyno, /Factors/);
  await dyno.user.click(screen.getByRole('button', { name: 'Add factor' }));
  const picker = within(await screen.findByRole('dialog', { name: 'Add factor' }));
  picker.getByRole('group', { name: 'Load' });
  expect(within(picker.getByRole('group', { name: 'Used most' })).getAllByRole('menuitem')[0]).toHaveTextContent(
    'Connections',
  );
  // Names come before descriptions.
  await fill(dyno, picker.getByRole('searchbox', { name: 'Search factors' }), 'rows');
  await expect.poll(() => picker.getAllByRole('group').length).toBe(2);
  expect(picker.getAllByRole('menuitem')[0]).toHaveTextContent(/^Rows per call/);
  // Only the description contains the word.
  await fill(dyno, picker.getByRole('searchbox', { name: 'Search factors' }), 'emulator');
  await expect.poll(() => picker.queryAllByRole('menuitem', { name: /^Connections/ })).toEqual([]);
  await dyno.user.click(picker.getByRole('menuitem', { name: /^Network round trip \(ms\)/ }));
  await expectText(dyno, 'networkRoundTripMs: [0, 10]');
});

test('a number field keeps the typed text, says how it understood it, and why it did not', async () => {
  const dyno = await openExperiment(quick.replace('measure:\n', 'measure:\n  until: { seconds: 1 }\n'));
  await openSection(dyno, /Measurement/);
  const repeats = screen.getByRole('textbox', { name: 'Repeats' });
  const warmUp = screen.getByRole('textbox', { name: 'Warm-up (s)' });

  await dyno.user.type(warmUp, '500ms');
  await dyno.user.tab();
  expect(warmUp).toHaveValue('500ms');
  expect(warmUp).toHaveAccessibleDescription(/= 0\.5\ss/);
  await expectText(dyno, 'warmupSeconds: 0.5');

  for (const typed of ['1,2', '0,5', 'two']) {
    await fill(dyno, repeats, typed);
    await dyno.user.keyboard('{ArrowUp}{Enter}');
    await dyno.user.tab();
    expect(repeats).toHaveValue(typed);
    expect(repeats).toHaveAttribute('aria-invalid', 'true');
    expect(repeats).toHaveAccessibleDescription(/whole number/);
    await expect.poll(() => runButton()).toBeDisabled();
  }

  await openPart(dyno, 'Data');
  const rows = screen.getByRole('textbox', { name: 'Rows' });
  await fill(dyno, rows, '1.000');
  expect(rows).toHaveAccessibleDescription(/= 1,000\srows \(the point separates thousands\)/);
  await expectText(dyno, 'rows: 1000\n');
  await fill(dyno, rows, '100k');
  await expectText(dyno, 'rows: 100000\n');
  expect(rows).toHaveValue('100k');

  // Undo shows another number.
  await dyno.user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(rows).not.toHaveValue('100k');
});
