import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as anyTest, expect } from 'vitest';
import { findProgram } from '#managed-servers/install/tools.ts';
import type { RunningServer } from '#managed-servers/process/server-kind.ts';
import { startMariadb } from '#managed-servers/servers/mariadb.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import type { Options } from '#model/settings/options.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { isSkipped } from '../../conformance/skipped.ts';
import { failureOf } from '../../shared/failure.fixture.ts';
import { config, type MysqlConfig } from '../config.ts';
import { engine } from '../engine.ts';
import { toError } from '../errors.ts';
import { connect, type DriverName } from './connect.ts';

/** A server with a certificate for localhost and 127.0.0.1; without OpenSSL's program there is none to be had. */
const openssl = findProgram(['openssl']);
const test = anyTest.skipIf(isSkipped('mysql') || openssl === null);
const drivers: readonly Options[] = [{ driver: 'mysql2' }, { driver: 'mariadb' }];
let folder: string;
let server: RunningServer;

const file = (name: string) => join(folder, name);
const run = (...args: string[]) => execFileSync(openssl ?? '', args, { stdio: 'ignore', cwd: folder });
function certify(names: string): void {
  writeFileSync(file('names'), `subjectAltName=${names}\n`);
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca-key.pem', '-CAcreateserial', '-days', '10', '-extfile', 'names'];
  run('x509', '-req', '-in', 'request.pem', '-out', 'cert.pem', ...signed);
}

beforeTests(async (opened) => {
  folder = temporaryFolder(opened);
  chmodSync(folder, 0o755); // the server may run as nobody
  const key = ['-nodes', '-newkey', 'rsa:2048'];
  run('req', '-x509', '-days', '10', ...key, '-keyout', 'ca-key.pem', '-out', 'ca.pem', '-subj', '/CN=Dyno test CA');
  run('req', ...key, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', '/CN=dyno');
  chmodSync(file('key.pem'), 0o644);
  certify('DNS:localhost,IP:127.0.0.1');
  const tls = [`--ssl-cert=${file('cert.pem')}`, `--ssl-key=${file('key.pem')}`];
  server = opened.use(await startInFolder((inside) => startMariadb(inside, () => {}, tls)));
});

const open = async ({ driver }: Options, more: Record<string, unknown>) => {
  const parsed = config.parse({ ...server.raw, ...more }) as MysqlConfig;
  return connect(driver as DriverName, { config: parsed, tag: 'dyno-tls', flavour: 'usual' });
};
const cipher = async (options: Options, more: Record<string, unknown>) => {
  const connection = await open(options, more);
  const { rows } = await connection.query("SHOW SESSION STATUS LIKE 'Ssl_cipher'");
  await connection.end();
  return rows?.[0]?.[1];
};
const failure = failureOf({ toError });

test.each(drivers)(
  'disable is plain; require and verify-full encrypt, by name and by address: $driver',
  async (options) => {
    const ca = file('ca.pem');
    expect(await cipher(options, {})).toBe('');
    expect(await cipher(options, { ssl: 'require' })).toMatch(/^TLS_/);
    expect(await cipher(options, { ssl: 'verify-full', ca })).toMatch(/^TLS_/);
    expect(await cipher(options, { ssl: 'verify-full', ca: readFileSync(ca, 'utf8'), host: 'localhost' })).toMatch(
      /^TLS_/,
    );
  },
);

test.each(drivers)('a certificate of nobody we know is refused: $driver', async (options) => {
  expect(await failure(open(options, { ssl: 'verify-full' }))).toMatchObject({ kind: 'tls' });
  expect(await failure(open(options, { ssl: 'verify-full', ca: '/none.pem' }))).toMatchObject({ kind: 'badInput' });
});

test('the fingerprint names the cipher', async () => {
  const parsed = config.parse({ ...server.raw, ssl: 'require' });
  await using database = await engine.open(parsed, 'dyno-tls', new AbortController().signal);
  expect((await database.fingerprint()).other.tls).toMatch(/^TLSv1\.\d TLS_/);
});

test('a certificate of another host is refused, by name and by address', async () => {
  certify('DNS:db.example,IP:10.0.0.7');
  const admin = await open({ driver: 'mysql2' }, {});
  await admin.query(admin.mariadb === null ? 'ALTER INSTANCE RELOAD TLS' : 'FLUSH SSL');
  await admin.end();
  for (const options of drivers)
    for (const host of ['localhost', '127.0.0.1']) {
      const more = { ssl: 'verify-full', ca: file('ca.pem'), host };
      expect(await failure(open(options, more)), `${options.driver} ${host}`).toMatchObject({ kind: 'tls' });
      expect(await cipher(options, { ...more, ssl: 'require' })).toMatch(/^TLS_/);
    }
});

test.each(drivers)(
  'through a network emulator it is the server’s own name that counts: $driver',
  async ({ driver }) => {
    const { host, port } = config.parse(server.raw) as MysqlConfig;
    const reach = async (name: string) => {
      const parsed = config.parse({ ...server.raw, ssl: 'verify-full', ca: file('ca.pem'), host: name }) as MysqlConfig;
      const request = { config: { ...parsed, via: { host, port } }, tag: 'dyno-tls', flavour: 'usual' } as const;
      await (await connect(driver as DriverName, request)).end();
    };
    // The test above shows that the certificate is theirs, and nobody else's.
    await reach('db.example');
    await reach('10.0.0.7');
    expect(await failure(reach('other.example'))).toMatchObject({ kind: 'tls' });
  },
);
