import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { expectNoText, expectText, fill, openExperiment, openPart, press, region } from '../../dev/window.fixture.tsx';

const file = `dyno: 1
name: Servers
question: Which parameters?
dataset: { rows: 100, columns: { id: { type: sequence } } }
workload: { operation: insert, method: bind }
targets: [embedded-postgres, sqlite]
`;

/** Opens the file with the settings of its sessions and servers in sight. */
async function openSettings() {
  const dyno = await openExperiment(file);
  await openPart(dyno, 'Advanced');
  await dyno.user.click(await screen.findByText('Sessions and servers'));
  return dyno;
}

test('parameters of servers are added, changed and removed in the form, and a wrong one has its reason', async () => {
  const dyno = await openSettings();
  const section = within(await region('Parameters of servers'));
  const name = section.getByRole('textbox', { name: 'Name of a new parameter' });
  const value = section.getByRole('textbox', { name: 'Value of a new parameter' });
  const add = section.getByRole('button', { name: 'Add parameter' });
  await fill(dyno, name, 'archive_command');
  await fill(dyno, value, '1');
  await section.findByText(/numbers, switches and choices that name no file/);
  expect(add).toBeDisabled();
  await fill(dyno, name, 'shared_buffers');
  await fill(dyno, value, '64MB');
  await dyno.user.click(add);
  await expectText(dyno, 'shared_buffers: 64MB');
  await fill(dyno, section.getByRole('textbox', { name: 'Value of shared_buffers' }), '128MB');
  await expectText(dyno, '128MB');
  await dyno.user.click(section.getByRole('button', { name: 'Remove parameter shared_buffers' }));
  await expectNoText(dyno, 'server:');
});

test('a setting of sessions names its engine, where several have some', async () => {
  const dyno = await openSettings();
  const section = within(await region('Settings of sessions'));
  await fill(dyno, section.getByRole('textbox', { name: 'Name of a new setting' }), 'work_mem');
  await fill(dyno, section.getByRole('textbox', { name: 'Value of a new setting' }), '4096');
  await dyno.user.click(section.getByRole('button', { name: 'Add setting' }));
  await expectText(dyno, 'work_mem: 4096');
  // A number would lose its zeros.
  await fill(dyno, section.getByRole('textbox', { name: 'Value of work_mem' }), '0077');
  await expectText(dyno, 'work_mem: "0077"');
  expect(section.getByRole('button', { name: /Engine of a new setting/ })).toBeVisible();
});

test('a variant of a parameter or setting is a level that has the focus and counts in the plan', async () => {
  const opened = `${file}server: { postgres: { shared_buffers: 64MB } }\nsession: { postgres: { work_mem: 4096 } }\nmeasure: { repeats: 3 }\n`;
  const dyno = await openExperiment(opened);
  const { user } = dyno;
  await openPart(dyno, 'Advanced');
  const parameters = within(await region('Parameters of servers'));
  await press(dyno, parameters.getByRole('button', { name: 'Add a variant of parameter shared_buffers' }), 'Enter');
  const factors = within(await region('Factors'));
  const value = await factors.findByRole('textbox', { name: 'Value of shared_buffers' });
  expect(value).toHaveFocus();
  expect(value).toHaveValue('64MB');
  // The copied value is selected.
  await user.keyboard('128MB');
  await expectText(dyno, '128MB');
  expect(readYaml(dyno.text()).value).toMatchObject({
    factors: { shared_buffers: { unchanged: {}, 'variant 1': { server: { postgres: { shared_buffers: '128MB' } } } } },
    server: { postgres: { shared_buffers: '64MB' } },
  });
  factors.getByRole('figure', { name: 'Difference of variant 1 to the file' });
  // Three repeats of two levels on PostgreSQL; SQLite has no parameters, and runs the level without a change alone.
  await screen.findByText(/^9 trials on embedded-postgres and sqlite/);

  await openPart(dyno, 'Advanced');
  const again = within(await region('Parameters of servers'));
  await user.click(again.getByRole('button', { name: 'Add a variant of parameter shared_buffers' }));
  expect(
    await within(await region('Factors')).findByRole('textbox', { name: 'Value of shared_buffers' }),
  ).toHaveFocus();
  await user.keyboard('256MB');
  await expectText(dyno, '256MB');
  await screen.findByText(/^12 trials/);

  await openPart(dyno, 'Advanced');
  const settings = within(await region('Settings of sessions'));
  await user.click(settings.getByRole('button', { name: 'Add a variant of setting work_mem' }));
  expect(await within(await region('Factors')).findByRole('textbox', { name: 'Value of work_mem' })).toHaveFocus();
  await user.keyboard('8192');
  await expectText(dyno, 'work_mem: 8192');
  await screen.findByText(/^21 trials/);
});

test('a new setting is compared with its value on the server, the file itself does not set it, and that is undone', async () => {
  const dyno = await openSettings();
  const section = within(await region('Settings of sessions'));
  const add = section.getByRole('button', { name: 'Add setting as a variant' });
  await fill(dyno, section.getByRole('textbox', { name: 'Name of a new setting' }), 'work_mem');
  expect(add).toBeDisabled();
  await fill(dyno, section.getByRole('textbox', { name: 'Value of a new setting' }), '64MB');
  await dyno.user.click(add);
  await expectText(dyno, 'work_mem');
  const written = readYaml(dyno.text()).value as Record<string, unknown>;
  expect(written.factors).toEqual({
    work_mem: { unchanged: {}, 'variant 1': { session: { postgres: { work_mem: '64MB' } } } },
  });
  expect(written).not.toHaveProperty('session');
  expect(await within(await region('Factors')).findByRole('textbox', { name: 'Value of work_mem' })).toHaveFocus();
  await dyno.user.click(screen.getByRole('button', { name: 'Undo' }));
  await expect.poll(() => dyno.text()).toBe(file);
});
