import { expect, test } from 'vitest';
import { readTls } from './read-tls.ts';

const sessions = (...told: readonly (string | null | undefined)[]) =>
  told.map((one) => ({ session: one === undefined ? {} : { readTls: async () => one } }));

test('reports the TLS that all sessions have, and several where they differ', async () => {
  const cipher = 'TLSv1.3 TLS_AES_256_GCM_SHA384';
  expect(await readTls(sessions(cipher, cipher), 'on')).toEqual({ TLS: cipher });
  expect(await readTls(sessions(cipher, 'TLSv1.2 X'), 'on')).toEqual({ TLS: `${cipher}; TLSv1.2 X` });
  expect(await readTls(sessions('off'), 'off')).toEqual({ TLS: 'off' });
});

test('a session that has not what its variant asks for fails the trial', async () => {
  await expect(readTls(sessions('TLSv1.3 X', 'off'), 'on')).rejects.toThrow('tls: on — a session has no TLS.');
  await expect(readTls(sessions('off', 'TLSv1.3 X'), 'off')).rejects.toThrow('tls: off — a session has TLSv1.3 X.');
});

test('a server that does not tell gives no value', async () => {
  expect(await readTls(sessions(null, 'TLSv1.3 X'), 'on')).toEqual({ TLS: null });
  expect(await readTls(sessions(undefined), 'on')).toEqual({ TLS: null });
});
