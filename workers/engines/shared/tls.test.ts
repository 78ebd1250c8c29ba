import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { pem, tlsOptions } from './tls.ts';

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
