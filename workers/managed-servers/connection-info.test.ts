import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { testHome } from '#integration/home.fixture.ts';
import { createConnectionInfo, removePasswordFile } from './connection-info.ts';
import { placeOf } from './places.ts';
import { postgres } from './servers/postgres/postgres.ts';

const server = (password: string) => ({
  raw: { host: '127.0.0.1', port: 5_433, user: 'postgres', password, database: 'postgres' },
  port: 5_433,
  dataFolder: '/data',
});

it('says how to reach a server without its password, which only this user can read', async () => {
  await using test = testHome();
  mkdirSync(placeOf(test.home, postgres.id).folder);
  const password = `it's "$HOME" \`x\``;
  const out = createConnectionInfo(test.home, postgres, server(password));
  expect(JSON.stringify(out)).not.toContain("it's");
  expect(parse(out.yaml)).toEqual([out.target]);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what an experiment file says
  expect(out.target.password).toBe('${env:DYNO_EMBEDDED_POSTGRES_PASSWORD}');
  expect(out.client).toContain('PGPASSWORD="$DYNO_EMBEDDED_POSTGRES_PASSWORD" psql');
  const file = out.passwordFile ?? '';
  if (process.platform !== 'win32') {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const script = '. "$0"; printf %s "$DYNO_EMBEDDED_POSTGRES_PASSWORD"';
    expect(execFileSync('/bin/sh', ['-c', script, file], { encoding: 'utf8' })).toBe(password);
  }
  removePasswordFile(test.home, postgres.id);
  expect(existsSync(file)).toBe(false);
});

it('a server without a password has no file of passwords', async () => {
  await using test = testHome();
  const { passwordFile, target } = createConnectionInfo(test.home, postgres, {
    raw: { host: '127.0.0.1' },
    port: 1,
    dataFolder: '/',
  });
  expect(passwordFile).toBeNull();
  expect(target).toEqual({ name: 'managed-postgres', engine: 'postgres', host: '127.0.0.1' });
});
