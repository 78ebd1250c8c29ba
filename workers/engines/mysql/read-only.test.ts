import type mysql from 'mysql2/promise';
import { test as anyTest, vi } from 'vitest';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { expectStillReadOnly } from '../conformance/switched-mode.fixture.ts';
import { config } from './config.ts';
import { engine } from './engine.ts';
import { adminOf } from './test-server.fixture.ts';

vi.setConfig({ testTimeout: 120_000 });

anyTest.skipIf(isSkipped('mysql'))(
  'each call of a read-only session is in a transaction that reads, also where a view has switched the session',
  async () => {
    await using server = await startTestServer(mariadb);
    const admin = await adminOf(server.admin);
    try {
      await admin.query(`
        CREATE DATABASE shop;
        CREATE TABLE shop.visits (id INT AUTO_INCREMENT PRIMARY KEY);
        CREATE FUNCTION shop.visit() RETURNS INT MODIFIES SQL DATA BEGIN INSERT INTO shop.visits () VALUES (); RETURN 1; END;
        CREATE FUNCTION shop.switch() RETURNS INT BEGIN SET SESSION tx_read_only = 0; RETURN 1; END;
        CREATE VIEW shop.visiting AS SELECT shop.visit() AS id;
        CREATE VIEW shop.switching AS SELECT shop.switch() AS mode;
        GRANT SELECT ON shop.* TO '${String(server.raw.user)}'`);
      await expectStillReadOnly({
        ...{ engine, config, raw: server.raw },
        options: [{ path: 'lean' }, { path: 'driver' }, { driver: 'mariadb' }],
        switches: 'SELECT * FROM shop.switching',
        writes: 'SELECT * FROM shop.visiting',
        async count() {
          const [[row]] = await admin.query<mysql.RowDataPacket[]>('SELECT COUNT(*) AS n FROM shop.visits');
          return Number(row?.n);
        },
      });
    } finally {
      await admin.end();
    }
  },
);
