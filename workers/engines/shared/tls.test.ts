import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { pem, tlsOptions, withSsl } from './tls.ts';

const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

test('each mode checks what it says', () => {
  expect(tlsOptions('disable', certificate)).toBeNull();
  expect(tlsOptions('require', null)).toEqual({ rejectUnauthorized: false });
  expect(tlsOptions('verify-full', null)).toEqual({ rejectUnauthorized: true });
  expect(tlsOptions('verify-full', certificate)).toEqual({ rejectUnauthorized: true, ca: certificate });
});

test('a CA is PEM text or the path of a PEM file', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'ca.pem');
  writeFileSync(file, certificate);
  expect(pem('ca', certificate)).toBe(certificate);
  expect(pem('ca', file)).toBe(certificate);
});

test('a file that is not there is named', () => {
  expect(() => pem('ca', '/none/ca.pem')).toThrow(/^ca: \/none\/ca\.pem cannot be read: ENOENT/);
  const own = { cert: certificate, key: '/none/key.pem', keyPassword: null };
  expect(() => tlsOptions('require', null, own)).toThrow(/^key: \/none\/key\.pem cannot be read: ENOENT/);
});

test('the setting tls adds a verified TLS, keeps the one that is there, and takes none away', () => {
  const plain = { host: 'h', ssl: 'disable', ca: null };
  expect(withSsl(plain, true)).toEqual({ host: 'h', ssl: 'verify-full', ca: null });
  expect(withSsl(plain, false)).toEqual(plain);
  expect(withSsl({ ...plain, ssl: 'require' }, true)).toMatchObject({ ssl: 'require' });
  for (const ssl of ['require', 'verify-full'])
    expect(() => withSsl({ ...plain, ssl }, false)).toThrow('the connection asks for TLS');
});

test('the setting tls reads the CA here, because the session may be opened on another machine', () => {
  const file = join(temporaryFolder(), 'ca.pem');
  writeFileSync(file, certificate);
  expect(withSsl({ ssl: 'disable', ca: file }, true)).toEqual({ ssl: 'verify-full', ca: certificate });
  expect(() => withSsl({ ssl: 'disable', ca: '/none/ca.pem' }, true)).toThrow(/^ca: \/none\/ca\.pem cannot be read/);
});
