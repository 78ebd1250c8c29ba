import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { CleanReport } from '#protocol/ipc.ts';
import { choose, goTo, openWindow } from '../dev/window.fixture.tsx';

const left = { name: 'dyno_0a1b2c3d_4', run: '0a1b2c3d', inUse: null, isUnsure: false };
const changed = 'A run has left its own values of parameters: work_mem.';
const given = 'Dyno has given back parameters that a run had changed: work_mem.';

async function openDialog(found: Pick<CleanReport, 'tables' | 'parameters'>) {
  const staging = { id: 'c1', name: 'staging', engine: 'postgres', values: {}, passwords: {}, hue: 2 };
  const entry = { ...staging, address: 'db.example.com', problem: null, lastCheck: null };
  const dyno = await openWindow({
    handlers: {
      'connections:list': async () => ({ connections: [entry], problem: null, cannotStore: null }),
      'connections:clean': async ({ drops }) => ({
        report: {
          ...{ address: 'db.example.com', dropped: drops ? found.tables.map(({ name }) => name) : [] },
          ...{ tables: found.tables, parameters: drops ? found.parameters.map(() => given) : found.parameters },
        },
      }),
    },
  });
  await goTo(dyno, 'Connections');
  await choose(dyno, await screen.findByRole('button', { name: 'Actions for staging' }), /^Clean up/);
  return { dyno, dialog: within(await screen.findByRole('dialog', { name: 'Clean up on staging' })) };
}

test('parameters that a run has left are given back without a word about dropped tables', async () => {
  const { dyno, dialog } = await openDialog({ tables: [], parameters: [changed] });
  expect(dialog.getByText(changed)).toBeVisible();
  await dyno.user.click(dialog.getByRole('button', { name: 'Give the parameters back' }));
  await screen.findByText(given);
});

test('tables and parameters that a run has left are undone together', async () => {
  const { dyno, dialog } = await openDialog({ tables: [left], parameters: [changed] });
  await dyno.user.click(dialog.getByRole('button', { name: 'Drop 1 table and give the parameters back' }));
  await screen.findByText(`1 table dropped on “staging”. ${given}`);
});
