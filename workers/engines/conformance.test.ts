import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Batch, TableChecksum } from '#contract/batch.ts';
import type { TablePlan } from '#contract/dataset.ts';
import type { Database, Engine, Operation, Session } from '#contract/engine.ts';
import { optionsFor } from '#contract/engine-options.ts';
import { DynoError } from '#contract/error.ts';
import {
  defaultSettings,
  type MethodName,
  methods,
  type OperationName,
  type Options,
  operations,
  type Settings,
} from '#contract/settings.ts';
import { catalog } from './catalog.ts';
import {
  expectedChecksum,
  keyBatch,
  makeRows,
  type Row,
  table as rowsTable,
  toBatch,
  updateBatch,
} from './conformance-rows.ts';
import { loadEngine } from './load.ts';
import { isSkipped } from './skipped.ts';
import type { StartTestServer, TestServer } from './test-server.ts';

/** Every engine's folder brings a server to conform on, and maybe options whose values have to keep the same promises as the defaults. */
const fixtureOf = async (id: string) =>
  (await import(`./${id}/test-server.fixture.ts`)) as {
    readonly startTestServer: StartTestServer;
    readonly alternatives?: readonly Options[];
  };

const suites = await Promise.all(
  catalog
    .filter(({ descriptor }) => !isSkipped(descriptor.id))
    .map(async (entry) => {
      // What is wrong with a fixture is told where its server is started.
      const alternatives = await fixtureOf(entry.descriptor.id).then(
        (fixture) => fixture.alternatives ?? [],
        () => [],
      );
      return [{}, ...alternatives].map((alternative: Options) => {
        const { id } = entry.descriptor;
        const words = Object.entries(alternative).map(([name, value]) => ` ${name}: ${value}`);
        return { ...entry, title: `${id}${words.join('')}`, alternative };
      });
    }),
);

const signal = new AbortController().signal;
const tag = `dyno-conformance-${process.pid}`;
const prefix = `dyno_t${process.pid}_`;

test('sixty rows hold a null of every nullable type, and none in the others', () => {
  const rows = makeRows(0, 60);
  const withNull = Object.keys(rows[0]!).filter((name) => rows.some((row) => row[name as keyof Row] === null));
  expect(withNull).toEqual(['text', 'uuid', 'price', 'at', 'flag', 'blob']);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(60);
});

describe.each(suites.flat())('$title', ({ descriptor, config, alternative }) => {
  const options: Options = { ...optionsFor(descriptor, defaultSettings), ...alternative };
  const planTable = (name: string): TablePlan => ({ ...rowsTable(name), options });
  let folder: string;
  let server: TestServer;
  let engine: Engine;
  let database: Database;
  let session: Session;
  let counter = 0;
  /** Why there is no server to test on here. */
  let missing: string | null = null;
  const keepsRows = descriptor.id !== 'null';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dyno-conformance-'));
    try {
      server = await (await fixtureOf(descriptor.id)).startTestServer(folder);
    } catch (error) {
      if (!(error instanceof DynoError && error.data.kind === 'unsupported')) throw error;
      missing = [error.message, error.data.hint].filter(Boolean).join(' ');
      return;
    }
    engine = await loadEngine(descriptor.id);
    database = await engine.open(config.parse(server.raw), tag, signal);
  }, 120_000);
  afterAll(async () => {
    await database?.dropLeftovers(prefix);
    await database?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }, 60_000);

  beforeEach(({ task, skip }) => {
    if (missing !== null) skip(missing);
    const excuse = Object.entries(server.excused ?? {}).find(([name]) => task.name.startsWith(name));
    if (excuse) skip(excuse[1]);
    const lacking = server.lacks?.find((method) => new RegExp(`by ${method}\\b`).test(task.name));
    if (lacking) skip(`This server has no ${lacking}.`);
  });

  /** A fresh table, a session, and both gone afterwards. */
  async function withTable(use: (table: TablePlan) => Promise<void>, rows: readonly Row[] = []): Promise<void> {
    const table = planTable(`${prefix}${counter++}`);
    await database.prepareSchema(table);
    try {
      if (rows.length > 0) await database.load(table, batches(rows, 20), () => {}, signal);
      session = await database.openSession(options);
      try {
        await use(table);
      } finally {
        await session[Symbol.asyncDispose]();
      }
    } finally {
      await database.drop(table);
    }
  }

  /** On a session opened anew where a cell needs other options. */
  const prepare = async (
    table: TablePlan,
    operation: OperationName,
    method: MethodName,
    settings: Partial<Settings> = {},
  ) => {
    const needs = descriptor.support[operation]?.[method]?.needs ?? {};
    if (Object.entries(needs).some(([name, value]) => options[name] !== value)) {
      await session[Symbol.asyncDispose]();
      session = await database.openSession({ ...options, ...needs });
    }
    const plan = { ...table, options: { ...options, ...needs } };
    return session.prepare({
      table: plan,
      operation,
      method,
      settings: { ...defaultSettings, operation, method, ...settings },
    });
  };
  const call = async (operation: Operation, batch: Batch): Promise<number> => operation.run(operation.encode(batch));

  async function expectContent(table: TablePlan, rows: readonly Row[]): Promise<void> {
    const found = await database.checksum(table);
    if (!keepsRows) return expect(found).toBeNull();
    expect(found).toEqual(expectedChecksum(rows, descriptor.emptyIsNull) satisfies TableChecksum);
  }

  const has = (operation: OperationName, method: MethodName) => descriptor.support[operation]?.[method] !== undefined;
  /** The cell that carries one row by the usual call. */
  const single = (operation: OperationName) =>
    (['prepared', 'bind', 'literal'] as const).find((method) => has(operation, method))!;
  /** Before there is a server: all that the engine has. */
  const methodsOf = (operation: OperationName) =>
    (Object.keys(descriptor.support[operation] ?? {}) as MethodName[]).filter(
      (method) => !server?.lacks?.includes(method),
    );
  const batchSize = (operation: OperationName, method: MethodName) =>
    Math.min(7, descriptor.support[operation]![method]!.maxRowsPerCall);

  describe('insert', () => {
    const formats = (method: MethodName): Settings['bulkFormat'][] =>
      method === 'bulk' ? ['text', 'binary'] : ['binary'];
    const cells = methodsOf('insert').flatMap((method) =>
      formats(method).map((bulkFormat) => ({ method, bulkFormat })),
    );
    test.each(cells)(
      'by $method ($bulkFormat) stores every type, nulls, unicode, and a smaller last batch',
      async ({ method, bulkFormat }) => {
        await withTable(async (table) => {
          const rows = makeRows(0, 30);
          const size = batchSize('insert', method);
          const insert = await prepare(table, 'insert', method, { rowsPerCall: size, bulkFormat });
          let touched = 0;
          for (const batch of batches(rows, size)) touched += await call(insert, batch);
          expect(touched).toBe(30);
          if (!descriptor.support.insert![method]!.serverData) await expectContent(table, rows);
          else if (keepsRows) expect((await database.checksum(table))?.rows).toBe(30);
        });
      },
    );

    test.each(cells)(
      'by $method ($bulkFormat): calls encoded long before they run keep their rows',
      async ({ method, bulkFormat }) => {
        if (descriptor.support.insert![method]!.serverData) return;
        await withTable(async (table) => {
          const rows = makeRows(0, 30);
          const size = batchSize('insert', method);
          const insert = await prepare(table, 'insert', method, { rowsPerCall: size, bulkFormat });
          const calls = [...batches(rows, size)].map((batch) => insert.encode(batch));
          for (const one of calls.toReversed()) await insert.run(one);
          await expectContent(table, rows);
        });
      },
    );

    test('a failed call leaves the session fit for work, alone and in a transaction rolled back', async () => {
      if (!keepsRows) return;
      const there = makeRows(0, 3);
      await withTable(async (table) => {
        for (const [index, method] of methodsOf('insert').entries()) {
          const { serverData, direct } = descriptor.support.insert![method]!;
          if (serverData || direct) continue;
          const insert = await prepare(table, 'insert', method, { rowsPerCall: 1 });
          const twice = () =>
            call(insert, toBatch(there.slice(0, 1))).then(
              () => 'inserted',
              () => 'refused',
            );
          expect(await twice(), method).toBe('refused');
          await session.begin();
          await call(insert, toBatch(makeRows(500, 1)));
          expect(await twice(), method).toBe('refused');
          await session.rollback();
          expect(await call(insert, toBatch(makeRows(100 + index, 1))), method).toBe(1);
          const remove = await prepare(table, 'delete', single('delete'));
          expect(await call(remove, keyBatch(makeRows(100 + index, 1)))).toBe(1);
        }
        await expectContent(table, there);
      }, there);
    });

    test('refuses a key that is there already as uniqueViolation', async () => {
      if (!keepsRows) return;
      const rows = makeRows(0, 5);
      await withTable(async (table) => {
        for (const method of methodsOf('insert')) {
          const { serverData, direct } = descriptor.support.insert![method]!;
          if (serverData || direct) continue;
          const insert = await prepare(table, 'insert', method, { rowsPerCall: 1 });
          const error = await Promise.resolve()
            .then(() => call(insert, toBatch(rows.slice(2, 3))))
            .catch((thrown: unknown) => engine.toError(thrown));
          expect(error, method).toMatchObject({ kind: 'uniqueViolation' });
        }
        await expectContent(table, rows);
      }, rows);
    });

    test('direct calls commit by themselves, and duplicate keys come out with the checksum at the latest', async () => {
      const direct = methodsOf('insert').filter((method) => descriptor.support.insert![method]!.direct);
      for (const method of direct) {
        const there = makeRows(0, 3);
        await withTable(async (table) => {
          const insert = await prepare(table, 'insert', method, { rowsPerCall: 2 });
          await session.begin();
          expect(await call(insert, toBatch(makeRows(100, 2)))).toBe(2);
          await session.rollback();
          await expectContent(table, [...there, ...makeRows(100, 2)]);
          const error = await call(insert, toBatch(there.slice(0, 1)))
            .then(() => database.checksum(table))
            .catch((thrown: unknown) => engine.toError(thrown));
          expect(error, method).toMatchObject({ kind: 'uniqueViolation' });
        }, there);
      }
    });

    test('many calls in flight all arrive', async () => {
      if (!has('insert', 'pipelined')) return;
      await withTable(async (table) => {
        const rows = makeRows(0, 50);
        const insert = await prepare(table, 'insert', 'pipelined');
        const touched = await Promise.all([...batches(rows, 1)].map((batch) => call(insert, batch)));
        expect(touched.reduce((sum, one) => sum + one, 0)).toBe(50);
        await expectContent(table, rows);
      });
    });
  });

  const rows = makeRows(0, 60);

  test.each(methodsOf('readByKey').map((method) => ({ method })))(
    'readByKey by $method returns the rows asked for',
    async ({ method }) => {
      await withTable(async (table) => {
        const size = batchSize('readByKey', method);
        const read = await prepare(table, 'readByKey', method, { rowsPerCall: size });
        for (const some of [rows.slice(10, 10 + size), rows.slice(50, 51)]) {
          expect(await call(read, keyBatch(some))).toBe(some.length);
        }
        if (keepsRows) expect(await call(read, keyBatch(makeRows(1_000, 1))), 'a key that is not there').toBe(0);
      }, rows);
    },
  );

  const ranges = methodsOf('readRange').flatMap((method) => [3, 1_000].map((fetchSize) => ({ method, fetchSize })));
  test.each(ranges)(
    'readRange by $method returns n rows from the key on, $fetchSize a fetch',
    async ({ method, fetchSize }) => {
      await withTable(async (table) => {
        const read = await prepare(table, 'readRange', method, { rangeRows: 10, fetchSize });
        expect(await call(read, keyBatch(rows.slice(5, 6)))).toBe(10);
        if (keepsRows) expect(await call(read, keyBatch(rows.slice(56, 57))), 'near the end').toBe(4);
      }, rows);
    },
  );

  const scans = methodsOf('scan').flatMap((method) =>
    [7, 1_000].map((fetchSize) => ({ method, fetchSize, bulkFormat: fetchSize === 7 ? 'text' : 'binary' }) as const),
  );
  test.each(scans)(
    'scan by $method reads the whole table, $fetchSize a fetch',
    async ({ method, fetchSize, bulkFormat }) => {
      if (!keepsRows) return;
      await withTable(async (table) => {
        const scan = await prepare(table, 'scan', method, { fetchSize, bulkFormat });
        expect(await call(scan, { rows: 0, columns: [], laidOut: null })).toBe(60);
        expect(await call(scan, { rows: 0, columns: [], laidOut: null }), 'again').toBe(60);
      }, rows);
    },
  );

  test.each(methodsOf('update').map((method) => ({ method })))(
    'update by $method changes the rows named and no other',
    async ({ method }) => {
      await withTable(async (table) => {
        const size = batchSize('update', method);
        const update = await prepare(table, 'update', method, { rowsPerCall: size });
        const changed = rows
          .slice(20, 20 + size + 1)
          .map((row, i) => ({ ...row, text: i === 1 ? null : `changed 🐘 ${i}` }));
        for (const batch of [changed.slice(0, size), changed.slice(size)]) {
          expect(await call(update, updateBatch(batch))).toBe(batch.length);
        }
        await expectContent(table, [...rows.slice(0, 20), ...changed, ...rows.slice(20 + changed.length)]);
      }, rows);
    },
  );

  test.each(methodsOf('delete').map((method) => ({ method })))(
    'delete by $method removes the rows named and no other',
    async ({ method }) => {
      await withTable(async (table) => {
        const size = batchSize('delete', method);
        const remove = await prepare(table, 'delete', method, { rowsPerCall: size });
        for (const batch of [rows.slice(30, 30 + size), rows.slice(30 + size, 31 + size)]) {
          expect(await call(remove, keyBatch(batch))).toBe(batch.length);
        }
        await expectContent(table, [...rows.slice(0, 30), ...rows.slice(31 + size)]);
      }, rows);
    },
  );

  test('settling and reporting leave every row where it is', async () => {
    await withTable(async (table) => {
      await session.reportWork?.();
      await database.settle(table);
      await database.settle(table);
      await expectContent(table, rows);
    }, rows);
  });

  test('what an empty cell promises: prepare refuses as unsupported', async () => {
    await withTable(async (table) => {
      const empty = operations.flatMap((operation) =>
        methods.filter((method) => !has(operation, method)).map((method) => [operation, method] as const),
      );
      expect(empty.length).toBeGreaterThan(0);
      for (const [operation, method] of empty) {
        const error = await prepare(table, operation, method).catch((thrown: unknown) => engine.toError(thrown));
        expect(error, `${operation} by ${method}`).toMatchObject({ kind: 'unsupported' });
      }
    });
  });

  test('a transaction rolled back leaves nothing, one committed stays', async () => {
    await withTable(async (table) => {
      const insert = await prepare(table, 'insert', single('insert'));
      await session.begin();
      await call(insert, toBatch(rows.slice(0, 1)));
      await session.rollback();
      await session.begin();
      await call(insert, toBatch(rows.slice(1, 2)));
      await call(insert, toBatch(rows.slice(2, 3)));
      await session.commit();
      await expectContent(table, rows.slice(1, 3));
    });
  });

  test('two sessions of a process write in turns of whole transactions', async () => {
    await withTable(async (table) => {
      const other = await database.openSession(options);
      try {
        const plan = { table, operation: 'insert', method: single('insert'), settings: defaultSettings } as const;
        const write = async (of: Session, from: number) => {
          const insert = await of.prepare(plan);
          for (let at = from; at < from + 20; at += 5) {
            await of.begin();
            for (const batch of batches(rows.slice(at, at + 5), 1)) {
              await call(insert, batch);
              await sleep(0);
            }
            await of.commit();
          }
        };
        await Promise.all([write(session, 0), write(other, 20)]);
        await expectContent(table, rows.slice(0, 40));
      } finally {
        await other[Symbol.asyncDispose]();
      }
    });
  });

  test(`cancel stops a call as declared: ${descriptor.cancel}`, async () => {
    const { raw, method, rows: slowRows } = server.slow;
    const slowDatabase = await engine.open(config.parse(raw), `${tag}-slow`, signal);
    const table = planTable(`${prefix}cancel`);
    await slowDatabase.prepareSchema(table);
    const release = await server.slow.hold?.(table.name);
    try {
      session = await slowDatabase.openSession(options);
      const insert = await prepare(table, 'insert', method);
      const batch =
        method === 'serverLoop' ? { rows: slowRows, columns: [], laidOut: null } : toBatch(rows.slice(0, 1));
      const running = Promise.resolve(call(insert, batch)).catch((thrown: unknown) => engine.toError(thrown));
      if (descriptor.cancel === 'server') {
        await sleep(100);
        const before = await slowDatabase.probe();
        if (keepsRows) expect(before.gauges.active, 'running at the server').toBe(1);
        await session.cancel();
        expect(await running).toMatchObject({ kind: 'cancelled' });
        if (keepsRows) {
          // The error arrives a moment before the session is idle.
          const active = async () => (await slowDatabase.probe()).gauges.active;
          await expect.poll(active, { timeout: 2_000, message: 'stopped at the server' }).toBe(0);
          expect((await slowDatabase.checksum(table))?.rows).toBe(0);
        }
      } else {
        expect(await running).toBe(1);
        await session.cancel();
      }
      await session[Symbol.asyncDispose]();
    } finally {
      await release?.();
      await slowDatabase.drop(table);
      await slowDatabase[Symbol.asyncDispose]();
    }
  });

  test('cancel stops the control connection, too, which goes on afterwards', async () => {
    await withTable(async (table) => {
      await database.cancel(); // nothing runs
      const unlock = await server.foreign?.lock?.(table.name);
      const waiting = database.checksum(table).catch((thrown: unknown) => engine.toError(thrown));
      if (unlock) {
        await sleep(100);
        await database.cancel();
        expect(await waiting).toMatchObject({ kind: 'cancelled' });
        await unlock();
      }
      await waiting;
      if (keepsRows) await expectContent(table, []);
    });
  });

  test('load reports progress and stops when told to', async () => {
    await withTable(async (table) => {
      const progress: number[] = [];
      await database.load(table, batches(rows, 25), (n) => progress.push(n), signal);
      expect(progress).toEqual([25, 50, 60]);
      await expectContent(table, rows);
      const stop = new AbortController();
      const more = database.load(table, batches(makeRows(100, 50), 10), () => stop.abort(), stop.signal);
      expect(await more.catch((thrown: unknown) => engine.toError(thrown))).toMatchObject({ kind: 'cancelled' });
      await expectContent(table, rows);
    });
  });

  test('tables of others are neither overwritten nor dropped', async () => {
    const { foreign } = server;
    if (!foreign) return;
    const name = `${prefix}foreign`;
    await withTable(async () => {}); // the schema is there
    await foreign.create(name);
    try {
      const kind = (thrown: unknown) => engine.toError(thrown).kind;
      expect(await database.prepareSchema(planTable(name)).catch(kind)).toBe('notOurs');
      expect(await database.drop(planTable(name)).catch(kind)).toBe('notOurs');
      expect(await database.dropLeftovers(prefix)).toEqual([]);
      expect(await foreign.count(name)).toBe(1);
    } finally {
      await foreign.drop(name);
    }
  });

  test('dropping is repeatable, and leftovers go by prefix', async () => {
    const mine = [planTable(`${prefix}left_a`), planTable(`${prefix}left_b`)];
    const other = planTable(`${prefix}stays`);
    for (const table of [...mine, other]) await database.prepareSchema(table);
    expect([...(await database.dropLeftovers(`${prefix}left_`))].sort()).toEqual(
      keepsRows ? mine.map(({ name }) => name) : [],
    );
    await database.prepareSchema(other); // of an interrupted trial: made anew
    await database.drop(other);
    await database.drop(other);
  });

  test('probes never go back, and show work done', async () => {
    await withTable(async (table) => {
      const before = await database.probe();
      const insert = await prepare(table, 'insert', single('insert'));
      for (const batch of batches(makeRows(0, 200), 1)) await call(insert, batch);
      await database.settle(table);
      await database.ping();
      const after = await database.probe();
      expect(after.unavailable).toEqual([]);
      expect(Object.keys(after.counters)).toEqual(Object.keys(before.counters));
      for (const [name, value] of Object.entries(before.counters))
        expect(after.counters[name], name).toBeGreaterThanOrEqual(value);
      for (const name of Object.keys(engine.probeInfo)) expect(name).toMatch(/^[a-z_]+$/);
      if (keepsRows)
        expect({ ...after.counters, ...after.gauges }).not.toEqual({ ...before.counters, ...before.gauges });
      const stored = await database.storedBytes(table);
      if (keepsRows) expect(stored?.tableBytes).toBeGreaterThan(200 * 50);
    });
  });

  test('the fingerprint names product, version and durability', async () => {
    const found = await database.fingerprint();
    expect(found.version).toMatch(/^\d/);
    expect(found.product).toContain(found.version);
    expect(found.standIn === null).toBe(server.excused === undefined);
    expect(Object.keys(found.durability).length).toBeGreaterThan(0);
  });

  test('bytes on the wire are counted where there is a wire', async () => {
    await withTable(async (table) => {
      const before = session.wireBytes();
      const insert = await prepare(table, 'insert', single('insert'));
      await call(insert, toBatch(rows.slice(0, 1)));
      const after = session.wireBytes();
      if (before === null) return expect(after).toBeNull();
      expect(after!.sent).toBeGreaterThan(before.sent + 100);
      expect(after!.received).toBeGreaterThan(before.received);
    });
  });

  test('every cell says what it really is', () => {
    for (const cells of Object.values(descriptor.support)) {
      for (const cell of Object.values(cells)) {
        expect(cell.means.length).toBeGreaterThan(8);
        expect(cell.maxRowsPerCall).toBeGreaterThanOrEqual(1);
      }
    }
  });
});

function* batches(rows: readonly Row[], size: number): Generator<Batch> {
  for (let at = 0; at < rows.length; at += size) yield toBatch(rows.slice(at, at + size));
}
