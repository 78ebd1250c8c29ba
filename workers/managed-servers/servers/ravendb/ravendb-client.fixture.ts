import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { RunningServer } from '../../process/server-kind.ts';
import { findOpenssl } from '../server-certificate.ts';
import { makeCertificate } from './ravendb-certificate.ts';
import { ask, withoutArmour } from './ravendb-request.ts';

type Raw = RunningServer['raw'];

export async function createDatabase(raw: Raw, name: string): Promise<void> {
  const record = { DatabaseName: name, Settings: {}, Disabled: false };
  const { status, body } = await ask(raw, 'PUT', `/admin/databases?name=${name}&replicationFactor=1`, record);
  expect(status, JSON.stringify(body)).toBe(201);
}

/** The rights of a certificate: everything but the cluster's own matters, or only what it is granted. */
interface Rights {
  readonly clearance: 'Operator' | 'ValidUser';
  /** Databases by name. ReadWrite cannot change indexes. */
  readonly databases?: Readonly<Record<string, 'ReadWrite' | 'Admin'>>;
}

/**
 * Another certificate for a secured server, its files in `folder`. Answers a configuration that uses it; `rights` null:
 * the server does not know it.
 */
export async function addUser(raw: Raw, folder: string, name: string, rights: Rights | null): Promise<Raw> {
  const certificatePassword = randomBytes(12).toString('base64url');
  const { pem, pfx } = await makeCertificate(findOpenssl() ?? 'openssl', folder, name, certificatePassword);
  if (rights) {
    const { status, body } = await ask(raw, 'PUT', '/admin/certificates', {
      Name: name,
      Certificate: withoutArmour(pem),
      SecurityClearance: rights.clearance,
      Permissions: rights.databases ?? {},
    });
    expect(status, JSON.stringify(body)).toBe(201);
  }
  return { ...raw, certificate: pfx, certificatePassword };
}
