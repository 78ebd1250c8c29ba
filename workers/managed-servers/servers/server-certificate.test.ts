import { X509Certificate } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as anyTest, expect } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { findOpenssl, makeServerCertificate } from './server-certificate.ts';

const test = anyTest.skipIf(findOpenssl() === null);
const certificateIn = (file: string) => new X509Certificate(readFileSync(file));

test('a CA signs a certificate for 127.0.0.1, which signs nothing itself', async () => {
  const made = await makeServerCertificate(join(temporaryFolder(), 'tls'), null, () => {});
  const [ca, server] = [certificateIn(made!.ca), certificateIn(made!.cert)];
  expect(server.verify(ca.publicKey)).toBe(true);
  expect(server.checkIssued(ca)).toBe(true);
  expect([ca.ca, server.ca]).toEqual([true, false]);
  expect([server.checkIP('127.0.0.1'), server.checkHost('localhost')]).toEqual(['127.0.0.1', 'localhost']);
  expect([server.checkIP('127.0.0.2'), server.checkHost('elsewhere.example')]).toEqual([undefined, undefined]);
  expect(readFileSync(made!.both, 'utf8')).toContain(readFileSync(made!.key, 'utf8'));
});

test('the key of the CA is gone, the key of the server is for its account alone, and nothing else stays', async () => {
  const folder = join(temporaryFolder(), 'tls');
  mkdirSync(folder);
  writeFileSync(join(folder, 'left'), 'of an earlier start');
  const made = await makeServerCertificate(folder, null, () => {});
  expect(readdirSync(folder).toSorted()).toEqual(['ca.pem', 'server-both.pem', 'server.key', 'server.pem']);
  for (const file of [made!.key, made!.both]) expect(statSync(file).mode & 0o077).toBe(0);
});

test('each start has a CA of its own', async () => {
  const folder = join(temporaryFolder(), 'tls');
  const make = async () => certificateIn((await makeServerCertificate(folder, null, () => {}))!.ca).fingerprint256;
  expect(await make()).not.toBe(await make());
});
