import { describe, expect, test } from 'vitest';
import type { Database } from '#engine-api/database.ts';
import type { Engine } from '#engine-api/engine.ts';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import { catalog } from '#engines/catalog.ts';
import { expectedChecksum, keyBatch, makeRows, table as rowsTable, toBatch } from '#engines/conformance/rows.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { serverOf, startServer } from '#engines/conformance/start-server.ts';
import type { TestServer } from '#engines/conformance/test-server.ts';
import { loadEngine } from '#engines/load.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import type { TableOperation } from '#model/settings/vocabulary.ts';
import { type EmulatedTarget, emulateNetwork } from './emulated-target.ts';

/** Sessions of every engine's own driver, on its real server, through a network emulator. */

const signal = new AbortController().signal;
const tag = `dyno-network-${process.pid}`;
const roundTripMs = 20;
const clients = { results: [], error: null };
const engines = catalog.filter(({ descriptor }) => !descriptor.inProcess && !isSkipped(descriptor.id));

describe.each(engines)('$descriptor.label', ({ descriptor, config }) => {
  const options = optionsFor(descriptor, defaultSettings);
  let server: TestServer;
  let engine: Engine;
  /** As the host has it: without an emulator. */
  let control: Database;

  startServer(serverOf(descriptor.id), async (started, opened) => {
    server = started;
    engine = await loadEngine(descriptor.id);
    control = opened.use(await engine.open(config.parse(server.raw), tag, signal));
  });

  async function withTable(
    use: (table: TablePlan, database: Database, emulator: EmulatedTarget) => Promise<void>,
  ): Promise<void> {
    const table = { ...rowsTable(`dyno_r${process.pid}`), options };
    await using emulated = await emulateNetwork(
      config,
      config.parse(server.raw),
      { ...defaultSettings, networkRoundTripMs: roundTripMs },
      1,
    );
    await control.prepareSchema(table);
    try {
      await using database = await engine.open(emulated.config, tag, signal);
      await use(table, database, emulated);
    } finally {
      await control.drop(table);
    }
  }
  const settings = (operation: TableOperation): Settings => ({
    ...defaultSettings,
    operation,
    method: (['prepared', 'bind', 'literal'] as const).find((one) => descriptor.support[operation]?.[one])!,
  });
  const plan = (table: TablePlan, operation: TableOperation) => ({
    table,
    operation,
    method: settings(operation).method,
    settings: settings(operation),
  });

  test('a call takes the round trip at least, rows arrive whole, and the emulator has seen it', async () => {
    await withTable(async (table, database, emulator) => {
      await using session = await database.openSession(options);
      const insert = await session.prepare(plan(table, 'insert'));
      const read = await session.prepare(plan(table, 'readByKey'));
      emulator.begin();
      const rows = makeRows(0, 16);
      for (const row of rows) {
        const start = performance.now();
        expect(await insert.run(insert.encode(toBatch([row])))).toBe(1);
        expect(performance.now() - start).toBeGreaterThan(roundTripMs);
      }
      const start = performance.now();
      expect(await read.run(read.encode(keyBatch(rows.slice(0, 1))))).toBe(1);
      expect(performance.now() - start).toBeGreaterThan(roundTripMs);
      expect(await control.checksum(table)).toEqual(expectedChecksum(rows, descriptor.emptyIsNull));
      const { network, error } = await emulator.end(clients);
      expect(error).toBeNull();
      expect(network!.sentBytes).toBeGreaterThan(16 * 20);
    });
  });

  test('a network emulator that is killed fails the call, and is what the trial names', async () => {
    await withTable(async (table, database, emulator) => {
      const session = await database.openSession(options);
      const insert = await session.prepare(plan(table, 'insert'));
      const running = Promise.resolve(insert.run(insert.encode(toBatch(makeRows(0, 1))))).then(
        () => null,
        (thrown: unknown) => engine.toError(thrown),
      );
      process.kill(emulator.emulatorPid, 'SIGKILL');
      expect((await running)?.kind).toBe('serverGone');
      expect((await emulator.end(clients)).error).toMatchObject({
        kind: 'workerGone',
        message: expect.stringMatching(/^The network emulator for .* was killed by SIGKILL/),
      });
      await session[Symbol.asyncDispose]();
    });
  });
});
