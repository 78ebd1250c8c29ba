import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '#engine-api/database.ts';
import type { Caller, OperationPlan } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import { startTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { failureOf } from '../shared/failure.fixture.ts';
import { ids, idTable, openWithTable, prepareOwn } from '../shared/test-table.fixture.ts';
import { connectedClient } from './client.fixture.ts';
import { config } from './config.ts';
import { engine } from './engine.ts';
import { describeWithPgbouncer, type PoolMode, startPgbouncer, type TestPooler } from './pgbouncer.fixture.ts';

vi.setConfig({ testTimeout: 60_000 });
const failure = failureOf(engine);

const open = (raw: Readonly<Record<string, unknown>>, readOnly = false): Promise<Database> => {
  const parsed = config.parse(raw);
  return engine.open(readOnly ? config.readOnly!(parsed) : parsed, 'dyno-pooler', new AbortController().signal);
};

describeWithPgbouncer('behind PgBouncer', () => {
  let server: TestServer;
  let direct: Readonly<Record<string, unknown>>;
  const poolers = new Map<PoolMode, TestPooler>();
  beforeTests(async (opened) => {
    server = opened.use(await startTestServer());
    direct = server.raw;
    for (const mode of ['transaction', 'session'] as const)
      poolers.set(mode, opened.use(await startPgbouncer(server.raw, mode)));
  });

  it('the pooler is recognised, and a server without one is not', async () => {
    await using alone = await open(direct);
    expect((await alone.fingerprint()).pooler).toBeUndefined();
    await using transactions = await open(poolers.get('transaction')!.raw);
    expect((await transactions.fingerprint()).pooler).toEqual({ shares: 'transactions', keepsStatements: false });
    await using sessions = await open(poolers.get('session')!.raw);
    expect((await sessions.fingerprint()).pooler).toEqual({ shares: 'sessions', keepsStatements: true });
    expect(await transactions.sessionsOf!('dyno-', 'everybody')).toBeNull();
  });

  it.each([
    ['one connection', 1, ''],
    ['connections in turn', 6, 'server_round_robin = 1'],
    ['startup parameters that it drops', 3, 'ignore_startup_parameters = options,extra_float_digits'],
  ])('a pool of transactions is recognised with %s', async (_, poolSize, more) => {
    await using pooler = await startPgbouncer(direct, 'transaction', { poolSize, more });
    await pooler.look();
    await using database = await open(pooler.raw);
    expect((await database.fingerprint()).pooler).toMatchObject({ shares: 'transactions' });
  });

  it('a pool of statements is refused with the reason', async () => {
    await using pooler = await startPgbouncer(direct, 'statement');
    expect(await failure(open(pooler.raw))).toMatchObject({
      kind: 'unsupported',
      message: expect.stringContaining('by statement'),
      hint: expect.stringContaining('pool_mode'),
    });
  });

  const settings = { statement_timeout: '4321ms', work_mem: '7MB', 'dyno.own': "it's", lock_timeout: '9s' };
  const paths = ['lean', 'driver'] as const;
  const show = async (session: Session, name: string, method: MethodName = 'bind') => {
    const statement = await prepareOwn(session, `SELECT current_setting('${name}')`, method);
    return (await statement.show(statement.encode({ rows: 1, columns: [] }), 1)).rows[0]?.[0];
  };
  const firstOf = async (session: Session, text: string, method: MethodName, isRead = true) => {
    const statement = await prepareOwn(session, text, method, { isRead });
    return (await statement.answer(statement.encode({ rows: 1, columns: [] }), 1)).read().rows[0]?.[0];
  };

  describe.each(['transaction', 'session'] as const)('in a pool of %ss', (mode) => {
    const pooler = () => poolers.get(mode)!;
    let before: Awaited<ReturnType<TestPooler['look']>>;
    beforeEach(async () => {
      before = await pooler().look();
    });
    /** The next users of the pool find everything as it was, on the connections that Dyno has had, too. */
    afterEach(async () => {
      const after = await pooler().look();
      expect([...after.keys()].some((pid) => before.has(pid))).toBe(true);
      for (const [pid, found] of after) expect(found).toEqual(before.get(pid) ?? [...before.values()][0]);
    });

    it.each(paths)('settings of a trial hold in its session, are reported, and stay with nobody (%s)', async (path) => {
      await using database = await open({ ...pooler().raw, sessionSettings: { work_mem: '7MB' } });
      await using session = await database.openSession({ path }, 'default', { work_mem: '9MB', jit: 'off' });
      expect(await session.readSettings!(['work_mem', 'jit'])).toEqual({ work_mem: '9MB', jit: 'off' });
      expect(await show(session, 'work_mem')).toBe('9MB');
      await using other = await database.openSession({ path });
      expect(await other.readSettings!(['work_mem'])).toEqual({ work_mem: '7MB' });
    });

    it.each(paths)('settings hold in every call, and nowhere else (%s)', async (path) => {
      await using database = await open({ ...pooler().raw, sessionSettings: settings });
      await using session = await database.openSession({ path }, 'serializable');
      const expected = {
        ...{ statement_timeout: '4321ms', work_mem: '7MB', 'dyno.own': "it's", lock_timeout: '9s' },
        transaction_isolation: 'serializable',
      };
      for (const method of ['literal', 'bind'] as const)
        for (const [name, value] of Object.entries(expected)) {
          expect(await show(session, name, method), name).toBe(value);
          expect(await firstOf(session, `SELECT current_setting('${name}')`, method), name).toBe(value);
        }
      await session.begin();
      for (const [name, value] of Object.entries(expected)) expect(await show(session, name)).toBe(value);
      await session.commit();
      // A failed call leaves no transaction behind, and the calls after it have their settings.
      const broken = await prepareOwn(session, 'SELECT 1/0', 'bind');
      const run = () => failure(Promise.resolve(promised(broken, broken.encode({ rows: 1, columns: [] }))));
      for (let i = 0; i < 3; i++) expect(await run()).toMatchObject({ code: '22012' });
      expect(await show(session, 'work_mem')).toBe('7MB');
      await session.begin();
      expect(await run()).toMatchObject({ code: '22012' });
      await session.rollback();
      expect(await firstOf(session, "SELECT current_setting('work_mem')", 'bind')).toBe('7MB');
    });

    it.each(paths)('the statement time-out ends a call (%s)', async (path) => {
      await using database = await open({ ...pooler().raw, sessionSettings: { statement_timeout: '50ms' } });
      await using session = await database.openSession({ path });
      for (const method of ['literal', 'bind'] as const)
        expect(await failure(firstOf(session, 'SELECT pg_sleep(20)', method))).toMatchObject({
          kind: 'statementTimeout',
        });
    });

    it.each(paths)('a call in flight can be cancelled (%s)', async (path) => {
      await using database = await open({ ...pooler().raw, sessionSettings: settings });
      await using session = await database.openSession({ path });
      const call = failure(firstOf(session, 'SELECT pg_sleep(4)', 'bind'));
      await vi.waitFor(async () => {
        await using alone = await connectedClient(server.admin);
        const { rows } = await alone.query(
          "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'",
        );
        expect(rows).toHaveLength(1);
      });
      await session.cancel();
      expect(await call).toMatchObject({ kind: 'cancelled' });
      expect(await show(session, 'lock_timeout')).toBe('9s');
    });

    it.each(paths)('a read-only connection refuses every write, and answers reads (%s)', async (path) => {
      await using all = await openWithTable(open(pooler().raw));
      await all.load(idTable, [ids(0, 100)], () => {}, new AbortController().signal);
      await using database = await open(pooler().raw, true);
      await using session = await database.openSession({ path });
      const names = mode === 'session' ? (['prepared'] as const) : [];
      for (const method of ['literal', 'bind', ...names] as const) {
        // The server judges what a text does, whatever is said of it.
        const text = 'DELETE FROM dyno.dyno_server_test RETURNING id';
        expect(await failure(firstOf(session, text, method)), method).toMatchObject({ code: '25006' });
        await session.begin();
        expect(await failure(firstOf(session, text, method)), method).toMatchObject({ code: '25006' });
        await session.rollback();
        expect(await firstOf(session, 'SELECT count(*) FROM dyno.dyno_server_test', method)).toBe('100');
      }
      for (const method of ['literal', 'bind', 'bulk'] as const) {
        const insert = await session.prepare({ ...plan, method });
        const wanted = { code: '25006' };
        expect(await failure(promised(insert, insert.encode(ids(500, 1)))), method).toMatchObject(wanted);
      }
      expect(await failure(database.drop(idTable))).toMatchObject({ code: '25006' });
    });

    it.each(paths)('rows are written, read in portals, sorted and copied (%s)', async (path) => {
      await using database = await openWithTable(open({ ...pooler().raw, sessionSettings: settings }));
      await database.load(idTable, [ids(0, 100)], () => {}, new AbortController().signal);
      await database.settle(idTable);
      await using session = await database.openSession({ path }, 'repeatableRead');
      let from = 100;
      for (const method of ['literal', 'bind', 'bulk', 'literal'] as const) {
        const insert = await session.prepare({ ...plan, method });
        expect(await promised(insert, insert.encode(ids(from++, 1))), method).toBe(1);
        await session.begin();
        expect(await promised(insert, insert.encode(ids(from++, 1))), method).toBe(1);
        await session.rollback();
      }
      for (const [method, more] of [
        ['literal', {}],
        ['bind', { fetchSize: 7 }],
        ['bulk', {}],
      ] as const) {
        const scan = await session.prepare({
          ...{ ...plan, operation: 'scan', method },
          settings: { ...defaultSettings, ...more, sortMemoryKb: 3_000 },
        });
        expect(await promised(scan, scan.encode({ rows: 1, columns: [] })), method).toBe(104);
        expect(await show(session, 'work_mem')).toBe('3000kB');
      }
      const range = await session.prepare({
        ...{ ...plan, operation: 'readRange', method: 'bind' },
        settings: { ...defaultSettings, rangeRows: 20, fetchSize: 6 },
      });
      expect(await promised(range, range.encode(ids(3, 1)))).toBe(20);
      expect(await range.queryPlan!(ids(3, 1))).toMatchObject({ executed: true });
      expect((await database.checksum(idTable))?.rows).toBe(104);
      await database.probe();
      await database.probe();
    });

    it.each(paths)('what fails at the commit is a failed call (%s)', async (path) => {
      await using alone = await connectedClient(server.admin);
      await alone.query(
        `DROP TABLE IF EXISTS public.pairs; CREATE TABLE public.pairs (id int UNIQUE DEFERRABLE INITIALLY DEFERRED);
         INSERT INTO public.pairs VALUES (1); GRANT ALL ON public.pairs TO public`,
      );
      await using database = await open({ ...pooler().raw, sessionSettings: { work_mem: '7MB' } });
      await using session = await database.openSession({ path });
      const insert = await prepareOwn(session, 'INSERT INTO public.pairs VALUES (1)', 'bind', { isRead: false });
      const call = insert.encode({ rows: 1, columns: [] });
      expect(await failure(promised(insert, call))).toMatchObject({ kind: 'uniqueViolation' });
      expect(await failure(insert.answer(call, 1))).toMatchObject({ kind: 'uniqueViolation' });
      expect(await show(session, 'work_mem')).toBe('7MB');
    });

    it('a setting that the server refuses is named, and nothing is set', async () => {
      const wrong = { ...pooler().raw, sessionSettings: { work_mem: '7MB', lock_timeout: 'soon' } };
      expect(await failure(open(wrong))).toMatchObject({
        kind: 'badInput',
        message: expect.stringContaining('sessionSettings.lock_timeout'),
      });
    });
  });

  it('named statements and functions of a session are refused in a pool of transactions, and leave nothing', async () => {
    const pooler = poolers.get('transaction')!;
    const before = await pooler.look();
    await using database = await openWithTable(open(pooler.raw));
    for (const path of paths) {
      await using session = await database.openSession({ path });
      const refusal = { kind: 'unsupported', message: expect.stringMatching(/pooler.*26000.*42P05/) };
      for (const method of ['prepared', 'pipelined', 'multiRow', 'arrayBind'] as const)
        expect(await failure(session.prepare({ ...plan, method })), method).toMatchObject(refusal);
      expect(await failure(prepareOwn(session, 'SELECT 1', 'prepared'))).toMatchObject(refusal);
      expect(await failure(session.prepare({ ...plan, method: 'serverLoop' }))).toMatchObject({ kind: 'unsupported' });
    }
    const after = await pooler.look();
    for (const [pid, found] of after) expect(found).toEqual(before.get(pid) ?? [...before.values()][0]);
  });

  it('takes its statements and functions back where a pool of sessions is not told to', async () => {
    await using pooler = await startPgbouncer(direct, 'session', { poolSize: 3, more: 'server_reset_query =' });
    const before = await pooler.look();
    {
      await using database = await openWithTable(open({ ...pooler.raw, sessionSettings: settings }));
      await using session = await database.openSession({}, 'serializable');
      for (const method of ['prepared', 'multiRow', 'serverLoop'] as const) {
        const insert = await session.prepare({ ...plan, method });
        await promised(insert, insert.encode(ids(1, 1)));
        await database.prepareSchema(idTable);
      }
    }
    const after = await pooler.look();
    expect([...after.keys()].some((pid) => before.has(pid))).toBe(true);
    for (const [pid, found] of after) expect(found).toEqual(before.get(pid) ?? [...before.values()][0]);
  });
});

const plan: OperationPlan = { table: idTable, operation: 'insert', method: 'bind', settings: defaultSettings };

/** Sends a call as the runner does. */
const promised = <C, R>(
  { run, start }: { run?(call: C): Promise<R> | R; start?(call: C, caller: Caller<R>): void },
  call: C,
): Promise<R> =>
  start
    ? new Promise((answered, failed) => start(call, { answered, failed }))
    : Promise.resolve().then(() => run!(call));
