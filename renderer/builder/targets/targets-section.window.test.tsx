import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import {
  expectNoText,
  expectText,
  fill,
  openExperiment,
  openSection,
  press,
  region,
} from '../../dev/window.fixture.tsx';

const file = `dyno: 1
name: Versions
question: Which version?
dataset: { rows: 100, columns: { id: { type: sequence } } }
workload: { operation: insert, method: bind }
targets: [embedded-postgres, sqlite]
measure: { repeats: 3 }
`;

const compare = (label: string) => screen.findByRole('button', { name: `Compare with another version of ${label}` });
const offered = async () => (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);

test('a target is compared with another version, by the keyboard alone, and that is undone', async () => {
  const missing = { 'postgres@17': { what: 'PostgreSQL 17 is not installed.', fix: 'Install it.' } };
  const dyno = await openExperiment(file, { missing });
  await openSection(dyno, /Targets/);
  await screen.findByText(/^6 trials on embedded-postgres and sqlite/);
  // SQLite has one version, and other products are not targets yet.
  expect(screen.getAllByRole('button', { name: /^Compare with another version/ })).toHaveLength(1);
  await press(dyno, await compare('PostgreSQL (built in)'), 'Enter');
  expect(await offered()).toEqual(['PostgreSQL 18', 'PostgreSQL 16', 'PostgreSQL 15', 'PostgreSQL 17 (not installed)']);
  await dyno.user.keyboard('{ArrowDown}{Enter}');
  await expectText(dyno, 'targets: [embedded-postgres, sqlite, postgres@16]');
  await screen.findByText(/^9 trials on embedded-postgres, sqlite, and postgres@16/);

  // A version that is missing is a target whose row says how to get it.
  await dyno.user.click(await compare('PostgreSQL 16'));
  expect(await offered()).not.toContain('PostgreSQL 16');
  await dyno.user.click(screen.getByRole('menuitem', { name: 'PostgreSQL 17 (not installed)' }));
  await expectText(dyno, 'postgres@17]');
  await screen.findByText(/Missing on this machine: postgres@17/);
  expect(within(await region('Form')).getByRole('checkbox', { name: 'PostgreSQL 17' })).toBeChecked();

  await dyno.user.click(screen.getByRole('button', { name: 'Undo' }));
  await dyno.user.click(screen.getByRole('button', { name: 'Undo' }));
  await expectText(dyno, 'targets: [embedded-postgres, sqlite]');
});

test('each chosen target has a price, which leaves the file with the target', async () => {
  const dyno = await openExperiment(file);
  await openSection(dyno, /Targets/);
  await dyno.user.click(screen.getByText('Prices'));
  const price = (name: string) => screen.getByRole('textbox', { name: `${name}, per hour` });
  await fill(dyno, price('sqlite'), '0.25');
  await dyno.user.tab();
  await expectText(dyno, 'sqlite: 0.25');
  await fill(dyno, screen.getByRole('textbox', { name: 'Currency' }), 'EUR');
  await dyno.user.tab();
  await expectText(dyno, 'currency: EUR');
  await fill(dyno, price('embedded-postgres'), '0');
  await dyno.user.tab();
  await screen.findAllByText(/above 0/);
  await fill(dyno, price('embedded-postgres'), '');
  await dyno.user.tab();
  await dyno.user.click(within(await region('Form')).getByRole('checkbox', { name: 'SQLite' }));
  await expectText(dyno, 'targets: [embedded-postgres]');
  await expectNoText(dyno, '0.25');
});
