import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { postgres } from '#managed-servers/servers/postgres/postgres.ts';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { testHome } from './home.fixture.ts';

// Real servers, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });

/** The user's side of a server: it makes the tables, and tells all that is in the database. */
interface Users extends AsyncDisposable {
  readonly values: Readonly<Record<string, string>>;
  readonly host: string;
  run(sql: string): Promise<readonly unknown[]>;
  readonly schema: string;
}

async function onPostgres(): Promise<Users> {
  const server = await startTestServer(postgres);
  const admin = new pg.Client({ ...server.admin });
  await admin.connect();
  const { host, user, ...values } = server.raw as Record<string, string>;
  return {
    values: { ...values, host: host!, user: user! },
    host: host!,
    schema: `SELECT relname, relnamespace::regnamespace::text FROM pg_class WHERE relnamespace NOT IN
      ('pg_catalog'::regnamespace, 'pg_toast'::regnamespace, 'information_schema'::regnamespace) ORDER BY 1, 2`,
    run: async (sql) => (await admin.query(sql)).rows,
    async [Symbol.asyncDispose]() {
      await admin.end();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function onSqlite(): Promise<Users> {
  const path = temporaryFolder();
  const database = new DatabaseSync(`${path}/dyno.sqlite`);
  // Dyno opens only files with its own application id.
  database.exec('PRAGMA application_id = 0x44594e4f; PRAGMA journal_mode = wal');
  return {
    values: { path },
    host: path,
    schema: 'SELECT type, name, sql FROM sqlite_schema ORDER BY name',
    run: async (sql) => database.prepare(sql).all(),
    [Symbol.asyncDispose]: async () => database.close(),
  };
}

const servers = [
  { engine: 'postgres', target: 'embedded-postgres', start: onPostgres },
  { engine: 'sqlite', target: 'sqlite', start: onSqlite },
];

const setUp = (engine: string) => [
  'CREATE TABLE users_stores (id int PRIMARY KEY, city int)',
  'CREATE TABLE users_sales (id int PRIMARY KEY, store int, sold int)',
  ...(engine === 'postgres' ? ['GRANT ALL ON users_stores, users_sales TO PUBLIC'] : []),
  'INSERT INTO users_stores VALUES (1, 1), (2, 1), (3, 2), (4, 2), (5, 3)',
  'INSERT INTO users_sales VALUES (1, 1, 1), (2, 1, 1), (3, 2, 1), (4, NULL, 1), (5, 3, 2), (6, NULL, 2)',
];

const fileOf = (isKept: boolean): string => `
dyno: 1
name: Own tables
question: Which text is faster?
workload: { operation: statement, method: prepared, load: open, arrivalsPerSecond: 20 }
equal: { draws: 10, keepRows: ${isKept} }
statements:
  sold:
    text: SELECT id, city FROM users_stores WHERE id IN (SELECT store FROM users_sales WHERE sold = :day)
    parameters: { day: { type: query, text: SELECT DISTINCT sold FROM users_sales ORDER BY sold } }
  without:
    text: SELECT id FROM users_stores s WHERE NOT EXISTS (SELECT 1 FROM users_sales x WHERE x.store = s.id AND x.sold = :day)
    parameters: { day: { type: integer, min: 1, max: 2 } }
  first:
    text: SELECT id, city FROM users_stores WHERE id > :none ORDER BY city LIMIT 1
    parameters: { none: { type: integer, min: 0, max: 0 } }
factors:
  wording:
    as it is: {}
    rewritten:
      statements:
        sold: { text: "SELECT DISTINCT s.id, s.city FROM users_sales x JOIN users_stores s ON s.id = x.store WHERE x.sold = :day" }
        without: { text: "SELECT s.id FROM users_stores s LEFT JOIN users_sales x ON x.store = s.id AND x.sold = :day WHERE x.id IS NULL" }
        first: { text: "SELECT id, city FROM users_stores WHERE id > :none ORDER BY city, id DESC LIMIT 1" }
    wrong:
      statements:
        sold: { text: "SELECT s.id, s.city FROM users_sales x JOIN users_stores s ON s.id = x.store WHERE x.sold + 0 = :day AND x.id < 3" }
        without: { text: "SELECT id FROM users_stores WHERE id NOT IN (SELECT store FROM users_sales WHERE sold = :day)" }
    writes: { statements: { sold: { text: "DELETE FROM users_sales WHERE sold = :day" } } }
    indexed: { tables: { users_stores: { rows: 10, key: id, columns: { id: { type: sequence } }, indexes: [{ columns: [id] }] } } }
targets: [live]
baseline: { wording: as it is }
measure: { repeats: 1, until: { seconds: 0.3 }, warmupSeconds: 0 }
`;

describe.each(servers)('tables of the user on a read-only production connection: $engine', (server) => {
  test.skipIf(isSkipped(server.target) || isSkipped(server.engine))(
    'have verdicts of rewrites, keep rows only where the file says so, and stay as they are',
    async () => {
      await using users = await server.start();
      for (const sql of setUp(server.engine)) await users.run(sql);
      const all = async () =>
        JSON.stringify([
          await users.run(users.schema),
          await users.run('SELECT * FROM users_stores ORDER BY id'),
          await users.run('SELECT * FROM users_sales ORDER BY id'),
        ]);
      const before = await all();

      await using test = testHome();
      const { home } = test;
      const { password, ...values } = users.values;
      const { id } = openConnectionStore(home).save({
        ...{ id: null, name: 'live', engine: server.engine, values, production: {} },
        passwords: password ? { password: 'ask' } : {},
      });
      const given = { passwords: { [id]: { password: password ?? '' } }, confirmed: [users.host] };
      const ran = async (isKept: boolean) => {
        const run = await newTrustedRun({ home, yaml: fileOf(isKept), ...given });
        expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
        return loadRun(home, run.file);
      };
      const answersOf = ({ trials }: Awaited<ReturnType<typeof ran>>, level: string) =>
        Object.fromEntries(
          trials
            .filter(({ trial }) => trial.variant === `wording=${level}`)
            .flatMap(({ result }) => (result?.answers ?? []).map((one) => [one.statement, one] as const)),
        );

      const model = await ran(true);
      expect(model.plan.skipped.map(({ reason }) => reason).join()).toMatch(/“sold” writes.*create and fill a table/);
      expect(answersOf(model, 'rewritten')).toMatchObject({
        sold: { outcome: 'equal', draws: 10 },
        without: { outcome: 'equal', draws: 10 },
        first: { outcome: 'cannotTell' },
      });
      const { sold, without } = answersOf(model, 'wrong');
      expect(sold).toMatchObject({ outcome: 'differ', difference: { parameters: [{ name: 'day' }] } });
      expect(without).toMatchObject({
        difference: { rows: { columns: ['id'], pairs: expect.arrayContaining([{ baseline: ['5'], own: null }]) } },
      });
      expect(sold!.difference!.rows!.pairs.length).toBeGreaterThan(0);
      const disqualified = model.cells.flatMap(({ variant, rowProblems }) => rowProblems.map(() => variant));
      expect(new Set(disqualified)).toEqual(new Set(['wording=wrong']));

      const other = answersOf(await ran(false), 'wrong');
      expect(other.sold).toMatchObject({ outcome: 'differ', difference: { parameters: [] } });
      expect(other.sold!.difference).not.toHaveProperty('rows');
      expect(await all()).toBe(before);
    },
  );
});
