import { expect, test, vi } from 'vitest';
import type { Connection } from '#model/connections.ts';
import { placeOf } from '#workspace/connections/connection-draft.ts';
import { gatherPasswords } from './connection-passwords.ts';
import { createPasswordStore } from './password-store.ts';
import { createRememberedPasswords } from './remembered-passwords.ts';

vi.mock('electron', () => ({ safeStorage: { isEncryptionAvailable: () => false } }));

const connection: Connection = {
  id: 'a',
  name: 'staging',
  engine: 'postgres',
  values: { host: 'db.example.com', database: 'bench', user: 'bench' },
  passwords: { password: 'ask' },
};
const store = createPasswordStore('/nowhere/passwords.json');
const gather = (one: Connection, remembered = createRememberedPasswords(), typed = {}) =>
  gatherPasswords([one], typed, store, remembered);

test('a remembered password is used for its connection and server alone', () => {
  const remembered = createRememberedPasswords();
  expect(gather(connection, remembered).needs).toHaveLength(1);
  remembered.put('a', 'password', placeOf(connection), 's3cret');
  expect(gather(connection, remembered)).toEqual({ passwords: { a: { password: 's3cret' } }, needs: [] });
  expect(gather({ ...connection, id: 'b' }, remembered).needs).toHaveLength(1);
  const moved = { ...connection, values: { ...connection.values, host: 'evil.example.com' } };
  expect(gather(moved, remembered).needs).toHaveLength(1);
});

test('a typed password goes before a remembered one, and a forgotten one is asked for again', () => {
  const remembered = createRememberedPasswords();
  remembered.put('a', 'password', placeOf(connection), 'old');
  expect(gather(connection, remembered, { a: { password: 'new' } }).passwords).toEqual({ a: { password: 'new' } });
  remembered.forget('a');
  expect(gather(connection, remembered).needs).toHaveLength(1);
});
