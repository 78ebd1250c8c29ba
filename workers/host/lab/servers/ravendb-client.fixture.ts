import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { expect } from 'vitest';
import type { RunningServer } from '../server-kind.ts';
import { findOpenssl } from './ravendb.ts';
import { makeCertificate } from './ravendb-certificate.ts';

type Raw = RunningServer['raw'];

export interface Answer {
  readonly status: number;
  /** JSON where it is some; else null. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** One request to a server of the lab over a connection of its own, with the certificate in `raw` where there is one. */
export function ask(raw: Raw, method: string, path: string, body?: unknown): Promise<Answer> {
  const { url, certificate, certificatePassword, ca } = raw as Readonly<Record<string, string | undefined>>;
  const options = {
    method,
    agent: false,
    ...(ca && { ca: readFileSync(ca) }),
    ...(certificate && { pfx: readFileSync(certificate), passphrase: certificatePassword }),
  };
  const send = url?.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = send(new URL(path, url), options, async (answer) => {
      let text = '';
      for await (const chunk of answer.setEncoding('utf8')) text += chunk;
      const isJson = text.startsWith('{');
      resolve({ status: answer.statusCode ?? 0, body: isJson ? (JSON.parse(text) as Answer['body']) : null });
    });
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

export async function createDatabase(raw: Raw, name: string): Promise<void> {
  const record = { DatabaseName: name, Settings: {}, Disabled: false };
  const { status, body } = await ask(raw, 'PUT', `/admin/databases?name=${name}&replicationFactor=1`, record);
  expect(status, JSON.stringify(body)).toBe(201);
}

/** What a certificate may do: everything but the cluster's own matters, or only what it is granted, database by database. */
export interface Rights {
  readonly clearance: 'Operator' | 'ValidUser';
  /** Databases by name. ReadWrite cannot change indexes. */
  readonly databases?: Readonly<Record<string, 'ReadWrite' | 'Admin'>>;
}

/** Another certificate for a secured server, its files in `folder`. Answers a configuration that uses it; `rights` null: the server does not know it. */
export async function addUser(raw: Raw, folder: string, name: string, rights: Rights | null): Promise<Raw> {
  const certificatePassword = randomBytes(12).toString('base64url');
  const { pem, pfx } = await makeCertificate(findOpenssl() ?? 'openssl', folder, name, certificatePassword);
  if (rights) {
    const { status, body } = await ask(raw, 'PUT', '/admin/certificates', {
      Name: name,
      Certificate: readFileSync(pem, 'utf8').replace(/-----[^-]+-----|\s/g, ''),
      SecurityClearance: rights.clearance,
      Permissions: rights.databases ?? {},
    });
    expect(status, JSON.stringify(body)).toBe(201);
  }
  return { ...raw, certificate: pfx, certificatePassword };
}
