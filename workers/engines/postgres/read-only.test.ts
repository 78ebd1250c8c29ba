import { test as anyTest, vi } from 'vitest';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { expectStillReadOnly } from '../conformance/switched-mode.fixture.ts';
import { connectedClient } from './client.fixture.ts';
import { config } from './config.ts';
import { engine } from './engine.ts';

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
