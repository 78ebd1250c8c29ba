import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setupRows } from '#analysis/settings/setup-rows.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import {
  describeWithPgbouncer,
  type PoolMode,
  startPgbouncer,
  type TestPooler,
} from '#engines/postgres/pgbouncer.fixture.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';
import { checkTarget } from '#orchestrator/check/check-connection.ts';
import { collect } from '#orchestrator/run/run.fixture.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { childPids } from '#platform/processes.fixture.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import { environmentFacts } from '#presentation/text/environment-facts.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { usersConnection } from '#workspace/trust/gate.ts';
import { type TestHome, testHome } from './home.fixture.ts';

// Real servers, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

describeWithPgbouncer('a run through PgBouncer', () => {
  let admin: Readonly<Record<string, unknown>>;
  let poolers: Readonly<Record<'transaction' | 'session', TestPooler>>;
  beforeTests(async (opened) => {
    const server = opened.use(await startTestServer());
    admin = server.admin;
    const client = opened.use(await connectedClient(admin));
    await client.query(`CREATE SCHEMA shop; CREATE TABLE shop.customers (code text PRIMARY KEY, name text);
      INSERT INTO shop.customers SELECT 'c' || s, 'n' || s FROM generate_series(1, 500) s;
      GRANT USAGE ON SCHEMA shop TO public; GRANT ALL ON shop.customers TO public`);
    const start = async (mode: PoolMode) => opened.use(await startPgbouncer(server.raw, mode, { poolSize: 8 }));
    poolers = { transaction: await start('transaction'), session: await start('session') };
  });

  describe.each(smokeOf(['transaction', 'session'] as const))('in a pool of %ss', (mode) => {
    const pooler = () => poolers[mode];
    let test: TestHome;
    let before: Awaited<ReturnType<TestPooler['look']>>;
    beforeEach(async () => {
      test = testHome();
      before = await pooler().look();
    });
    afterEach(async () => {
      await test[Symbol.asyncDispose]();
      // The pool's next users find every setting unchanged, also on the connections that Dyno has used.
      const after = await pooler().look();
      for (const [pid, found] of after) expect(found).toEqual(before.get(pid) ?? [...before.values()][0]);
      const next = await pooler().client();
      for (let i = 0; i < 3; i++) await next.query(`UPDATE shop.customers SET name = 'm' WHERE code = 'c1'`);
      await next.end();
    });

    const production = (values = {}) => {
      const { password, ...reach } = pooler().raw;
      const { id } = openConnectionStore(test.home).save({
        ...{ id: null, name: 'pooled-prod', engine: 'postgres', values: { ...reach, ...values } },
        ...{ passwords: { password: 'ask' }, production: {} },
      });
      return { passwords: { [id]: { password } }, confirmed: [reach.host] };
    };

    it('a read-only run on production works, and reports the pooler', async () => {
      const given = production({ sessionSettings: { statement_timeout: '30s', work_mem: '5MB' } });
      const run = await newTrustedRun({ home: test.home, yaml: look, ...given });
      const { records, results } = collect(run);
      expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
      expect(results().map(({ status, error }) => [status, error])).toEqual([['ok', null]]);
      expect(records).toContainEqual(expect.objectContaining({ record: 'sessions', left: null }));
      const model = await loadRun(test.home, run.file);
      const words = `shares the server’s connections by ${mode}`;
      expect(setupRows(model)).toContainEqual(
        expect.objectContaining({ setting: 'connection pooler', values: [`yes, ${words}`] }),
      );
      expect(environmentFacts(model)).toContainEqual(['Connection poolers', `pooled-prod: yes, ${words}`]);
      const caveat = { title: 'Through a connection pooler', severity: 'warning', cell: { target: 'pooled-prod' } };
      expect(model.caveats).toContainEqual(expect.objectContaining(caveat));
      expect(model.caveats.map(({ title }) => title)).not.toContain('Sessions are left on the server');
    });

    it('the server refuses a writing statement there', async () => {
      const yaml = look.replace(/'SELECT name[^']*'/, "'SELECT n FROM shop.touching WHERE code = :code'");
      await using client = await connectedClient(admin);
      // No text shows that the view calls a writing function.
      await client.query(
        `CREATE OR REPLACE FUNCTION shop.touch(c text) RETURNS int LANGUAGE sql
         AS $$ UPDATE shop.customers SET name = 'touched' WHERE code = c RETURNING 1 $$;
         CREATE OR REPLACE VIEW shop.touching AS SELECT code, shop.touch(code) AS n FROM shop.customers;
         GRANT SELECT ON shop.touching TO public`,
      );
      const run = await newTrustedRun({ home: test.home, yaml, ...production() });
      const { results } = collect(run);
      await run.start();
      expect(results()[0]?.error).toMatchObject({ kind: 'permission', code: '25006' });
      expect((await client.query("SELECT FROM shop.customers WHERE name = 'touched'")).rowCount).toBe(0);
    });

    it('methods that the pool has not are named with the reason, and the others run', async () => {
      const yaml = `${look.replace('method: bind, ', '')}factors: { method: [literal, bind, prepared] }\n`;
      const run = await newTrustedRun({ home: test.home, yaml, ...production() });
      const { records, results } = collect(run);
      await run.start();
      const planned = records.flatMap((one) => (one.record === 'result' ? [one] : []));
      expect(planned).toHaveLength(3);
      expect(
        results()
          .map(({ status }) => status)
          .toSorted(),
      ).toEqual(mode === 'session' ? ['ok', 'ok', 'ok'] : ['cannot', 'ok', 'ok']);
      const refused = results().find(({ status }) => status === 'cannot');
      if (mode === 'transaction')
        expect(refused?.error).toMatchObject({ message: expect.stringMatching(/pooler.*26000.*42P05/) });
    });

    it('a test of the connection names the pooler', async () => {
      const { password, ...values } = pooler().raw;
      const connection = {
        id: 'a1',
        name: 'mine',
        engine: 'postgres',
        values,
        passwords: { password: 'ask' },
      } as const;
      const report = await checkTarget({
        home: test.home,
        ...{ target: usersConnection(connection), passwords: { a1: { password } } },
        variables: {},
        signal: new AbortController().signal,
        onChange: () => {},
      });
      expect(report).toMatchObject({
        state: 'ok',
        cautions: [expect.stringMatching(/pooler.*shares|pooler.*transaction|session/)],
      });
    });

    it.each(mode === 'transaction' ? smokeOf(['measure', 'load', 'prepare', 'verify'] as const) : ['measure' as const])(
      'workers that are killed in the phase %s leave nothing in the pool',
      async (phase) => {
        const { password, ...raw } = pooler().raw;
        const yaml = `
dyno: 1
name: Struck
question: What is left?
dataset: { rows: 20000, key: id, columns: { id: { type: sequence }, note: { type: text, length: 20 } } }
workload: { operation: scan, method: bind, connections: 3, isolation: serializable, sortMemoryKb: 3000, orderBy: note }
targets:
  - { name: pooled, engine: postgres, host: '${raw.host}', port: ${raw.port}, database: ${raw.database}, user: ${raw.user}, password: '\${env:PW}', sessionSettings: { statement_timeout: 30s, work_mem: 5MB } }
measure: { until: { seconds: 0.5 }, repeats: 1, warmupSeconds: 0.3 }
`;
        const run = await newTrustedRun({ home: test.home, yaml, variables: { PW: password } });
        const phases: string[] = [];
        const off = run.on('record', (one) => {
          if (one.record !== 'phase') return;
          phases.push(one.phase);
          if (one.phase !== phase) return;
          off();
          for (const pid of childPids('workers/worker.')) process.kill(pid, 'SIGKILL');
        });
        await run.start();
        expect(phases).toContain(phase);
      },
    );
  });
});

const look = `
dyno: 1
name: A look at production through its pool
question: What is left in the pool after a read-only run?
workload: { operation: statement, method: bind, thinkMs: 50, connections: 2 }
statements: { by-code: { text: 'SELECT name FROM shop.customers WHERE code = :code', parameters: { code: { type: query, as: text, text: SELECT code FROM shop.customers } } } }
targets: [pooled-prod]
measure: { until: { seconds: 0.5 }, repeats: 1, warmupSeconds: 0.2 }
`;
