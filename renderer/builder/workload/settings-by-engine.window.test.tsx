import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { expectNoText, expectText, fill, openExperiment, openPart, region } from '../../dev/window.fixture.tsx';

const file = `dyno: 1
name: Servers
question: Which parameters?
dataset: { rows: 100, columns: { id: { type: sequence } } }
workload: { operation: insert, method: bind }
targets: [embedded-postgres, sqlite]
`;

test('parameters of servers are added, changed and removed in the form, and a wrong one has its reason', async () => {
  const dyno = await openExperiment(file);
  await openPart(dyno, 'Advanced');
  await dyno.user.click(await screen.findByText('Sessions and servers'));
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
  const dyno = await openExperiment(file);
  await openPart(dyno, 'Advanced');
  await dyno.user.click(await screen.findByText('Sessions and servers'));
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
