import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { createSeriesBuilder } from '#analysis/journal/series.ts';
import type { TrialView } from '#analysis/run-model/run-model.ts';
import { rolesOf } from '#analysis/server/server-summary.ts';
import { ownShares, rankedClasses, serverTimeOf } from '#analysis/server/server-time.ts';
import type { Database } from '#engine-api/database.ts';
import type { Engine } from '#engine-api/engine.ts';
import type { Operation } from '#engine-api/operation.ts';
import type { ProbeSample } from '#engine-api/probe.ts';
import type { Session } from '#engine-api/session.ts';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import { makeRows, table as rowsTable, toBatch, updateBatch } from '#engines/conformance/rows.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { engine as mysql } from '#engines/mysql/engine.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { engine as postgres } from '#engines/postgres/engine.ts';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { postgres as postgresKind } from '#managed-servers/servers/postgres/postgres.ts';
import { startTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { ResourceClass } from '#model/resource.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { TableOperation } from '#model/settings/vocabulary.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import type { TrialResult } from '#protocol/measurement.ts';

/** Counters of real servers under work with a known bottleneck. The work is short, so probes are frequent. */

vi.setConfig({ testTimeout: 60_000 });

const signal = new AbortController().signal;
const samples = 14;
const everyMs = 150;

const servers = [
  { name: 'PostgreSQL', engine: postgres, kind: postgresKind, skip: isSkipped('embedded-postgres') },
  { name: 'MariaDB', engine: mysql, kind: mariadb, skip: isSkipped('mysql') },
];

describe.each(smokeOf(servers))('$name', ({ engine, kind, skip }) => {
  let server: TestServer;
  let database: Database;
  let table: TablePlan;

  beforeTests(async (opened) => {
    server = opened.use(await startTestServer(kind));
    const target = engine === postgres ? server.raw : await parsed(engine, server);
    database = opened.use(await engine.open(target, 'dyno-test', signal));
    table = { ...rowsTable('dyno_servertime'), options: optionsFor(engine.descriptor, defaultSettings) };
  });

  test.skipIf(skip)('commits of single rows wait for the log more than for anything else', async () => {
    await withTable(async () => {
      // Enough commits that samples see some in the log, however fast it is.
      const view = await watched(
        'insert',
        (insert, _, session) => {
          let next = 1_000_000 * (session + 1);
          return () => insert.run(insert.encode(toBatch(makeRows(next++, 1))));
        },
        16,
      );
      const time = serverTimeOf(engine.probeInfo, [view])!;
      expect(time.observations).toBeGreaterThan(samples / 2);
      // MariaDB reports many sessions that wait for a group commit as running, so the log is only the largest wait.
      const waits = rankedClasses(ownShares(time)).filter(([name]) => engine === postgres || name !== 'cpu');
      expect(waits[0]?.[0], describeTime(view)).toBe('log' satisfies ResourceClass);
      expect(rolesOf(engine.probeInfo, [view]).roles.logBytes).toBeGreaterThan(10_000);
    });
  });

  test.skipIf(skip)('sessions that want one row wait for its lock more than for anything else', async () => {
    await withTable(async () => {
      const row = makeRows(0, 1);
      const view = await watched('update', (update, one) => async () => {
        await one.begin();
        await update.run(update.encode(updateBatch(row)));
        // An application pauses within its transaction in this way.
        await sleep(20);
        await one.commit();
      });
      expect(largest(view), describeTime(view)).toBe('lock' satisfies ResourceClass);
    });
  });

  // A scan of more than a quarter of shared_buffers leaves no pages in them (README of the buffer manager).
  test.skipIf(skip || kind !== postgresKind)(
    'scans that the buffer pool does not hold read pages from outside',
    async () => {
      await withTable(async () => {
        await using admin = await connectedClient(server.admin);
        await admin.query(
          `INSERT INTO dyno."${table.name}" (id, code, blob)
         SELECT 100 + i, 'large', decode(repeat(md5(i::text), 18), 'hex') FROM generate_series(1, 115000) AS i`,
        );
        // The table is rewritten past the buffer pool, where the inserts left its pages.
        await admin.query(`VACUUM FULL dyno."${table.name}"`);
        const nothing = { rows: 0, columns: [] };
        const view = await watched('scan', (scan) => () => scan.run(scan.encode(nothing)), 1);
        const { pagesRead = 0, pagesHit = 0 } = rolesOf(engine.probeInfo, [view]).roles;
        expect(pagesRead).toBeGreaterThan(1_000);
        expect(pagesRead / (pagesRead + pagesHit)).toBeGreaterThan(0.5);
      });
    },
  );

  /** A table of ten rows, dropped afterwards. */
  async function withTable(use: () => Promise<void>): Promise<void> {
    await database.prepareSchema(table);
    try {
      await database.load(table, [toBatch(makeRows(0, 10))], () => {}, signal);
      await use();
    } finally {
      await database.drop(table);
    }
  }

  /** Repeats a call in sessions until there are enough samples. */
  async function watched(
    operation: TableOperation,
    make: (prepared: Operation, session: Session, number: number) => () => Promise<unknown> | unknown,
    sessionCount = 4,
  ): Promise<TrialView> {
    const sessions = await Promise.all(Array.from({ length: sessionCount }, () => database.openSession(table.options)));
    try {
      const settings = { ...defaultSettings, operation, method: 'prepared' } as const;
      const calls = await Promise.all(
        sessions.map(async (one, i) =>
          make(await one.prepare({ table, operation, method: 'prepared', settings }), one, i),
        ),
      );
      let isOver = false;
      const work = calls.map(async (call) => {
        while (!isOver) await call();
      });
      const told: ProbeSample[] = [await database.probe()];
      const since = performance.now();
      const at = [0];
      while (told.length <= samples) {
        await sleep(everyMs);
        told.push(await database.probe());
        at.push(performance.now() - since);
      }
      isOver = true;
      await Promise.all(work);
      return viewOf(told, at);
    } finally {
      for (const one of sessions) await one[Symbol.asyncDispose]();
    }
  }

  const largest = (view: TrialView): ResourceClass | undefined =>
    rankedClasses(ownShares(serverTimeOf(engine.probeInfo, [view])!))[0]?.[0];
  const describeTime = (view: TrialView): string =>
    JSON.stringify(serverTimeOf(engine.probeInfo, [view])?.parts.map(({ label, ms }) => [label, Math.round(ms)]));
});

const parsed = async (engine: Engine, { raw }: TestServer) =>
  (await import(`../engines/${engine.descriptor.id}/config.ts`)).config.parse(raw);

function viewOf(told: readonly ProbeSample[], at: readonly number[]): TrialView {
  const builder = createSeriesBuilder();
  for (const [i, sample] of told.entries()) builder.addProbe(at[i]!, sample, 1);
  const probeDelta = Object.fromEntries(
    Object.entries(told.at(-1)!.counters).map(([name, value]) => [name, value - (told[0]!.counters[name] ?? value)]),
  );
  return {
    trial: { number: 1, variant: 'v', target: 't', repeat: 1 },
    phase: null,
    measuredFromMs: 0,
    result: { status: 'ok', elapsedMs: at.at(-1)!, probeDelta } as unknown as TrialResult,
    damage: null,
    queryPlans: [],
    laterPlans: [],
    loadHosts: [],
    series: builder.series(),
  };
}
