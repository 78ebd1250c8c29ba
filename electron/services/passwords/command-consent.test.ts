import type { BrowserWindow } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Connection } from '#model/connections.ts';
import { createCommandConsent } from './command-consent.ts';

const shown = vi.hoisted(() => ({ details: [] as string[], response: 1 }));
vi.mock('electron', () => ({
  dialog: {
    showMessageBox: async (_: unknown, { detail }: { readonly detail: string }) => {
      shown.details.push(detail);
      return { response: shown.response };
    },
  },
}));

const connection: Connection = {
  id: 'a',
  name: 'staging',
  engine: 'postgres',
  values: { host: 'db.example.com', user: 'bench' },
  passwords: { password: { command: ['pass', 'show', 'db'] } },
};
const consent = () => createCommandConsent({} as BrowserWindow);

beforeEach(() => {
  shown.details = [];
  shown.response = 1;
});

test('the user is asked once about a program, with its arguments and the server that receives its output', async () => {
  const commands = consent();
  await commands.require(connection, null);
  await commands.require(connection, null);
  expect(shown.details).toEqual([expect.stringMatching(/^pass\nshow\ndb\n.*db\.example\.com:5432/s)]);
});

test('a program that the connection had already is not asked for, unless its output would go elsewhere', async () => {
  const commands = consent();
  await commands.require({ ...connection, name: 'renamed' }, connection);
  expect(shown.details).toEqual([]);
  const moved = { ...connection, values: { ...connection.values, host: 'evil.example.com' } };
  await commands.require(moved, connection);
  await commands.require({ ...connection, passwords: { password: { command: ['rm'] } } }, connection);
  expect(shown.details).toHaveLength(2);
});

test('without consent it fails, and the next time asks again', async () => {
  const commands = consent();
  shown.response = 0;
  for (const _ of [1, 2])
    await expect(commands.require(connection, null)).rejects.toMatchObject({ data: { kind: 'cancelled' } });
  expect(shown.details).toHaveLength(2);
});

test('connections without commands need none', async () => {
  await consent().require({ ...connection, passwords: { password: 'ask' } }, null);
  expect(shown.details).toEqual([]);
});
