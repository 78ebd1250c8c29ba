import { chmodSync } from 'node:fs';
import { test as anyTest, expect } from 'vitest';
import { giveTo, serverAccount } from '#managed-servers/process/account.ts';
import type { RunningServer } from '#managed-servers/process/server-kind.ts';
import { startMariadb } from '#managed-servers/servers/mariadb.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import type { Options } from '#model/settings/options.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import {
  type Certificates,
  certifiedUser,
  keyPassword,
  makeCertificates,
  openssl,
} from '../shared/certificates.fixture.ts';
import { failureOf } from '../shared/failure.fixture.ts';
import { config, type MysqlConfig } from './config.ts';
import { connect, type DriverName } from './connection/connect.ts';
import { toError } from './errors.ts';
import { adminOf } from './test-server.fixture.ts';

/** A user who is let in with a certificate alone (REQUIRE X509). */
const cannot = isSkipped('mysql') || openssl === null;
const test = anyTest.skipIf(cannot);
const drivers: readonly Options[] = [{ driver: 'mysql2' }, { driver: 'mariadb' }];
const failure = failureOf({ toError });
let made: Certificates;
let server: RunningServer;

beforeTests(async (opened) => {
  made = opened.use(makeCertificates());
  chmodSync(made.server.key, 0o600);
  giveTo(serverAccount('MariaDB'), made.server.key);
  const tls = [`--ssl-ca=${made.ca}`, `--ssl-cert=${made.server.cert}`, `--ssl-key=${made.server.key}`];
  server = opened.use(await startInFolder((folder) => startMariadb(folder, () => {}, tls)));
  const admin = await adminOf({ ...server.admin });
  await admin.query(`CREATE USER ${certifiedUser}@'127.0.0.1' IDENTIFIED BY 'x' REQUIRE X509`);
  await admin.end();
});

const open = async ({ driver }: Options, more: Readonly<Record<string, unknown>>) => {
  const raw = { ...server.raw, user: certifiedUser, password: 'x', ssl: 'verify-full', ca: made.ca, ...more };
  const parsed = config.parse(raw) as MysqlConfig;
  return connect(driver as DriverName, { config: parsed, tag: 'dyno-cert', flavour: 'usual' });
};

test.each(drivers)('a certificate logs in, by its key in the clear or under a password: $driver', async (options) => {
  for (const more of [made.client, { cert: made.client.cert, key: made.lockedKey, keyPassword }]) {
    const connection = await open(options, more);
    expect((await connection.query('SELECT CURRENT_USER()')).rows?.[0]?.[0]).toBe(`${certifiedUser}@127.0.0.1`);
    await connection.end();
  }
});

test.each(drivers)('without one the login is refused: $driver', async (options) => {
  expect(await failure(open(options, {}))).toMatchObject({ kind: 'authentication' });
  expect((await failure(open(options, made.stranger)))?.kind).toMatch(/^(tls|authentication|serverGone|unreachable)$/);
});

test.each(drivers)('a wrong password of the key is named: $driver', async (options) => {
  const wrong = { cert: made.client.cert, key: made.lockedKey, keyPassword: 'c4nary-s3cret' };
  const error = await failure(open(options, wrong));
  expect(error).toMatchObject({ kind: 'tls' });
  expect(JSON.stringify(error)).not.toContain('c4nary');
});
