import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { experimentYaml, testHome } from '#integration/home.fixture.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { type Connection, passwordVariable, type SavedConnection } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import { configureTarget } from '#orchestrator/worker/targets.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { usersConnection } from '#workspace/trust/gate.ts';
import { planContext } from '../library/plan-context.ts';
import { lastCheck, noteCheck } from './connection-checks.ts';
import { judgeConnection, judgeDraft, placeOf } from './connection-draft.ts';
import { missingPasswords, passwordsOf } from './connection-passwords.ts';
import { openConnectionStore } from './connections.ts';

const staging = {
  name: 'staging',
  engine: 'postgres',
  values: { host: 'db.example', user: 'bench' },
  passwords: { password: 'stored' },
} as const satisfies Omit<Connection, 'id'>;

const canary = 'c4nary-s3cret';

describe('connections', () => {
  it('are kept in one file that only their owner can read', async () => {
    await using test = testHome();
    const saved = openConnectionStore(test.home).save({ id: null, ...staging });
    expect(openConnectionStore(test.home).list()).toEqual({ connections: [saved], problem: null });
    expect(statSync(test.home.connections).mode & 0o777).toBe(0o600);
    expect(readdirSync(test.home.root).filter((name) => name.includes('.part'))).toEqual([]);
  });

  it('are changed, copied, deleted and brought back', async () => {
    await using test = testHome();
    const all = openConnectionStore(test.home);
    const { id } = all.save({ id: null, ...staging });
    all.save({ ...staging, id, name: 'production' });
    expect(all.get(id).name).toBe('production');
    const copies = [all.duplicate(id).name, all.duplicate(id).name];
    expect(copies).toEqual(['production copy', 'production copy 2']);
    const colours = () => new Map(all.list().connections.map(({ name, hue }) => [name, hue]));
    const before = colours();
    expect(new Set(before.values()).size).toBe(3);
    all.save({ ...staging, id, name: 'prod' });
    expect(colours().get('prod')).toBe(before.get('production'));
    all.save({ ...staging, id, name: 'production' });
    const { undo } = all.delete(id);
    expect(() => all.get(id)).toThrow(/does not exist/);
    expect(all.restore(undo)).toMatchObject({ id, name: 'production', hue: before.get('production') });
    expect(() => all.restore(undo)).toThrow(/cannot be brought back/);
  });

  it.each([
    ['', /needs a name/],
    ['sqlite', /built in/],
    ['embedded-postgres', /built in/],
    ['postgres', /built in/],
    ['Staging', /“staging” already/],
    ['sta ging ', /spaces/],
  ])('cannot be called %j', async (name, message) => {
    await using test = testHome();
    const all = openConnectionStore(test.home);
    all.save({ id: null, ...staging });
    expect(() => all.save({ ...staging, id: null, name })).toThrow(message);
  });

  it.each([
    { host: 'h', password: canary },
    { url: `postgres://u:${canary}@h/d` },
    { host: 'h', sessionSettings: { app_secret: canary } },
  ])('never hold a secret: %j', async (values) => {
    await using test = testHome();
    const all = openConnectionStore(test.home);
    expect(() => all.save({ ...staging, id: null, values: values as Connection['values'] })).toThrow(/secret/);
    // Passwords are not read from a file that somebody has written by hand either.
    const connection = { ...staging, id: 'a1', values };
    writeFileSync(test.home.connections, JSON.stringify({ version: 1, connections: [connection] }));
    expect(all.list()).toMatchObject({ connections: [], problem: expect.stringContaining('secret in plain text') });
    expect(all.list().problem).not.toContain(canary);
  });

  it('take a password by reference', async () => {
    await using test = testHome();
    const values = { host: 'h', password: `\${env:PW}` };
    openConnectionStore(test.home).save({ ...staging, id: null, values, passwords: {} });
    expect(openConnectionStore(test.home).list().connections[0]?.values).toEqual(values);
  });

  it('take a password from a command, which an experiment file cannot', async () => {
    await using test = testHome();
    const passwords = { password: { command: ['pass', 'show', 'db'] } };
    openConnectionStore(test.home).save({ ...staging, id: null, passwords });
    const { connections } = openConnectionStore(test.home).list();
    expect(connections[0]?.passwords).toEqual(passwords);
    expect(missingPasswords(connections, {}, {})).toEqual([]);
    expect(judgeConnection(connections[0]!).problems).toEqual([]);
    const nothing = { ...staging, passwords: { password: { command: [''] } } };
    expect(judgeConnection(nothing).problems).toMatchObject([{ field: 'password' }]);
    for (const key of ['passwordCommand: [pass]', 'password: { command: [pass] }']) {
      const yaml = experimentYaml({ targets: `[{ name: x, engine: postgres, ${key} }]` });
      await expect(newTrustedRun({ home: test.home, yaml }), key).rejects.toMatchObject({ data: { kind: 'badInput' } });
    }
  });

  it.each(['', '{', '[]', '{"version":2,"connections":[]}'])('survive a file with %j in it', async (content) => {
    await using test = testHome();
    writeFileSync(test.home.connections, content);
    const all = openConnectionStore(test.home);
    expect(all.list()).toMatchObject({ connections: [], problem: expect.stringContaining(test.home.connections) });
    all.save({ id: null, ...staging });
    expect(all.list()).toMatchObject({ connections: [{ name: 'staging' }], problem: null });
    const aside = readdirSync(test.home.root).filter((name) => name.startsWith('connections.json.damaged-'));
    expect(aside.map((name) => readFileSync(`${test.home.root}/${name}`, 'utf8'))).toEqual([content]);
  });

  it('of an engine that is not there are kept and told', async () => {
    await using test = testHome();
    const other = { ...staging, id: 'b2', engine: 'cobolbase', values: {}, passwords: {} };
    writeFileSync(test.home.connections, JSON.stringify({ version: 1, connections: [other] }));
    const { connections } = openConnectionStore(test.home).list();
    expect(connections).toEqual([{ ...other, hue: expect.any(Number) }]);
    const { plan, diagnostics } = planExperiment(
      parseFile(experimentYaml({ targets: '[staging]' })),
      planContext(connections),
    );
    expect(plan).toBeNull();
    expect(diagnostics[0]?.message).toContain('cobolbase');
  });
});

describe('an SSH server', () => {
  const ssh = { host: 'bastion', port: 2_222 };
  const judge = (more: Partial<Connection>) => judgeConnection({ ...staging, ...more });

  it('is kept with the connection, shown with its address, and part of where its passwords go', async () => {
    await using test = testHome();
    openConnectionStore(test.home).save({ ...staging, id: null, ssh });
    const { connections } = openConnectionStore(test.home).list();
    expect(connections[0]?.ssh).toEqual(ssh);
    expect(judge({ ssh })).toMatchObject({ problems: [], address: 'db.example:5432/bench through SSH bastion:2222' });
    expect(placeOf({ ...staging, ssh })).not.toBe(placeOf(staging));
  });

  it('is judged part by part, also where somebody has written it by hand', async () => {
    await using test = testHome();
    const byHand = { ...staging, id: 'a1', ssh: { host: '-oProxyCommand=x', port: 0 } };
    writeFileSync(test.home.connections, JSON.stringify({ version: 1, connections: [byHand] }));
    const { connections } = openConnectionStore(test.home).list();
    expect(judgeConnection(connections[0]!).problems.map(({ field }) => field)).toEqual(['ssh.host', 'ssh.port']);
    const { plan } = planExperiment(parseFile(experimentYaml({ targets: '[staging]' })), planContext(connections));
    expect(plan).toBeNull();
  });

  it.each([{ host: 'h', colour: 'red' }, { host: 7 }, { host: 'h', port: '22' }, {}, ['h'], 'h'])(
    'is not read from a file where its shape is another one: %j',
    async (given) => {
      await using test = testHome();
      writeFileSync(
        test.home.connections,
        JSON.stringify({ version: 1, connections: [{ ...staging, id: 'a1', ssh: given }] }),
      );
      const { connections, problem } = openConnectionStore(test.home).list();
      expect(connections).toEqual([]);
      expect(problem).toContain('1 of 1 connections');
    },
  );

  it.each([
    [{ values: { host: '/run/postgresql' } }, /is not reached by TCP/],
    [{ engine: 'sqlite', values: { path: '/tmp' }, passwords: {} }, /uses no network/],
    [{ engine: 'sqlserver', values: { host: 'h', instance: 'x' } }, /looks up the port/],
    [{ engine: 'mongodb', values: { host: 'a,b' } }, /addresses that the members tell it/],
  ] as const)('is refused where nothing can go through it: %j', (more, message) => {
    const { problems } = judge({ ...more, ssh } as Partial<Connection>);
    expect(problems).toMatchObject([{ field: 'ssh', message: expect.stringMatching(message) }]);
  });

  it('is nothing that an experiment file can have', async () => {
    await using test = testHome();
    const yaml = experimentYaml({ targets: '[{ name: x, engine: postgres, ssh: { host: bastion } }]' });
    await expect(newTrustedRun({ home: test.home, yaml })).rejects.toMatchObject({ data: { kind: 'badInput' } });
  });
});

describe('a SOCKS proxy', () => {
  const socks = { host: 'proxy', port: 1_081, user: 'ann' };
  const judge = (more: Partial<Connection>) => judgeConnection({ ...staging, ...more }).problems;

  it('is kept with the connection, shown with its address, and part of where its passwords go', async () => {
    await using test = testHome();
    const passwords = { ...staging.passwords, socksPassword: 'stored' } as const;
    const saved = openConnectionStore(test.home).save({ ...staging, id: null, passwords, socks });
    const { connections } = openConnectionStore(test.home).list();
    expect(connections[0]).toMatchObject({ socks, passwords });
    expect(judgeConnection(saved)).toMatchObject({
      problems: [],
      address: 'db.example:5432/bench through SOCKS ann@proxy:1081',
    });
    expect(placeOf({ ...staging, socks })).not.toBe(placeOf(staging));
    expect(missingPasswords([saved], {}, {}).find(({ field }) => field === 'socksPassword')).toMatchObject({
      label: 'SOCKS password',
      variable: 'DYNO_SOCKS_PASSWORD_STAGING',
    });
  });

  it('is one or the other: never SSH and SOCKS', async () => {
    expect(judge({ socks, ssh: { host: 'bastion' } })).toMatchObject([
      { field: 'socks', message: expect.stringContaining('not through both') },
    ]);
  });

  it('has its password in no file', async () => {
    await using test = testHome();
    const open = { ...staging, socks: { ...socks, password: 'canary' } };
    expect(() => openConnectionStore(test.home).save({ ...open, id: null })).toThrow(/plain text/);
    writeFileSync(test.home.connections, JSON.stringify({ version: 1, connections: [{ ...open, id: 'a1' }] }));
    expect(openConnectionStore(test.home).list()).toMatchObject({ connections: [], problem: expect.any(String) });
    expect(judge({ socks: { ...socks, password: `\${env:PROXY}` } })).toEqual([]);
  });

  it.each([
    [{ socks: { host: 'a b' } }, 'socks.host'],
    [{ socks: { host: 'a' }, passwords: { ...staging.passwords, socksPassword: 'ask' } }, 'socks.user'],
    [{ socks, values: { host: '/run/postgresql' } }, 'socks'],
    [{ socks, engine: 'sqlite', values: { path: '/tmp' }, passwords: {} }, 'socks'],
  ] as const)('is judged part by part, with what can go through it: %j', (more, field) => {
    expect(judge(more as Partial<Connection>)).toMatchObject([{ field }]);
  });

  it('is nothing that an experiment file can have', async () => {
    await using test = testHome();
    const yaml = experimentYaml({ targets: '[{ name: x, engine: postgres, socks: { host: proxy } }]' });
    await expect(newTrustedRun({ home: test.home, yaml })).rejects.toMatchObject({ data: { kind: 'badInput' } });
  });
});

describe('drafts', () => {
  const judge = (values: Connection['values'], name = 'mine') =>
    judgeDraft({ id: null, name, engine: 'postgres', values, passwords: {} }, []);

  it('are judged by their engine’s own parser, field by field', () => {
    const { problems, address } = judge({ port: 99_999, ssl: 'maybe', host: 'h' }, 'sqlite');
    expect(problems.map(({ field }) => field).sort()).toEqual(['name', 'port', 'ssl']);
    expect(address).toBeNull();
    expect(judge({ host: 'h', port: 6_000 })).toMatchObject({ problems: [], address: 'h:6000/postgres' });
  });

  it('have the script for their user', () => {
    expect(judge({ user: 'bench', database: 'prod' }).grants).toContain('"bench"');
  });

  it('show what comes from the environment as it is written', () => {
    expect(judge({ host: `\${env:DB_HOST}` })).toMatchObject({
      problems: [],
      address: expect.stringContaining('DB_HOST'),
    });
  });

  it('puts what is missing to its field, also where only the parser knows that it is', () => {
    const { problems } = judgeConnection({ engine: 'sqlite', values: { journalMode: 'wal' }, passwords: {} });
    expect(problems).toMatchObject([{ field: 'path' }]);
  });

  it('take passwords in fields for passwords alone', () => {
    const { problems } = judgeConnection({ engine: 'postgres', values: {}, passwords: { host: 'stored' } });
    expect(problems[0]).toMatchObject({ field: 'host' });
  });

  it('lead to the same place while hosts and ports are the same', () => {
    const place = (values: Connection['values']) => placeOf({ ...staging, values });
    expect(place({ host: 'a', user: 'x' })).toBe(place({ host: 'a', port: 5_432, user: 'y' }));
    expect(place({ host: 'a' })).not.toBe(place({ host: 'b' }));
    expect(place({ host: 'a' })).not.toBe(place({ host: 'a', port: 1 }));
    expect(place({ url: 'postgres://a/d' })).not.toBe(place({ url: 'postgres://b/d' }));
  });
});

describe('in an experiment, a connection', () => {
  const connection: SavedConnection = { id: 'a1', ...staging, hue: 4 };

  it('is named like a built-in target', () => {
    const { plan } = planExperiment(
      parseFile(experimentYaml({ targets: '[staging, noop]' })),
      planContext([connection]),
    );
    expect(plan?.targets).toEqual([
      { name: 'staging', engine: 'postgres', index: 4 },
      { name: 'noop', engine: 'noop', index: 1_001 },
    ]);
  });

  it('that is not there is a clear problem, with the nearest name', () => {
    const words = (known: readonly SavedConnection[]) => {
      const [first] = planExperiment(
        parseFile(experimentYaml({ targets: '[stagin]' })),
        planContext(known),
      ).diagnostics;
      return `${first?.message} ${first?.suggestion}`;
    };
    expect(words([])).toMatch(/no connection called `stagin` here.*Add it under Connections, or write the target out/);
    expect(words([connection])).toMatch(/Did you mean `staging`/);
  });

  it('that is wrong is told before anything runs', () => {
    const wrong = { ...connection, values: { port: 99_999 } };
    const { plan, diagnostics } = planExperiment(
      parseFile(experimentYaml({ targets: '[staging]' })),
      planContext([wrong]),
    );
    expect(plan).toBeNull();
    expect(diagnostics[0]?.message).toMatch(/`staging`.*port/);
  });

  const resolve = async (known: SavedConnection, given: string | null, variables: Record<string, string> = {}) => {
    await using test = testHome();
    return await configureTarget(
      usersConnection(known),
      test.home,
      variables,
      () => {},
      new AbortController().signal,
      given === null ? {} : { a1: { password: given } },
    );
  };

  it('gets its password from whoever starts the run, else from the environment', async () => {
    const typed = await resolve(connection, canary, { DYNO_PASSWORD_STAGING: 'other' });
    expect(typed.config).toMatchObject({ host: 'db.example', password: canary });
    expect(typed.secrets).toContain(canary);
    expect(JSON.stringify([typed.address, typed.details, typed.place])).not.toContain(canary);
    expect((await resolve(connection, null, { DYNO_PASSWORD_STAGING: canary })).config.password).toBe(canary);
  });

  it('takes a password that looks like a placeholder as it is', async () => {
    expect((await resolve(connection, `\${env:HOME}`)).config.password).toBe(`\${env:HOME}`);
  });

  it('with nothing but defaults is the server on this machine, not the built-in one', async () => {
    const local = { ...connection, values: {}, passwords: {} };
    expect((await resolve(local, null)).address).toBe('localhost:5432/postgres');
  });

  it('whose password only the window knows stops a run before it begins, naming the variable', async () => {
    await using test = testHome();
    openConnectionStore(test.home).save({ id: null, ...staging });
    const starting = newTrustedRun({ home: test.home, yaml: experimentYaml({ targets: '[staging]' }), variables: {} });
    const error = await starting.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DynoError);
    expect(error).toMatchObject({ data: { kind: 'badInput', hint: expect.stringContaining('DYNO_PASSWORD_STAGING') } });
    expect(readdirSync(test.home.runs)).toEqual([]);
  });
});

describe('passwords', () => {
  const connection: Connection = { id: 'a1', ...staging };

  it('that are missing are asked for by label and variable', () => {
    expect(missingPasswords([connection], {}, {})).toEqual([
      {
        connection: 'a1',
        name: 'staging',
        field: 'password',
        label: 'Password',
        variable: 'DYNO_PASSWORD_STAGING',
      },
    ]);
    expect(missingPasswords([connection], { a1: { password: '' } }, {})).toEqual([]);
    expect(passwordsOf(connection, {}, { DYNO_PASSWORD_STAGING: canary })).toEqual({ password: canary });
    // Files of other programs leave the password out.
    const without = { ...connection, passwords: {} };
    expect(passwordsOf(without, {}, { DYNO_PASSWORD_STAGING: canary })).toEqual({ password: canary });
    expect(passwordsOf(without, {}, {})).toEqual({});
  });

  it.each([
    ['staging', 'password', 'DYNO_PASSWORD_STAGING'],
    ['my DB-2', 'walletPassword', 'DYNO_WALLET_PASSWORD_MY_DB_2'],
    ['Größe', 'password', 'DYNO_PASSWORD_GROSSE'],
    ['生产', 'password', 'DYNO_PASSWORD_A1'],
  ])('of %s, %s come from %s', (name, field, variable) => {
    expect(passwordVariable({ id: 'a1', name }, field)).toBe(variable);
  });
});

it('the last check is remembered, a damaged note is none', async () => {
  await using test = testHome();
  const report = {
    engine: 'postgres',
    address: '',
    steps: [],
    version: null,
    emulator: null,
    notice: null,
    cautions: [],
    grants: null,
  };
  noteCheck(test.home, 'a1', { ...report, state: 'ok', product: 'PostgreSQL 18', roundTripMs: 0.1 });
  noteCheck(test.home, 'a1', { ...report, state: 'cancelled', product: null, roundTripMs: null });
  expect(lastCheck(test.home, 'a1')).toMatchObject({ state: 'ok', product: 'PostgreSQL 18' });
  writeFileSync(`${test.home.state}/connection-checks.json`, '{"a1": {"state": 7}}');
  expect(lastCheck(test.home, 'a1')).toBeNull();
});
