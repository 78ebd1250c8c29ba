import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pem, tlsOptions } from './tls.ts';

const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

test('each mode checks what it says', () => {
  expect(tlsOptions('disable', certificate)).toBeNull();
  expect(tlsOptions('require', null)).toEqual({ rejectUnauthorized: false });
  expect(tlsOptions('verify-full', null)).toEqual({ rejectUnauthorized: true });
  expect(tlsOptions('verify-full', certificate)).toEqual({ rejectUnauthorized: true, ca: certificate });
});

test('a CA is PEM text or the path of a PEM file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dyno-pem-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'ca.pem');
  writeFileSync(file, certificate);
  expect(pem(certificate)).toBe(certificate);
  expect(pem(file)).toBe(certificate);
});

test('a file that is not there is named', () => {
  expect(() => pem('/none/ca.pem')).toThrow(/^ca: reading \/none\/ca\.pem: ENOENT/);
});
