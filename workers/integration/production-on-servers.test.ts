import mysql from 'mysql2/promise';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { setupRows } from '#analysis/settings/setup-rows.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { postgres } from '#managed-servers/servers/postgres/postgres.ts';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';
import { deadRunsTables } from '#orchestrator/run/leftovers.ts';
import { collect } from '#orchestrator/run/run.fixture.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { testHome } from './home.fixture.ts';

// Real servers, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });

interface Behind extends AsyncDisposable {
  /** Runs a statement as an administrator; returns the number in its last row. */
  ask(sql: string): Promise<number>;
}

async function behindPostgres(admin: Record<string, unknown>): Promise<Behind> {
  const client = new pg.Client({ ...admin });
  await client.connect();
  return {
    ask: async (sql) => Number(Object.values((await client.query<Record<string, unknown>>(sql)).rows?.[0] ?? {})[0]),
    [Symbol.asyncDispose]: () => client.end(),
  };
}

async function behindMariadb({ host, port, user, password }: Record<string, unknown>): Promise<Behind> {
  const client = await mysql.createConnection({
    ...{ host: String(host), port: Number(port), user: String(user) },
    ...(password != null && { password: String(password) }),
  });
  return {
    ask: async (sql) => {
      const [rows] = await client.query<mysql.RowDataPacket[]>(sql);
      return Number(Object.values(rows[0] ?? {})[0]);
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

const servers = [
  {
    target: 'embedded-postgres',
    engine: 'postgres',
    kind: postgres,
    behind: behindPostgres,
    setUp: (user: string) => [
      'CREATE SCHEMA shop',
      'CREATE TABLE shop.visits (id serial)',
      'CREATE FUNCTION shop.visit() RETURNS int LANGUAGE sql AS $$ INSERT INTO shop.visits DEFAULT VALUES RETURNING id $$',
      'CREATE VIEW shop.visiting AS SELECT shop.visit() AS id',
      `GRANT USAGE ON SCHEMA shop TO "${user}"`,
      `GRANT ALL ON ALL TABLES IN SCHEMA shop TO "${user}"`,
      `GRANT ALL ON ALL SEQUENCES IN SCHEMA shop TO "${user}"`,
    ],
  },
  {
    target: 'local-mariadb',
    engine: 'mysql',
    kind: mariadb,
    behind: behindMariadb,
    setUp: (user: string) => [
      'CREATE DATABASE shop',
      'CREATE TABLE shop.visits (id INT AUTO_INCREMENT PRIMARY KEY)',
      'CREATE FUNCTION shop.visit() RETURNS INT MODIFIES SQL DATA BEGIN INSERT INTO shop.visits () VALUES (); RETURN 1; END',
      'CREATE VIEW shop.visiting AS SELECT shop.visit() AS id',
      `GRANT SELECT ON shop.* TO '${user}'`,
      `GRANT EXECUTE ON shop.* TO '${user}'`,
    ],
  },
];

const yaml = `
dyno: 1
name: A look
question: How long does it take?
workload: { operation: statement, method: prepared, connections: 2, load: open, arrivalsPerSecond: 50 }
statements: { look: { text: SELECT * FROM shop.visiting } }
targets: [live]
measure: { repeats: 1, until: { seconds: 1 }, warmupSeconds: 0 }
`;

describe.each(smokeOf(servers))('a production connection to $target', ({ target, engine, kind, behind, setUp }) => {
  it.skipIf(isSkipped(target) || isSkipped(engine))(
    'has the server refuse what a view of its own writes, whose text only reads',
    async () => {
      await using server = await startTestServer(kind);
      await using admin = await behind(server.admin);
      const { user, password, ...values } = server.raw as Record<string, string>;
      for (const sql of setUp(user!)) await admin.ask(sql);
      await using test = testHome();
      const { home } = test;
      const connections = openConnectionStore(home);
      const own = {
        ...{ name: 'live', engine, values: { ...values, user: user! } },
        passwords: password ? ({ password: 'ask' } as const) : {},
      };
      const { id } = connections.save({ id: null, ...own, production: {} });
      const given = { passwords: { [id]: { password: password ?? '' } }, confirmed: [String(values.host)] };
      const visits = () => admin.ask('SELECT count(*) FROM shop.visits');

      const refused = await newTrustedRun({ home, yaml, ...given });
      const seen = collect(refused);
      const outcome = await refused.start();
      expect(await visits()).toBe(0);
      expect(outcome).toMatchObject({ status: 'complete', failedTrials: 1 });
      expect(seen.results()).toMatchObject([{ error: { kind: 'permission' } }]);
      expect(deadRunsTables(home)).toEqual([]);
      expect(seen.records).toContainEqual(expect.objectContaining({ record: 'sessions', left: 0 }));
      const model = await loadRun(home, refused.file);
      expect(setupRows(model)).toContainEqual(
        expect.objectContaining({ setting: 'marked as production', values: ['read-only at the server'] }),
      );

      connections.save({ id, ...own, production: { allowWrites: true } });
      const allowed = await newTrustedRun({ home, yaml, ...given });
      expect(await allowed.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
      expect(await visits()).toBeGreaterThan(0);
    },
  );
});
