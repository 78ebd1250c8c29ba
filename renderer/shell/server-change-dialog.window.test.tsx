import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { askToChange } from '../state/server-changes.ts';
import { ServerChangeDialog } from './server-change-dialog.tsx';

const staging = {
  connection: 'staging',
  address: 'db.example.com:5432/shop',
  parameters: [{ name: 'work_mem', values: ['8MB', '64MB'] }],
  now: { work_mem: '4MB' },
};

test('a run changes parameters of a server only after its connection’s name is typed, beside the values', async () => {
  const user = userEvent.setup();
  render(<ServerChangeDialog />);
  const asked = askToChange([staging]);
  const row = await screen.findByRole('row', { name: /work_mem/ });
  expect(row).toHaveTextContent('work_mem4MB8MB, 64MB');
  const go = screen.getByRole('button', { name: 'Change and run' });
  const field = screen.getByRole('textbox', { name: 'Type staging to let the run change its server' });
  await user.type(field, 'Staging');
  expect(go).toBeDisabled();
  await user.clear(field);
  await user.type(field, 'staging');
  await user.click(go);
  expect(await asked).toEqual(['staging']);

  const again = askToChange([staging]);
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(await again).toBeNull();
});
