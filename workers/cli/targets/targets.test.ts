import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { dyno } from '#integration/cli.fixture.ts';
import { experimentYaml, type TestHome, testHome } from '#integration/home.fixture.ts';
import type { CheckReport } from '#model/connections.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });
afterEach(() => void vi.unstubAllEnvs());

const canary = 'c4nary-s3cret';

/**
 * Adds a connection to a server that is down, with a password that only the window can decrypt, and a file-based
 * connection.
 */
function withConnections(test: TestHome): void {
  const all = openConnectionStore(test.home);
  const values = { host: '127.0.0.1', port: 1, user: 'bench', database: 'prod' };
  all.save({ id: null, name: 'staging', engine: 'postgres', values, passwords: { password: 'stored' } });
  const printed = { password: { command: ['pass', 'show', 'db'] } };
  all.save({ id: null, name: 'token', engine: 'postgres', values: { host: 'db' }, passwords: printed });
  all.save({ id: null, name: 'my file', engine: 'sqlite', values: { path: test.home.embedded }, passwords: {} });
  const live = { values: { host: 'live' }, passwords: {}, group: 'Shop', production: { maxConnections: 2 } };
  all.save({ id: null, name: 'live', engine: 'postgres', ...live });
  all.save({ id: null, name: 'docs', engine: 'mongodb', ...live, production: {} });
}

describe('dyno targets', () => {
  it('lists connections with their variables, and built-in targets', async () => {
    await using test = testHome();
    withConnections(test);
    const { code, out } = await dyno(test.home, 'targets');
    expect(code).toBe(exitCodes.ok);
    expect(out).toMatch(/^staging +postgres +127\.0\.0\.1:1\/prod; password from DYNO_PASSWORD_STAGING$/m);
    expect(out).toMatch(/^my file +sqlite /m);
    expect(out).toMatch(/^token +postgres +db:5432\/postgres; password printed by pass$/m);
    expect(out).toMatch(/^sqlite +sqlite +built in/m);
    expect(out).toMatch(
      /^live +postgres +live:5432\/postgres; group Shop; production, read-only at the server, at most 2 connections and 100 statements\/s$/m,
    );
    expect(out).toMatch(/^docs +mongodb .*; production, read-only by the text of its statements, at most 4 /m);
    const json = JSON.parse((await dyno(test.home, 'targets', '--json')).out) as { connections: { name: string }[] };
    expect(json.connections.map(({ name }) => name)).toEqual(['docs', 'live', 'my file', 'staging', 'token']);
  });
});

describe('dyno connections', () => {
  it('lists the saved connections alone, and says how to save one', async () => {
    await using test = testHome();
    const none = await dyno(test.home, 'connections');
    expect(none).toMatchObject({ code: exitCodes.ok, out: expect.stringContaining('dyno connections import FILE') });
    withConnections(test);
    const { code, out } = await dyno(test.home, 'connections');
    expect(code).toBe(exitCodes.ok);
    expect(out).toMatch(/^staging +postgres +127\.0\.0\.1:1\/prod; password from DYNO_PASSWORD_STAGING$/m);
    expect(out).not.toContain('built in');
    expect((await dyno(test.home, 'connections', 'list')).out).toBe(out);
    const json = JSON.parse((await dyno(test.home, 'connections', '--json')).out) as { name: string }[];
    expect(json.map(({ name }) => name)).toEqual(['docs', 'live', 'my file', 'staging', 'token']);
    expect(await dyno(test.home, 'connections', 'export')).toMatchObject({
      code: exitCodes.usage,
      err: expect.stringContaining('is none of list, import'),
    });
    expect(await dyno(test.home, 'connections', 'import')).toMatchObject({ code: exitCodes.usage });
  });

  it('refuses the options of import without it', async () => {
    await using test = testHome();
    expect(await dyno(test.home, 'connections', '--from', 'pgservice')).toMatchObject({
      code: exitCodes.usage,
      err: expect.stringContaining('is an option of dyno connections import'),
    });
  });
});

describe('dyno connections import', () => {
  it('saves new entries of a file, without passwords, and lists the ignored parts', async () => {
    await using test = testHome();
    withConnections(test);
    const file = join(test.home.root, 'pg_service.conf');
    writeFileSync(
      file,
      `[shop]\nhost=db\nuser=app\npassword=${canary}\nkeepalives=1\n[old]\nhost=127.0.0.1\nport=1\nuser=bench\ndbname=prod\n[pair]\nhost=a,b\n`,
    );
    const listed = await dyno(test.home, 'connections', 'import', file, '--list');
    expect(listed.out).toMatch(/^shop: postgres db:5432\/app$/m);
    expect(openConnectionStore(test.home).list().connections).toHaveLength(5);
    const { code, out, err } = await dyno(test.home, 'connections', 'import', file);
    expect(code).toBe(exitCodes.ok);
    expect(out).toMatch(/^ {2}Not taken over: keepalives \(/m);
    expect(out).toMatch(/^ {2}password from DYNO_PASSWORD_SHOP$/m);
    expect(out).toMatch(/^old: already saved as “staging”$/m);
    expect(out).toMatch(/^pair: not imported: .*several hosts/m);
    expect(err).toContain('1 of 3 saved.');
    expect(out + err).not.toContain(canary);
    expect((await dyno(test.home, 'targets')).out).toMatch(/^shop +postgres +db:5432\/app/m);
    const wrong = await dyno(test.home, 'connections', 'import', '--from', 'pgservice');
    expect(wrong.err).toContain('Did you mean');
  });
});

describe('dyno connections import of a stranger’s file', () => {
  it('skips entries that use files, libraries or logins of this machine, unless the use is allowed', async () => {
    await using test = testHome();
    const file = join(test.home.root, 'stranger.env');
    writeFileSync(
      file,
      [
        'OIDC="mongodb://127.0.0.1:27999/?authMechanism=MONGODB-OIDC&authMechanismProperties=ENVIRONMENT:k8s"',
        'MSI="jdbc:sqlserver://h:1433;authentication=ActiveDirectoryManagedIdentity"',
        'THICK="oracle://u@h/s?mode=thick&libDir=/tmp/lib"',
        'ZERO="mongodb://h/?tls=true&tlsCAFile=/dev/zero"',
        'PLAIN="postgres://u@h/d"',
      ].join('\n'),
    );
    const names = () =>
      openConnectionStore(test.home)
        .list()
        .connections.map(({ name }) => name);
    const { out } = await dyno(test.home, 'connections', 'import', file);
    expect(names()).toEqual(['PLAIN']);
    expect(out).toMatch(/^OIDC: not imported, because it uses this machine: --allow identity imports it$/m);
    expect(out).toMatch(/^ {2}authMechanism MONGODB-OIDC sends the server a token/m);
    expect(out).toMatch(/^THICK: not imported.*--allow code/m);
    expect(out).toMatch(/^ZERO: not imported.*--allow file/m);
    await dyno(test.home, 'connections', 'import', file, '--allow', 'identity', '--only', 'OIDC');
    expect(names()).toEqual(['OIDC', 'PLAIN']);
    await dyno(test.home, 'connections', 'import', file, '--allow', 'file,code');
    expect(names()).toEqual(['OIDC', 'PLAIN', 'THICK', 'ZERO']);
    expect((await dyno(test.home, 'connections', 'import', file, '--allow', 'all')).err).toContain('--allow takes');
  });
});

describe('dyno test', () => {
  it('walks along the steps of a connection', async () => {
    await using test = testHome();
    withConnections(test);
    const { code, out } = await dyno(test.home, 'test', 'my file');
    expect(code).toBe(exitCodes.ok);
    expect(out).toMatch(/^ok +Rights +A table was made and dropped/m);
    expect(out).toMatch(/SQLite .* works, round trip/);
    const listed = JSON.parse((await dyno(test.home, 'targets', '--json')).out) as {
      connections: { lastCheck: { product: string } | null }[];
    };
    expect(listed.connections.find(({ lastCheck }) => lastCheck)?.lastCheck?.product).toMatch(/^SQLite/);
  });

  it('warns of a password in its arguments, and of none that is a variable', async () => {
    await using test = testHome();
    for (const command of ['test', 'grants']) {
      const plain = await dyno(test.home, command, `postgres://me:${canary}@127.0.0.1:1/db`);
      expect(plain.err, command).toMatch(/^Every user of the machine can see the password in this URL/m);
      expect(plain.err + plain.out, command).not.toContain(canary);
    }
    vi.stubEnv('SOME_PASSWORD', canary);
    const variable = await dyno(test.home, 'test', `postgres://me:\${env:SOME_PASSWORD}@127.0.0.1:1/db`);
    expect(variable.err).not.toContain('The password in this URL');
  });

  it('uses the SSH server of a connection, whose failure is a separate step', async () => {
    await using test = testHome();
    const values = { host: 'db.internal', user: 'bench' };
    const ssh = { host: '127.0.0.1', port: 1 };
    openConnectionStore(test.home).save({ id: null, name: 'far', engine: 'postgres', values, passwords: {}, ssh });
    expect((await dyno(test.home, 'targets')).out).toContain('db.internal:5432/bench through SSH 127.0.0.1:1');
    const { code, out } = await dyno(test.home, 'test', 'far');
    expect(code).toBe(exitCodes.targetUnreachable);
    expect(out).toMatch(/^FAILED +SSH tunnel +(The SSH tunnel through 127\.0\.0\.1:1|SSH needs the program ssh)/m);
    expect(out).toMatch(/^not tried +Login/m);
  });

  it('uses the SOCKS proxy of a connection, whose failure is a separate step', async () => {
    await using test = testHome();
    const values = { host: 'db.internal', user: 'bench' };
    const socks = { host: '127.0.0.1', port: 1, user: 'ann' };
    const passwords = { socksPassword: 'ask' } as const;
    openConnectionStore(test.home).save({ id: null, name: 'far', engine: 'postgres', values, passwords, socks });
    expect((await dyno(test.home, 'targets')).out).toContain('db.internal:5432/bench through SOCKS ann@127.0.0.1:1');
    expect((await dyno(test.home, 'test', 'far')).err).toContain('Set DYNO_SOCKS_PASSWORD_FAR in the environment');
    vi.stubEnv('DYNO_SOCKS_PASSWORD_FAR', canary);
    const { code, out, err } = await dyno(test.home, 'test', 'far');
    expect(code).toBe(exitCodes.targetUnreachable);
    expect(out).toMatch(/^FAILED +SOCKS proxy +The SOCKS proxy ann@127\.0\.0\.1:1 does not answer: ECONNREFUSED/m);
    expect(out).toMatch(/^not tried +Login/m);
    expect(out + err).not.toContain(canary);
  });

  it('names the failed step, and a remedy', async () => {
    await using test = testHome();
    withConnections(test);
    vi.stubEnv('DYNO_PASSWORD_STAGING', canary);
    const { code, out, err } = await dyno(test.home, 'test', 'staging');
    expect(code).toBe(exitCodes.targetUnreachable);
    expect(out).toMatch(/^FAILED +Port .*ECONNREFUSED.*\n +try: .*listens on this port/m);
    const json = await dyno(test.home, 'test', 'staging', '--json');
    const { steps } = JSON.parse(json.out) as CheckReport;
    expect(steps.find(({ state }) => state === 'failed')?.step).toBe('port');
    expect([out, err, json.out, json.err].join()).not.toContain(canary);
  });

  it('names the variable for a password that it cannot read', async () => {
    await using test = testHome();
    withConnections(test);
    const file = join(test.home.root, 'x.dyno.yaml');
    writeFileSync(file, experimentYaml({ targets: '[staging]' }));
    for (const args of [
      ['test', 'staging'],
      ['run', file],
    ]) {
      const { code, err } = await dyno(test.home, ...args);
      expect(code).toBe(exitCodes.badExperiment);
      expect(err).toContain('DYNO_PASSWORD_STAGING');
    }
  });

  it('takes a URL, and does not repeat it', async () => {
    await using test = testHome();
    const { code, out, err } = await dyno(test.home, 'test', `postgres://u:${canary}@127.0.0.1:1/d`);
    expect(code).toBe(exitCodes.targetUnreachable);
    expect(out).toMatch(/^FAILED +Port/m);
    expect(out + err).not.toContain(canary);
  });
});

describe('dyno grants', () => {
  it('prints the script of a connection, an engine, a URL, and a target of an experiment', async () => {
    await using test = testHome();
    withConnections(test);
    const file = join(test.home.root, 'x.dyno.yaml');
    writeFileSync(file, experimentYaml({ targets: '[{ name: theirs, engine: postgres, host: h, user: fourth }]' }));
    const grants = async (...args: string[]) => (await dyno(test.home, 'grants', ...args)).out;
    expect(await grants('staging')).toContain('TO "bench"');
    // An engine's default user is mostly a superuser.
    for (const word of ['postgres', 'embedded-postgres']) expect(await grants(word)).toContain('TO "dyno"');
    const ofUrl = await grants(`postgres://third:${canary}@h/d`);
    expect(ofUrl).toContain('TO "third"');
    expect(ofUrl).not.toContain(canary);
    expect(await grants('theirs', '--in', file)).toContain('TO "fourth"');
  });

  it('reports that an engine has no privileges, and lists the known names for an unknown one', async () => {
    await using test = testHome();
    withConnections(test);
    expect((await dyno(test.home, 'grants', 'sqlite')).err).toMatch(/no rights to grant/);
    const { code, err } = await dyno(test.home, 'grants', 'stagin');
    expect(code).toBe(exitCodes.badExperiment);
    expect(err).toContain('staging');
  });
});

describe('facts about an engine', () => {
  const known = catalog.flatMap(({ descriptor: { label, notice } }) => (notice ? [{ label, notice }] : []));
  const { notice } = catalog.find(({ descriptor }) => descriptor.id === 'drda')!.descriptor;
  if (!notice) throw new Error('No engine has anything to know.');

  it('is said in the list of targets, and beside a script of rights', async () => {
    await using test = testHome();
    const targets = await dyno(test.home, 'targets');
    for (const { label, notice: said } of known) expect(targets.out).toContain(`  ${label}: ${said}`);
    const listed = JSON.parse((await dyno(test.home, 'targets', '--json')).out) as {
      builtIn: { engine: string; notice: string | null }[];
    };
    expect(listed.builtIn.find(({ engine }) => engine === 'drda')?.notice).toBe(notice);
    expect(listed.builtIn.find(({ engine }) => engine === 'sqlite')?.notice).toBeNull();

    const grants = await dyno(test.home, 'grants', 'drda');
    expect(grants.err).toContain(notice);
    // The output is the script alone, because the user pipes it into a file or a client.
    expect(grants.out).not.toContain(notice);
    expect((await dyno(test.home, 'grants', 'postgres')).err).toBe('');
  });

  it('is said by a test, whether that works or not', async () => {
    await using test = testHome();
    const url = 'drda://bench@127.0.0.1:1/d';
    expect((await dyno(test.home, 'test', url)).out).toContain(`Note: ${notice}`);
    const report = JSON.parse((await dyno(test.home, 'test', url, '--json')).out) as CheckReport;
    expect(report).toMatchObject({ state: 'failed', notice });
    withConnections(test);
    expect((await dyno(test.home, 'test', 'my file')).out).not.toContain('Note: ');
  });
});

describe('dyno run', () => {
  it('runs on a connection by its name, and keeps its password out of the run', async () => {
    await using test = testHome();
    withConnections(test);
    const file = join(test.home.root, 'x.dyno.yaml');
    writeFileSync(file, experimentYaml({ targets: '[my file]', measure: '{ repeats: 1 }' }));
    const { code, out, err } = await dyno(test.home, 'run', file);
    expect(err).toContain('[1/1]');
    expect(code).toBe(exitCodes.ok);
    expect(out).toContain('my file');
  });
});
