import { readFileSync, writeFileSync } from 'node:fs';
import { test as anyTest, expect } from 'vitest';
import { findMongod } from '#managed-servers/install/tools.ts';
import { giveTo, serverAccount } from '#managed-servers/process/account.ts';
import type { RunningServer } from '#managed-servers/process/server-kind.ts';
import { startMongod } from '#managed-servers/servers/mongodb.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
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
import { config, type MongoConfig } from './config.ts';
import { connect } from './connection/connect.ts';
import { engine } from './engine.ts';
import { readOptions } from './options.ts';

/** A server that speaks TLS with those alone who show a certificate, and knows a user by it (MONGODB-X509). */
const cannot = isSkipped('mongodb') || findMongod() === null || openssl === null;
const test = anyTest.skipIf(cannot);
const failure = failureOf(engine);
let made: Certificates;
let server: RunningServer;

beforeTests(async (opened) => {
  made = opened.use(makeCertificates());
  const own = made.file('server-both.pem');
  writeFileSync(own, readFileSync(made.server.cert, 'utf8') + readFileSync(made.server.key, 'utf8'), { mode: 0o600 });
  giveTo(serverAccount('MongoDB'), own);
  const tls = ['--tlsMode', 'preferTLS', '--tlsCertificateKeyFile', own, '--tlsCAFile', made.ca];
  server = opened.use(await startInFolder((folder) => startMongod(folder, () => {}, { tls })));
  const { client } = await connect(config.parse(server.admin) as MongoConfig, {
    tag: 'test-admin',
    connections: 1,
    options: readOptions({}),
  });
  const roles = [{ role: 'readWrite', db: 'dyno' }];
  await client.db('$external').command({ createUser: `CN=${certifiedUser}`, roles });
  await client.close();
});

const open = (more: Readonly<Record<string, unknown>>) => {
  const { user: _, password: __, ...raw } = server.raw;
  const parsed = config.parse({ ...raw, tls: 'verify-full', tlsCAFile: made.ca, connectTimeoutMs: 3_000, ...more });
  return engine.open(parsed, 'dyno-cert', new AbortController().signal);
};

test('a certificate is shown, and is the user, by its key in the clear or under a password', async () => {
  const locked = made.file('client-locked-both.pem');
  writeFileSync(locked, readFileSync(made.client.cert, 'utf8') + readFileSync(made.lockedKey, 'utf8'));
  for (const more of [
    { tlsCertificateKeyFile: made.both },
    { tlsCertificateKeyFile: locked, tlsCertificateKeyFilePassword: keyPassword },
  ]) {
    await using database = await open({ ...more, authMechanism: 'MONGODB-X509' });
    await database.ping();
    await using session = await database.openSession({});
    expect(session.wireBytes()?.sent).toBeGreaterThan(100);
  }
});

test('without one there is no connection', async () => {
  expect((await failure(open({})))?.kind).toMatch(/^(tls|unreachable|serverGone)$/);
});
