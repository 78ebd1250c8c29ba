import { describe, expect, it } from 'vitest';
import { readPrinted } from './printed-token.ts';

describe('what a command prints', () => {
  it.each([
    ['aws rds generate-db-auth-token', 'db.example.com:5432/?Action=connect&X-Amz-Expires=900\n'],
    ['a password that begins as JSON does', '{not json\n'],
    ['JSON without a token', '{"a":1}'],
  ])('is the password as it is: %s', (_, text) => {
    expect(readPrinted(text)).toEqual({ password: text.trimEnd(), expiresAt: null });
  });

  const at = Date.parse('2026-11-27T03:00:00Z');
  it.each([
    // az account get-access-token
    [
      `{\n "accessToken": "t",\n "expiresOn": "2026-11-27 04:00:00.000000",\n "expires_on": ${at / 1_000},\n "tokenType": "Bearer"\n}`,
    ],
    // gcloud config config-helper --format=json
    ['{"configuration": {}, "credential": {"access_token": "t", "token_expiry": "2026-11-27T03:00:00Z"}}'],
    // ExecCredential of Kubernetes, as aws eks get-token prints it
    ['{"kind":"ExecCredential","spec":{},"status":{"expirationTimestamp":"2026-11-27T03:00:00Z","token":"t"}}'],
  ])('is a token with its end in JSON: %s', (text) => {
    expect(readPrinted(text)).toEqual({ password: 't', expiresAt: at });
  });

  it('is local time where it names no zone, as az prints it', () => {
    const { expiresAt } = readPrinted('{"accessToken":"t","expiresOn":"2026-11-27 03:00:00.000000"}');
    expect(expiresAt).toBe(new Date(2026, 10, 27, 3).getTime());
  });
});
