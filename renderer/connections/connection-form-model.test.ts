import { expect, test } from 'vitest';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Connection } from '#model/connections.ts';
import { mapOf } from '../ui/controls/config-input.tsx';
import {
  draftOf,
  emptyForm,
  formOf,
  hasUnreadNumber,
  restored,
  sameContent,
  withPassword,
  withTunnelPart,
  withUrl,
  withValue,
} from './connection-form-model.ts';

const engine: EngineDescriptor = {
  id: 'loud',
  label: 'Loud',
  driver: 'loud',
  support: {},
  unsupportedReasons: {},
  uuids: { implementation: 'uuid', order: 'bytes' },
  cancel: 'none',
  maxConnections: null,
  builtIn: [],
  config: [
    { name: 'url', label: 'URL', kind: 'text', localUse: 'plain' },
    { name: 'host', label: 'Host', kind: 'text', localUse: 'plain' },
    { name: 'password', label: 'Password', kind: 'password', localUse: 'plain' },
    { name: 'wallet', label: 'Wallet password', kind: 'password', advanced: true, localUse: 'plain' },
  ],
};

const saved: Connection = {
  id: 'a1',
  name: 'staging',
  engine: 'loud',
  values: { host: 'db', wallet: `\${env:WALLET}` },
  passwords: { password: 'stored' },
};

/** The form has all parts of the URL. */
const plain = { notes: [], readOnly: false };

test('a saved connection makes a form that makes the same connection', () => {
  const { id, name, engine: of, values, passwords } = draftOf(formOf(1, saved, engine));
  expect({ id, name, engine: of, values }).toEqual({ id: 'a1', name: 'staging', engine: 'loud', values: saved.values });
  expect(passwords).toEqual({ password: { place: 'stored', typed: null } });
});

test('an SSH server and a command that prints a password come back as they were saved', () => {
  const ssh = { host: 'bastion', port: 2_222, jump: 'a,b' };
  const passwords = { password: { command: ['pass', 'show', 'a b'] } };
  const form = formOf(1, { ...saved, ssh, passwords }, engine);
  expect(form.passwords.password).toMatchObject({ choice: 'command', command: 'pass\nshow\na b' });
  expect(draftOf(form)).toMatchObject({ ssh, passwords: { password: { place: passwords.password, typed: null } } });
  expect(draftOf(withPassword(form, 'password', { command: 'pass\n\n' })).passwords.password?.place).toEqual({
    command: ['pass'],
  });
});

test('a form without an SSH host has no SSH server, unless something else of one is given', () => {
  const form = emptyForm(1, engine, true);
  expect(draftOf(form)).not.toHaveProperty('ssh');
  expect(draftOf(withTunnelPart(form, 'ssh', 'user', ' deploy ')).ssh).toEqual({ host: '', user: 'deploy' });
  expect(
    draftOf(withTunnelPart(withTunnelPart(form, 'ssh', 'host', 'b'), 'ssh', 'host', undefined)),
  ).not.toHaveProperty('ssh');
  expect(sameContent(form, withTunnelPart(form, 'ssh', 'host', 'b'))).toBe(false);
});

test('a SOCKS proxy comes back as it was saved, and without one there is no password of it', () => {
  const socks = { host: 'proxy', port: 1_081, user: 'ann' };
  const stored = formOf(1, { ...saved, socks, passwords: { socksPassword: 'stored' } }, engine);
  expect(stored.passwords.socksPassword).toMatchObject({ choice: 'stored', kept: true });
  expect(draftOf(stored)).toMatchObject({ socks, passwords: { socksPassword: { place: 'stored', typed: null } } });
  const referring = formOf(1, { ...saved, socks: { ...socks, password: `\${env:PROXY}` } }, engine);
  expect(referring.passwords.socksPassword).toMatchObject({ choice: 'environment', variable: 'PROXY' });
  expect(draftOf(referring).socks).toEqual({ ...socks, password: `\${env:PROXY}` });
  expect(draftOf(referring).values).not.toHaveProperty('socksPassword');
  const parts = ['host', 'port', 'user'];
  const without = parts.reduce((form, part) => withTunnelPart(form, 'socks', part, undefined), stored);
  expect(draftOf(without)).not.toHaveProperty('socks');
  expect(draftOf(without).passwords).toEqual({});
  // A URL does not describe a proxy, so the proxy stays.
  const url = { engine: 'loud', values: { host: 'h' }, passwords: {}, ...plain };
  expect(draftOf(withUrl(stored, url, engine, true))).toMatchObject({
    socks,
    passwords: { socksPassword: { place: 'stored' } },
  });
});

test('the first password is expected, stored where that is possible; others are not', () => {
  const choices = (canStore: boolean) =>
    Object.values(emptyForm(1, engine, canStore).passwords).map(({ choice }) => choice);
  // The last password is that of a SOCKS proxy.
  expect(choices(true)).toEqual(['stored', 'none', 'none']);
  expect(choices(false)).toEqual(['ask', 'none', 'none']);
});

test('a password that is to be stored and was never typed means that there is none', () => {
  const form = emptyForm(1, engine, true);
  expect(draftOf(form).passwords).toEqual({});
  expect(draftOf(withPassword(form, 'password', { typed: 'x' })).passwords).toEqual({
    password: { place: 'stored', typed: 'x' },
  });
  const forgotten = withPassword(formOf(1, saved, engine), 'password', { choice: 'none', kept: false });
  expect(draftOf(forgotten).passwords).toEqual({});
});

test('a command that prints a password keeps its minutes', () => {
  const place = { command: ['aws', 'token'], validMinutes: 15 };
  const form = formOf(1, { ...saved, passwords: { password: place } }, engine);
  expect(draftOf(form).passwords).toEqual({ password: { place, typed: null } });
  expect(draftOf(withPassword(form, 'password', { validMinutes: null })).passwords).toEqual({
    password: { place: { command: ['aws', 'token'] }, typed: null },
  });
});

test('a URL fills fields and password, and leaves those that it does not contain', () => {
  const form = withValue(emptyForm(1, engine, true), 'host', 'old');
  const read = { engine: 'loud', values: { host: 'new' }, passwords: { password: 'x' }, ...plain };
  const filled = withUrl(form, read, engine, true);
  expect(draftOf(filled)).toMatchObject({
    name: 'new',
    values: { host: 'new' },
    passwords: { password: { place: 'stored', typed: 'x' } },
  });
  expect(filled.passwords.wallet?.choice).toBe('none');
  expect(draftOf(withUrl(form, read, engine, false)).passwords.password?.place).toBe('ask');
});

test('a name that the user gave survives another URL; one that came from a host does not', () => {
  const read = (host: string) => ({ engine: 'loud', values: { host }, passwords: {}, ...plain });
  const first = withUrl(emptyForm(1, engine, true), read('a'), engine, true);
  expect(withUrl(first, read('b'), engine, true).name).toBe('b');
  expect(withUrl({ ...first, name: 'mine' }, read('b'), engine, true).name).toBe('mine');
});

test('spaces around values are not part of them, and no change', () => {
  const form = formOf(1, saved, engine);
  expect(sameContent(withValue(form, 'host', ' db '), form)).toBe(true);
  expect(sameContent(withValue(form, 'host', 'other'), form)).toBe(false);
});

test('a map has one name and value per line; incomplete lines are ignored', () => {
  expect(mapOf('a: 1\nb = two words\n\nc:')).toEqual({ a: '1', b: 'two words' });
  expect(mapOf('c')).toBeUndefined();
});

test('a form that was kept without its passwords comes back with everything else', () => {
  const before = formOf(1, saved, engine);
  const changed = withValue(withPassword(before, 'password', { typed: 'secret' }), 'host', 'db2');
  const kept = { ...draftOf(changed), passwords: { password: { place: 'stored' as const, typed: null } } };
  const form = restored(2, kept, before, engine);
  expect(form).toMatchObject({ id: 'a1', name: 'staging', values: { host: 'db2' } });
  expect(form.passwords.password).toMatchObject({ choice: 'stored', kept: true, typed: '' });
  expect(sameContent(restored(2, draftOf(before), before, engine), before)).toBe(true);
});

test('a form that was never saved comes back as a new one, and stores no password yet', () => {
  const before = emptyForm(1, engine, true);
  const form = restored(2, draftOf(withValue(before, 'host', 'db')), before, engine);
  expect(form).toMatchObject({ id: null, values: { host: 'db' } });
  expect(form.passwords.password).toMatchObject({ choice: 'stored', kept: false });
});

test('a number that is not understood is in no draft, and keeps the form from being saved', () => {
  const form = { ...formOf(1, saved, engine), production: { maxConnections: 'many' } };
  expect(hasUnreadNumber(form)).toBe(true);
  expect(draftOf(form).production).toEqual({});
  expect(hasUnreadNumber({ ...form, production: { maxConnections: 4 } })).toBe(false);
});
