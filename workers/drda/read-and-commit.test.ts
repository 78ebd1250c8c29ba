import { describe, expect, test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { derbyOf, rowStoreOf } from '#engines/drda/test-tables.fixture.ts';
import type { RunningServer } from '#managed-servers/process/server-kind.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { connect, type DrdaConnection, type Statement } from './index.ts';

/** A query and its commit in one chain, on real servers. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const servers = [
  ['local-derby', (): Promise<RunningServer> => derbyOf()],
  ['local-snappydata', rowStoreOf],
] as const;

describe.each(servers)('%s', (name, start) => {
  describe.skipIf(isSkipped(name))('is there', () => {
    let server: RunningServer;
    let connection: DrdaConnection;
    const login = async (): Promise<DrdaConnection> => {
      const { raw } = server;
      const [host, database, user, password] = [raw.host, raw.database, raw.user, raw.password].map(String);
      return connect({ host: host!, port: server.port, database: database!, user: user!, password: password! });
    };
    beforeTests(async (opened) => {
      server = opened.use(await start());
      connection = await login();
      opened.defer(() => connection.destroy());
      await connection.execute('CREATE TABLE DYNO.SEEN (X INT NOT NULL PRIMARY KEY, TEXT VARCHAR(100))', {
        commit: true,
      });
      const insert = await connection.prepare('INSERT INTO DYNO.SEEN VALUES (?, ?)');
      const rows = Array.from({ length: 200 }, (_, x) => [x, 'y'.repeat(100)]);
      await insert.execute(insert.encode(rows), { commit: true });
    });

    async function count(statement: Statement, row: readonly number[] | null, blockBytes?: number): Promise<number> {
      const cursor = await statement.open(row && statement.encode([row]), {
        commit: true,
        ...(blockBytes && { blockBytes }),
      });
      let rows = 0;
      for (let block = await cursor.fetch(); block !== null; block = await cursor.fetch()) rows += block.length;
      await cursor.close();
      return rows;
    }

    test('brings the rows, with parameters and without', async () => {
      const byKey = await connection.prepare('SELECT TEXT FROM DYNO.SEEN WHERE X = ?');
      expect(await count(byKey, [7])).toBe(1);
      expect(await count(byKey, [700])).toBe(0);
      const all = await connection.prepare('SELECT X, TEXT FROM DYNO.SEEN');
      expect(await count(all, null)).toBe(200);
    });

    test('refuses a result that is longer than a block, of which a server might not give the rest', async () => {
      const all = await connection.prepare('SELECT X, TEXT FROM DYNO.SEEN');
      await expect(count(all, null, 1_024)).rejects.toMatchObject({ kind: 'value' });
      expect(await count(all, null)).toBe(200);
    });

    test('ends the unit of work: nothing of it is locked after', async () => {
      await connection.execute('SET ISOLATION RS', { commit: true });
      const all = await connection.prepare('SELECT X FROM DYNO.SEEN');
      expect(await count(all, null)).toBe(200);
      const other = await login();
      try {
        // It would wait for a lock, for a minute.
        expect(await other.execute('UPDATE DYNO.SEEN SET TEXT = NULL WHERE X = 7', { commit: true })).toBe(1);
      } finally {
        other.destroy();
      }
    });

    test('a failing query says so, and the connection goes on', async () => {
      const wrong = await connection.prepare('SELECT 1 / (X - 7) FROM DYNO.SEEN WHERE X = ?');
      await expect(count(wrong, [7])).rejects.toMatchObject({ sqlState: '22012' });
      expect(await count(wrong, [8])).toBe(1);
    });
  });
});
