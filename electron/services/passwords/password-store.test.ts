import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DynoError } from '#model/error.ts';
import { createPasswordStore } from './password-store.ts';

/** The functions of Electron's safeStorage that the store calls. */
const system = vi.hoisted(() => ({ available: true, backend: 'gnome_libsecret', key: 'k' }));
vi.mock('electron', () => ({
  safeStorage: {
    isEncryptionAvailable: () => system.available,
    getSelectedStorageBackend: () => system.backend,
    encryptString: (text: string) => Buffer.from(`${system.key}${[...text].reverse().join('')}`),
    decryptString: (sealed: Buffer) => {
      const text = sealed.toString();
      if (!text.startsWith(system.key)) throw new Error('Error while decrypting the ciphertext');
      return [...text.slice(system.key.length)].reverse().join('');
    },
  },
}));

const secret = 'c4nary-s3cret';
let folder: string;
let file: string;
beforeEach(() => {
  Object.assign(system, { available: true, backend: 'gnome_libsecret', key: 'k' });
  folder = mkdtempSync(join(tmpdir(), 'dyno-passwords-'));
  file = join(folder, 'passwords.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a password is opened for the place it was stored for, and for no other', () => {
  const store = createPasswordStore(file);
  store.put('a', 'password', 'here', secret);
  expect(createPasswordStore(file).open('a', 'password', 'here')).toBe(secret);
  expect(store.open('a', 'password', 'elsewhere')).toBeNull();
  expect(store.has('a', 'password', 'elsewhere')).toBe(false);
  expect(store.open('a', 'other', 'here')).toBeNull();
  expect(store.open('b', 'password', 'here')).toBeNull();
});

test('the file is its owner’s alone and holds neither password nor place in the clear', () => {
  createPasswordStore(file).put('a', 'password', 'my-server', secret);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).not.toMatch(/c4nary|my-server/);
});

test('a deletion can be undone, and a copy has the same passwords', () => {
  const store = createPasswordStore(file);
  store.put('a', 'password', 'here', secret);
  store.put('a', 'wallet', 'here', 'w');
  store.copy('a', 'b');
  const kept = store.keepOnly('a', ['wallet']);
  expect(store.has('a', 'password', 'here')).toBe(false);
  expect(store.open('a', 'wallet', 'here')).toBe('w');
  store.putBack('a', kept);
  expect(store.open('a', 'password', 'here')).toBe(secret);
  store.keepOnly('a', []);
  expect(store.open('b', 'password', 'here')).toBe(secret);
});

test('a file that cannot be read is kept beside the new one', () => {
  writeFileSync(file, '{"a": {"password":');
  const store = createPasswordStore(file);
  expect(store.has('a', 'password', 'here')).toBe(false);
  store.put('b', 'password', 'here', secret);
  expect(store.open('b', 'password', 'here')).toBe(secret);
  const [damaged] = readdirSync(folder).filter((name) => name.startsWith('passwords.json.damaged-'));
  expect(readFileSync(join(folder, damaged!), 'utf8')).toBe('{"a": {"password":');
});

test.each([{ available: false }, { backend: 'basic_text' }])('nothing is stored where %j', (state) => {
  if (process.platform !== 'linux' && 'backend' in state) return;
  const store = createPasswordStore(file);
  store.put('a', 'password', 'here', secret);
  Object.assign(system, state);
  expect(store.cannotStore()).toMatch(/can remember it until it quits/);
  expect(() => store.put('a', 'password', 'here', secret)).toThrow(DynoError);
  expect(store.open('a', 'password', 'here')).toBeNull();
});

test('a password that cannot be decrypted or read counts as missing', () => {
  const store = createPasswordStore(file);
  store.put('a', 'password', 'here', secret);
  system.key = 'another machine';
  expect(store.open('a', 'password', 'here')).toBeNull();
  writeFileSync(file, '{ "a": { "pass');
  expect(store.has('a', 'password', 'here')).toBe(false);
  store.put('a', 'password', 'here', 'new');
  expect(store.open('a', 'password', 'here')).toBe('new');
});
