import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { testHome } from '#integration/home.fixture.ts';
import { trustedTarget } from '#integration/trusted.fixture.ts';
import { findPostgresWith, findProgram } from '#managed-servers/install/tools.ts';
import { giveTo, serverAccount, serverFolder } from '#managed-servers/process/account.ts';
import { onFreePort } from '#managed-servers/process/free-port.ts';
import { ensureCluster, setPasswords, startCluster } from '#managed-servers/servers/postgres/postgres-cluster.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import { checkTarget } from '#orchestrator/check/check-connection.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { listening } from '#platform/listening.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { noParameters } from '../conformance/rows.ts';
import { makeCertificates, openssl } from '../shared/certificates.fixture.ts';
import { failureOf } from '../shared/failure.fixture.ts';
import { prepareOwn } from '../shared/test-table.fixture.ts';
import { config } from './config.ts';
import { engine } from './engine.ts';

vi.setConfig({ testTimeout: 60_000 });

const failure = failureOf(engine);
const open = (raw: Readonly<Record<string, unknown>>) =>
  engine.open(config.parse(raw), 'dyno-kerberos', new AbortController().signal);

test('a server that asks for Kerberos is told from others, with what to install', async () => {
  vi.stubEnv('DYNO_KERBEROS', '/nowhere/kerberos');
  await using server = await listening((socket) =>
    // AuthenticationGSS, in two parts.
    socket.once('data', () => {
      socket.write(Buffer.from([0x52, 0, 0, 0]));
      setTimeout(() => socket.write(Buffer.from([8, 0, 0, 0, 7])), 20);
    }),
  );
  const error = await failure(open({ host: '127.0.0.1', port: server.port, user: 'x', kerberos: true }));
  vi.unstubAllEnvs();
  expect(error).toMatchObject({
    kind: 'unsupported',
    message: expect.stringContaining('asks for Kerberos, which needs npm’s package kerberos'),
    hint: expect.stringMatching(/npm install kerberos.*DYNO_KERBEROS/),
  });
});

test('a server cannot have the ticket of this account where the target does not allow it', async () => {
  const folder = temporaryFolder();
  const used = join(folder, 'used');
  const stub = join(folder, 'kerberos.cjs');
  writeFileSync(
    stub,
    `exports.initializeClient = async () => {
       require('node:fs').writeFileSync(${JSON.stringify(used)}, '');
       return { step: async () => 'dGlja2V0' };
     };`,
  );
  vi.stubEnv('DYNO_KERBEROS', stub);
  const tickets: Buffer[] = [];
  await using server = await listening((socket) =>
    socket.once('data', () => {
      socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 7]));
      socket.once('data', (answer) => {
        tickets.push(answer);
        socket.destroy();
      });
    }),
  );
  const target = { host: '127.0.0.1', port: server.port, user: 'x' };
  expect(await failure(open(target))).toMatchObject({
    kind: 'authentication',
    message: expect.stringContaining('does not allow'),
  });
  expect(existsSync(used)).toBe(false);
  expect(tickets).toEqual([]);
  await failure(open({ ...target, kerberos: true }));
  vi.unstubAllEnvs();
  expect(existsSync(used)).toBe(true);
  expect(tickets.map((ticket) => ticket.toString())).toEqual([expect.stringContaining('ticket')]);
});

test('no password of the account’s own file goes to a server', async () => {
  const passwords = join(temporaryFolder(), '.pgpass');
  writeFileSync(passwords, '*:*:*:*:c4nary\n', { mode: 0o600 });
  vi.stubEnv('PGPASSFILE', passwords);
  const sent: Buffer[] = [];
  await using server = await listening((socket) =>
    socket.once('data', () => {
      socket.on('data', (bytes) => {
        sent.push(bytes);
        socket.destroy();
      });
      socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])); // AuthenticationCleartextPassword
    }),
  );
  const target = { host: '127.0.0.1', port: server.port, user: 'x' };
  await failure(open(target));
  expect(Buffer.concat(sent).toString()).not.toContain('c4nary');
  await failure(open({ ...target, password: 'of the target' }));
  vi.unstubAllEnvs();
  expect(Buffer.concat(sent).toString()).toContain('of the target');
});

const debian = findPostgresWith('plpgsql');
const [kdc, kdbUtil, kadmin, kinitProgram] = ['krb5kdc', 'kdb5_util', 'kadmin.local', 'kinit'].map((name) =>
  findProgram([name]),
);

/** The reason why no realm can be made here; null if one can. */
function noRealm(): string | null {
  if (!debian || !kdc || !kdbUtil || !kadmin || !kinitProgram || openssl === null)
    return 'postgresql, krb5-kdc, krb5-admin-server, krb5-user and openssl (names of Debian) are not all there';
  try {
    createRequire(import.meta.url)(process.env.DYNO_KERBEROS ?? 'kerberos');
    return null;
  } catch {
    return 'npm’s kerberos is not there: DYNO_KERBEROS';
  }
}

const why = noRealm();
describe.skipIf(why !== null)(`a login with Kerberos${why === null ? '' : ` (${why})`}`, () => {
  const realm = 'DYNO.TEST';
  let raw: Readonly<Record<string, unknown>>;
  let folder: string;
  const kinit = () =>
    execFileSync(kinitProgram!, [`bench@${realm}`], { input: 'secret\n', stdio: ['pipe', 'ignore', 'pipe'] });

  beforeTests(async (opened) => {
    folder = temporaryFolder(opened);
    const file = (name: string) => join(folder, name);
    opened.defer(() => void vi.unstubAllEnvs());
    await onFreePort(async (port) => {
      writeFileSync(
        file('krb5.conf'),
        `[libdefaults]
default_realm = ${realm}
dns_canonicalize_hostname = false
rdns = false
dns_lookup_kdc = false
[realms]
${realm} = {
  kdc = 127.0.0.1:${port}
}
[domain_realm]
localhost = ${realm}
`,
      );
      writeFileSync(
        file('kdc.conf'),
        `[realms]
${realm} = {
  database_name = ${file('principal')}
  key_stash_file = ${file('stash')}
  kdc_listen = 127.0.0.1:${port}
  kdc_tcp_listen = 127.0.0.1:${port}
}
`,
      );
      vi.stubEnv('KRB5_CONFIG', file('krb5.conf'));
      vi.stubEnv('KRB5_KDC_PROFILE', file('kdc.conf'));
      vi.stubEnv('KRB5CCNAME', `FILE:${file('tickets')}`);
      execFileSync(kdbUtil!, ['create', '-s', '-r', realm, '-P', 'master'], { stdio: 'pipe' });
      const admin = (query: string) => execFileSync(kadmin!, ['-r', realm, '-q', query], { stdio: 'pipe' });
      admin('addprinc -pw secret bench');
      admin('addprinc -randkey postgres/localhost');
      admin(`ktadd -k ${file('keytab')} postgres/localhost`);
      const center = spawn(kdc!, ['-n', '-r', realm], { stdio: 'ignore' });
      opened.defer(() => void center.kill('SIGKILL'));
      await vi.waitFor(kinit, { timeout: 10_000, interval: 100 });
    });
    const account = serverAccount('PostgreSQL');
    const rules = file('pg_hba.conf');
    writeFileSync(rules, 'host all bench 127.0.0.1/32 gss include_realm=0\nhost all all 127.0.0.1/32 scram-sha-256\n');
    const { cert, key } = opened.use(makeCertificates()).server;
    chmodSync(key, 0o600);
    giveTo(account, rules, key, file('keytab'), folder);
    const { bin, major } = debian!;
    const programs = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), version: String(major) };
    const cluster = { label: 'Debian’s PostgreSQL', programs, locale: ['--locale=C'], account };
    const settings = {
      hba_file: rules,
      krb_server_keyfile: file('keytab'),
      ssl: 'on',
      ssl_cert_file: cert,
      ssl_key_file: key,
    };
    const more = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = opened.use(
      await startInFolder(async (wished) => {
        const own = serverFolder(wished, account);
        const data = await ensureCluster(own, cluster, () => {});
        const grants = 'CREATE ROLE bench LOGIN;';
        await setPasswords(data, cluster, { user: 'bench', database: 'postgres', grants });
        return onFreePort(async (port) => {
          const started = await startCluster(data, cluster, port, { name: 'kerberos', log: join(own, 'log'), more });
          return { ...started, port, dataFolder: data, raw: {}, admin: {} };
        });
      }),
    );
    raw = { host: 'localhost', port: server.port, user: 'bench', database: 'postgres', kerberos: true };
  });

  test('needs no password, on every connection, and none without a ticket', async () => {
    for (const ssl of ['disable', 'require']) {
      await using database = await open({ ...raw, ssl });
      await using session = await database.openSession({ path: 'lean' });
      const own = await prepareOwn(
        session,
        'SELECT 1 FROM pg_stat_gssapi WHERE pid = pg_backend_pid() AND gss_authenticated',
        'bind',
      );
      expect(await own.run(own.encode(noParameters))).toBe(1);
    }
    // The login also works in a worker, whose environment is an allow-list.
    await using home = testHome();
    const target = trustedTarget(home.home, { name: 'kerberos', engine: 'postgres', ...raw });
    const signal = new AbortController().signal;
    const { steps } = await checkTarget({ home: home.home, target, signal, onChange: () => {} });
    expect(steps.find(({ step }) => step === 'login')).toMatchObject({ state: 'ok', error: null });

    execFileSync('kdestroy');
    expect(await failure(open(raw))).toMatchObject({
      kind: 'authentication',
      message: expect.stringContaining('Kerberos: '),
      hint: expect.stringContaining('postgres/localhost'),
    });
    kinit();
    // The realm knows no service of that name.
    expect(await failure(open({ ...raw, host: '127.0.0.1' }))).toMatchObject({ kind: 'authentication' });
  });
});
