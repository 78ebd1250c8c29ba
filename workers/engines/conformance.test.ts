import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Batch, TableChecksum } from '#contract/batch.ts';
import { type DatasetShape, unmetNeeds, whyImpossible } from '#contract/cell-support.ts';
import {
  type IndexKind,
  type IndexPlan,
  indexKinds,
  type Parameter,
  type PlansByName,
  type TablePlan,
} from '#contract/dataset.ts';
import type { Value } from '#contract/decode.ts';
import { batchOf } from '#contract/encode.ts';
import type { Database, Engine, Operation, OwnStatement, Session } from '#contract/engine.ts';
import { optionsFor } from '#contract/engine-options.ts';
import { DynoError } from '#contract/error.ts';
import { parseDecimal } from '#contract/exact-decimal.ts';
import { probeInfoOf } from '#contract/probe-info.ts';
import { roleUnits } from '#contract/resource.ts';
import {
  defaultSettings,
  type Isolation,
  isolations,
  type MethodName,
  methods,
  nullBindings,
  type Options,
  type Settings,
  type TableOperation,
  tableOperations,
} from '#contract/settings.ts';
import type { CapturedSpec, ListType } from '#contract/statements.ts';
import { ascendingUuids } from '#contract/uuid-order.fixture.ts';
import { capture, capturedType } from '../runner/operations/captured.ts';
import { catalog } from './catalog.ts';
import { type Actor, rereadsOtherwise, seesUncommitted, skewsWrites } from './conformance-isolation.ts';
import {
  type Changes,
  changedNames,
  givenAs,
  hostileChanges,
  hostileText,
  minusUpdate,
  type Position,
  pagedSelects,
  tightPositions,
  tightUpdate,
} from './conformance-literals.ts';
import {
  expectedChecksum,
  keyBatch,
  makeRows,
  type Row,
  rangeBatch,
  table as rowsTable,
  toBatch,
  updateBatch,
} from './conformance-rows.ts';
import { disputedTexts, ownTexts, quoter } from './conformance-statements.ts';
import {
  rowOf,
  salesBatch,
  salesOfStore,
  storeRows,
  storesBatch,
  twoTables,
  twoTableTexts,
} from './conformance-tables.ts';
import { capturedColumns, columnTexts, type ValueTexts, valueTexts } from './conformance-values.ts';
import { loadEngine } from './load.ts';
import { isSkipped } from './skipped.ts';
import type { StartTestServer, TestServer } from './test-server.ts';

/** Every engine's folder brings a server to conform on, maybe others of its products, and maybe options that have to keep the same promises as the defaults. */
interface Fixture {
  readonly startTestServer: StartTestServer;
  readonly alternatives?: readonly Options[];
  readonly otherServers?: Readonly<Record<string, StartTestServer>>;
}
const fixtureOf = async (id: string) => (await import(`./${id}/test-server.fixture.ts`)) as Fixture;

const suites = await Promise.all(
  catalog
    .filter(({ descriptor }) => !isSkipped(descriptor.id))
    .map(async (entry) => {
      const { id } = entry.descriptor;
      // What is wrong with a fixture is told where its server is started.
      const { alternatives = [], otherServers = {} } = await fixtureOf(id).catch((): Partial<Fixture> => ({}));
      const start: StartTestServer = async (folder) => (await fixtureOf(id)).startTestServer(folder);
      return [
        ...[{}, ...alternatives].map((alternative: Options) => {
          const words = Object.entries(alternative).map(([name, value]) => ` ${name}: ${value}`);
          return { ...entry, title: `${id}${words.join('')}`, start, alternative };
        }),
        ...Object.entries(otherServers).map(([name, other]) => ({
          ...entry,
          title: `${id} on ${name}`,
          start: other,
          alternative: {} as Options,
        })),
      ];
    }),
);

/** What makes it matter how nulls are bound. */
const withNulls: DatasetShape = {
  columns: {
    number: { type: 'decimal', precision: 9, scale: 2, nulls: 0.5 },
    text: { type: 'text', length: 9, alphabet: 'letters', nulls: 0.5 },
  },
};

const signal = new AbortController().signal;
const tag = `dyno-conformance-${process.pid}`;
const prefix = `dyno_t${process.pid}_`;

test('sixty rows hold a null of every nullable type, and none in the others', () => {
  const rows = makeRows(0, 60);
  const withNull = Object.keys(rows[0]!).filter((name) => rows.some((row) => row[name as keyof Row] === null));
  expect(withNull).toEqual(['text', 'uuid', 'price', 'at', 'flag', 'blob', 'details']);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(60);
});

describe.each(suites.flat())('$title', ({ descriptor, config, start, alternative }) => {
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
      server = await start(folder);
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
    operation: TableOperation,
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

  const has = (operation: TableOperation, method: MethodName) => descriptor.support[operation]?.[method] !== undefined;
  /** The cell that carries one row by the usual call. */
  const single = (operation: TableOperation) =>
    (['prepared', 'bind', 'literal'] as const).find((method) => has(operation, method))!;
  /** Before there is a server: all that the engine has. */
  const methodsOf = (operation: TableOperation) =>
    (Object.keys(descriptor.support[operation] ?? {}) as MethodName[]).filter(
      (method) => !server?.lacks?.includes(method),
    );
  const batchSize = (operation: TableOperation, method: MethodName) =>
    Math.min(7, descriptor.support[operation]![method]!.maxRowsPerCall);

  /** With which statements of one's own are sent under these options: an engine's driver may have none. */
  const ownMethods = (Object.keys(descriptor.support.statement ?? {}) as MethodName[]).filter(
    (method) => unmetNeeds(descriptor, descriptor.support.statement![method]!, options).length === 0,
  );

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

    test.each(cells)('by $method ($bulkFormat) stores hostile texts as they are', async ({ method, bulkFormat }) => {
      if (!keepsRows || descriptor.support.insert![method]!.serverData) return;
      await withTable(async (table) => {
        const rows = hostileRows(0, 15);
        const size = batchSize('insert', method);
        const insert = await prepare(table, 'insert', method, { rowsPerCall: size, bulkFormat });
        for (const batch of batches(rows, size)) expect(await call(insert, batch)).toBe(batch.rows);
        await expectContent(table, rows);
      });
    });

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

    const optionsOfPlan = Object.fromEntries(
      Object.entries(alternative).map(([name, value]) => [`${descriptor.id}.${name}`, value]),
    );
    const declared = nullBindings
      .filter((nullBinding) => nullBinding !== 'asColumn')
      .flatMap((nullBinding) => methodsOf('insert').map((method) => ({ method, nullBinding })))
      .filter(
        (one) => whyImpossible(descriptor, { ...defaultSettings, ...one, options: optionsOfPlan }, withNulls) === null,
      )
      .filter(({ method }) => !descriptor.support.insert![method]!.serverData);
    test.each(declared)('by $method stores nulls bound $nullBinding', async ({ method, nullBinding }) => {
      await withTable(async (table) => {
        const rows = makeRows(0, 30);
        const size = batchSize('insert', method);
        const insert = await prepare(table, 'insert', method, { rowsPerCall: size, nullBinding });
        for (const batch of batches(rows, size)) expect(await call(insert, batch)).toBe(batch.rows);
        await expectContent(table, rows);
      });
    });

    const refusing = methodsOf('insert')
      .filter((method) => {
        const { serverData, direct, overwrites } = descriptor.support.insert![method]!;
        return !serverData && !direct && !overwrites;
      })
      .map((method) => ({ method }));
    test.each(refusing)(
      'by $method: a failed call leaves the session fit for work, alone and in a transaction rolled back',
      async ({ method }) => {
        if (!keepsRows) return;
        const there = makeRows(0, 3);
        await withTable(async (table) => {
          const insert = await prepare(table, 'insert', method, { rowsPerCall: 1 });
          const twice = () =>
            call(insert, toBatch(there.slice(0, 1))).then(
              () => 'inserted',
              () => 'refused',
            );
          expect(await twice()).toBe('refused');
          if (descriptor.oneCallPerCommit === undefined) {
            await session.begin();
            await call(insert, toBatch(makeRows(500, 1)));
            expect(await twice()).toBe('refused');
            await session.rollback();
          }
          expect(await call(insert, toBatch(makeRows(100, 1)))).toBe(1);
          const remove = await prepare(table, 'delete', single('delete'));
          expect(await call(remove, keyBatch(makeRows(100, 1)))).toBe(1);
          await expectContent(table, there);
        }, there);
      },
    );

    test.each(refusing)('by $method: a key that is there already is refused as uniqueViolation', async ({ method }) => {
      if (!keepsRows) return;
      const rows = makeRows(0, 5);
      await withTable(async (table) => {
        const insert = await prepare(table, 'insert', method, { rowsPerCall: 1 });
        const error = await Promise.resolve()
          .then(() => call(insert, toBatch(rows.slice(2, 3))))
          .catch((thrown: unknown) => engine.toError(thrown));
        expect(error).toMatchObject({ kind: 'uniqueViolation' });
        await expectContent(table, rows);
      }, rows);
    });

    test.each(refusing)('by $method: a row whose foreign key leads nowhere is refused', async ({ method }) => {
      if (!keepsRows || descriptor.foreignKeys === undefined) return;
      const { stores, sales } = twoTables(`${prefix}${counter++}`, options);
      await database.prepareSchema(stores);
      try {
        await database.load(stores, [storesBatch], () => {}, signal);
        await database.prepareSchema(sales);
        await database.load(sales, [salesBatch], () => {}, signal);
        session = await database.openSession(options);
        const insert = await prepare(sales, 'insert', method, { rowsPerCall: 1 });
        const error = await Promise.resolve()
          .then(() => call(insert, rowOf(1_000, 99, 1)))
          .catch((thrown: unknown) => engine.toError(thrown));
        expect(error).toMatchObject({ kind: 'constraint' });
        expect(await call(insert, rowOf(1_000, 2, 1))).toBe(1);
        expect((await database.checksum(sales))?.rows).toBe(storeRows * salesOfStore + 1);
        expect((await database.untrustedForeignKeys?.(sales)) ?? 0).toBe(0);
        await session[Symbol.asyncDispose]();
      } finally {
        await database.drop(sales);
        await database.drop(stores);
      }
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

    test('calls that overwrite leave one row of a key, and the count afterwards tells', async () => {
      for (const method of methodsOf('insert')) {
        if (!descriptor.support.insert![method]!.overwrites) continue;
        const there = makeRows(0, 3);
        await withTable(async (table) => {
          const insert = await prepare(table, 'insert', method, { rowsPerCall: 2 });
          const other = { ...there[0]!, text: 'another' };
          expect(await call(insert, toBatch([other, ...makeRows(100, 1)]))).toBe(2);
          await expectContent(table, [other, ...there.slice(1), ...makeRows(100, 1)]);
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

  const overs = methodsOf('readRange').flatMap((method) =>
    (
      [
        ['at', 5],
        ['price', 4],
        ['id', 0],
      ] as const
    ).map(([column, index]) => ({ method, column, index })),
  );
  test.each(overs)(
    'readRange by $method over $column returns the rows between two values, and checksum() counts the same',
    async ({ method, column, index }) => {
      if (!keepsRows) return;
      await withTable(async (table) => {
        const read = await prepare(table, 'readRange', method, { rangeColumn: column, fetchSize: 7 });
        const values = rows.flatMap((row) => row[column] ?? []).toSorted((a, b) => a - b);
        const [first, low, high, last] = [values[0]!, values[15]!, values[40]!, values.at(-1)!];
        for (const [from, to] of [
          [low, high],
          [first, last + 1],
          [last + 1, last + 2],
        ] as const) {
          const inside = rows.filter((row) => row[column] !== null && row[column] >= from && row[column] < to);
          const bounds = rangeBatch(from, to);
          expect(await call(read, bounds), `${from} to ${to}`).toBe(inside.length);
          const held = await database.checksum(table, { column: index, bounds });
          expect(held).toEqual(expectedChecksum(inside, descriptor.emptyIsNull));
        }
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

  test('a scan hands out its rows as an insert takes them', async ({ skip }) => {
    const cell = descriptor.support.copy?.[single('insert')];
    if (!cell || unmetNeeds(descriptor, cell, options).length > 0) skip('It copies nothing so.');
    const refused = rowsTable('').columns.find(({ type }) => descriptor.cannot[`copy.${type.kind}`] !== undefined);
    if (refused) skip(descriptor.cannot[`copy.${refused.type.kind}`]);
    await withTable(async (source) => {
      const { blocks } = await prepare(source, 'scan', 'prepared', { fetchSize: 7 });
      const read: (readonly Value[])[] = [];
      for await (const block of blocks!()) read.push(...block);
      const target = planTable(`${prefix}${counter++}`);
      await database.prepareSchema(target);
      try {
        const insert = await prepare(target, 'insert', single('insert'));
        const types = target.columns.map(({ type }) => type);
        for (const row of read) expect(await call(insert, batchOf([row], types))).toBe(1);
        await expectContent(target, rows);
      } finally {
        await database.drop(target);
      }
    }, rows);
  });

  const orders = methodsOf('scan').flatMap((method) =>
    ['text', 'uuid', 'price', 'at', 'id'].map((orderBy) => ({ method, orderBy })),
  );
  test.each(orders)('scan by $method sorted by $orderBy leaves no row out', async ({ method, orderBy }) => {
    if (!keepsRows) return;
    await withTable(async (table) => {
      for (const sortMemoryKb of [0, descriptor.sortMemory?.leastKb ?? 0]) {
        const scan = await prepare(table, 'scan', method, { orderBy, sortMemoryKb, fetchSize: 7 });
        expect(await call(scan, { rows: 0, columns: [], laidOut: null })).toBe(60);
      }
    }, rows);
  });

  test.each(methodsOf('readRange').map((method) => ({ method })))(
    'uuid keys are found in the order that is declared, readRange by $method',
    async ({ method }) => {
      if (!keepsRows) return;
      const keys = ascendingUuids(descriptor.uuids.order);
      const types = [{ kind: 'uuid' }, { kind: 'bigint' }] as const;
      const table: TablePlan = {
        name: `${prefix}${counter++}`,
        key: 0,
        options,
        columns: types.map((type, c) => ({ name: ['id', 'n'][c]!, type, nullable: false })),
      };
      await database.prepareSchema(table);
      try {
        const mixed = keys
          .map((key, i) => [key, i])
          .toSorted(([, a], [, b]) => ((Number(a) * 7) % 16) - ((Number(b) * 7) % 16));
        await database.load(table, [batchOf(mixed, types)], () => {}, signal);
        await database.settle(table);
        session = await database.openSession(options);
        const read = await prepare(table, 'readRange', method, { rangeRows: 100 });
        const found: number[] = [];
        for (const key of keys) found.push(await call(read, batchOf([[key]], [types[0]])));
        expect(found).toEqual(keys.map((_, i) => keys.length - i));
        await session[Symbol.asyncDispose]();
      } finally {
        await database.drop(table);
      }
    },
  );

  test.each(methodsOf('update').map((method) => ({ method })))(
    'update by $method stores hostile texts as they are',
    async ({ method }) => {
      if (!keepsRows) return;
      const there = makeRows(0, 15);
      await withTable(async (table) => {
        const size = batchSize('update', method);
        const update = await prepare(table, 'update', method, { rowsPerCall: size });
        const changed = hostileRows(0, 15);
        for (let at = 0; at < changed.length; at += size) await call(update, updateBatch(changed.slice(at, at + size)));
        await expectContent(table, changed);
      }, there);
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
      const empty = tableOperations.flatMap((operation) =>
        methods.filter((method) => !has(operation, method)).map((method) => [operation, method] as const),
      );
      expect(empty.length).toBeGreaterThan(0);
      for (const [operation, method] of empty) {
        const error = await prepare(table, operation, method).catch((thrown: unknown) => engine.toError(thrown));
        expect(error, `${operation} by ${method}`).toMatchObject({ kind: 'unsupported' });
      }
    });
  });

  test('a transaction rolled back leaves nothing, one committed stays', async ({ skip }) => {
    if (descriptor.oneCallPerCommit !== undefined) skip(descriptor.oneCallPerCommit);
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

  test('two sessions of a process write in turns of whole transactions', async ({ skip }) => {
    if (descriptor.oneCallPerCommit !== undefined) skip(descriptor.oneCallPerCommit);
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

  describe('isolation', () => {
    const levels = isolations.filter((level) => level !== 'default');
    const had = levels.filter((level) => descriptor.isolations?.[level] !== undefined);
    const rows = makeRows(0, 2);
    const without = (level: Isolation) => server.noIsolations?.includes(level) === true;

    /** Sessions of these levels, on a table of two rows. */
    async function withActors(
      wanted: readonly Isolation[],
      use: (actors: readonly Actor[], table: TablePlan) => Promise<void>,
    ): Promise<void> {
      await withTable(async (table) => {
        const opened: Session[] = [];
        const actorOf = async (level: Isolation): Promise<Actor> => {
          const own = await database.openSession(options, level);
          opened.push(own);
          const plan = (operation: TableOperation) =>
            ({ table, operation, method: single(operation), settings: { ...defaultSettings, operation } }) as const;
          const [reading, removing] = [await own.prepare(plan('readByKey')), await own.prepare(plan('delete'))];
          const one = (row: number) => keyBatch(rows.slice(row, row + 1));
          return {
            session: own,
            async read(...which) {
              let found = 0;
              for (const row of which) found += await call(reading, one(row));
              return found;
            },
            remove: (row) => call(removing, one(row)),
          };
        };
        try {
          const actors: Actor[] = [];
          for (const level of wanted) actors.push(await actorOf(level));
          await use(actors, table);
        } finally {
          for (const one of opened) await one[Symbol.asyncDispose]();
        }
      }, rows);
    }

    test('a level that engine or server has not is refused as unsupported', async () => {
      const lacking = [...levels.filter((level) => !had.includes(level)), ...(server.noIsolations ?? [])];
      for (const level of lacking) {
        const error = await database.openSession(options, level).catch((thrown: unknown) => engine.toError(thrown));
        expect(error, level).toMatchObject({ kind: 'unsupported', message: expect.stringContaining(level) });
      }
    });

    test.for(had)('the server says that a session has %s, in a transaction and outside', async (level, { skip }) => {
      const { saysIsolation } = server;
      if (saysIsolation === undefined) return skip('Nothing tells a session its level.');
      const asks = ownMethods[0];
      if (asks === undefined) return skip('No session asks statements of one’s own with these options.');
      if (without(level)) skip(`This server has no ${level}.`);
      await withActors([level], async ([actor], table) => {
        // Some methods take another connection; the level goes with the session.
        const insert = { table, operation: 'insert', settings: defaultSettings } as const;
        for (const method of ['bind', 'prepared'] as const)
          if (has('insert', method)) await actor!.session.prepare({ ...insert, method });
        const plan = { text: saysIsolation, parameters: [], method: asks, tables: { table }, options, isRead: true };
        const asking = await actor!.session.prepareStatement!(plan);
        const said = async () => {
          const { rows: told } = await asking.show(asking.encode({ rows: 1, columns: [], laidOut: null }), 1);
          return String(told[0]?.[0]).trim().replaceAll('-', ' ').toUpperCase();
        };
        expect(await said()).toBe(descriptor.isolations![level]);
        await actor!.session.begin();
        expect(await said()).toBe(descriptor.isolations![level]);
        await actor!.session.rollback();
      });
    });

    test.for(had)('what is not committed is seen at readUncommitted alone: %s', async (level, { skip }) => {
      if (!keepsRows) return;
      if (without(level)) skip(`This server has no ${level}.`);
      await withActors([level, level], async ([reader, writer]) => {
        expect(await seesUncommitted(reader!, writer!)).toBe(level === 'readUncommitted');
      });
    });

    test.for(had)('a transaction reads a row twice alike from repeatableRead on: %s', async (level, { skip }) => {
      if (!keepsRows) return;
      if (without(level)) skip(`This server has no ${level}.`);
      await withActors([level, level], async ([reader, writer]) => {
        const isWeak = level === 'readUncommitted' || level === 'readCommitted';
        expect(await rereadsOtherwise(reader!, writer!, isWeak)).toBe(isWeak);
      });
    });

    test.for(had.filter((level) => level === 'snapshot' || level === 'serializable'))(
      'write skew is there at snapshot and not at serializable: %s',
      { timeout: 60_000 },
      async (level, { skip }) => {
        if (!keepsRows) return;
        if (without(level)) skip(`This server has no ${level}.`);
        await withActors([level, level], async ([first, second]) => {
          expect(await skewsWrites([first!, second!], level === 'snapshot')).toBe(level === 'snapshot');
        });
      },
    );
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

  describe('key and indexes', () => {
    const kinds = indexKinds.filter((kind) => descriptor.indexes?.[kind] !== undefined);
    /** Fits every kind: the first that is no key, and short. */
    const columnOf = (kind: IndexKind) => (kind === 'fulltext' ? 1 : 3);
    /** Why the options of this suite leave nothing to try, as plans would say it. */
    const excluded = (build: 'afterLoad' | 'none') =>
      descriptor.options?.some(({ name, cannot }) => cannot?.[String(options[name])]?.[`keyBuild.${build}`]);

    /** Rows go in while the table has no key. */
    async function withKeyless(use: (table: TablePlan) => Promise<void>): Promise<void> {
      const table = { ...planTable(`${prefix}${counter++}`), key: null };
      await database.prepareSchema(table);
      try {
        await database.load(table, batches(rows, 20), () => {}, signal);
        await use(table);
      } finally {
        await database.drop(table);
      }
    }

    test('a key that is added later finds rows and refuses those that are there already', async () => {
      if (descriptor.keyAfterLoad === undefined || excluded('afterLoad') || !keepsRows) return;
      await withKeyless(async (bare) => {
        const table = { ...bare, key: 0 };
        const thrown = await database.addKey(table).catch((error: unknown) => engine.toError(error));
        // Only the server knows: then the cell is an empty one.
        if (thrown) return expect(thrown).toMatchObject({ kind: 'unsupported' });
        await expectContent(table, rows);
        await database.settle(table);
        session = await database.openSession(options);
        const read = await prepare(table, 'readByKey', single('readByKey'));
        expect(await call(read, keyBatch(rows.slice(7, 8)))).toBe(1);
        const update = await prepare(table, 'update', single('update'));
        expect(await call(update, updateBatch([{ ...rows[7]!, text: 'new' }]))).toBe(1);
        const insert = await prepare(table, 'insert', single('insert'));
        const error = await Promise.resolve()
          .then(() => call(insert, toBatch(rows.slice(2, 3))))
          .catch((refused: unknown) => engine.toError(refused));
        expect(error).toMatchObject({ kind: 'uniqueViolation' });
        await session[Symbol.asyncDispose]();
      });
    });

    test('without a key rows go in, and may come twice', async () => {
      if (excluded('none') || descriptor.cannot['keyBuild.none'] !== undefined || !keepsRows) return;
      await withKeyless(async (table) => {
        session = await database.openSession(options);
        const insert = await prepare(table, 'insert', single('insert'));
        expect(await call(insert, toBatch(rows.slice(2, 3)))).toBe(1);
        await expectContent(table, [...rows, ...rows.slice(2, 3)]);
        await session[Symbol.asyncDispose]();
      });
    });

    test('a table in partitions keeps its rows, finds them by key, and goes as a whole', async () => {
      if (descriptor.partitions === undefined || !keepsRows) return;
      const table = { ...planTable(`${prefix}${counter++}`), partitions: { count: 4, by: 0 } };
      const refused = await database.prepareSchema(table).catch((error: unknown) => engine.toError(error));
      // Only the server knows: then the cell is an empty one.
      if (refused) return expect(refused).toMatchObject({ kind: 'unsupported' });
      await database.load(table, batches(rows, 20), () => {}, signal);
      await database.settle(table);
      await expectContent(table, rows);
      session = await database.openSession(options);
      const read = await prepare(table, 'readByKey', single('readByKey'));
      expect(await call(read, keyBatch(rows.slice(7, 8)))).toBe(1);
      const scan = await prepare(table, 'scan', has('scan', 'bulk') ? 'bulk' : single('scan'));
      expect(await call(scan, { rows: 0, columns: [], laidOut: null })).toBe(60);
      await session[Symbol.asyncDispose]();
      const stored = await database.storedBytes(table);
      if (server.noSizes === undefined) expect(stored?.tableBytes).toBeGreaterThan(60 * 50);
      expect(await database.dropLeftovers(table.name)).toEqual([table.name]);
    });

    test.each(kinds.map((kind) => ({ kind })))(
      'an index of the kind $kind is made over no rows and over many, and kept up to date',
      async ({ kind }) => {
        const columns = [columnOf(kind)];
        for (const first of [true, false]) {
          const plain = planTable(`${prefix}${counter++}`);
          const index: IndexPlan = { name: `${plain.name}_i1`, columns, unique: false, kind };
          const table = { ...plain, indexes: [index] };
          await database.prepareSchema(plain);
          try {
            if (first) await database.addIndex(table, index);
            await database.load(table, batches(rows, 20), () => {}, signal);
            if (!first) await database.addIndex(table, index);
            await database.settle(table);
            session = await database.openSession(options);
            const insert = await prepare(table, 'insert', single('insert'));
            expect(await call(insert, toBatch(makeRows(100, 1)))).toBe(1);
            await session[Symbol.asyncDispose]();
            await expectContent(table, [...rows, ...makeRows(100, 1)]);
            const stored = await database.storedBytes(table);
            if (keepsRows && server.noSizes === undefined) expect(stored?.indexBytes).toBeGreaterThan(0);
          } finally {
            await database.drop(table);
          }
        }
      },
    );

    test('a unique index refuses what is there already, early or late', async () => {
      if (descriptor.indexes?.default === undefined || descriptor.cannot['index.unique'] !== undefined || !keepsRows)
        return;
      await withTable(async (table) => {
        const index: IndexPlan = { name: `${table.name}_i1`, columns: [3], unique: true, kind: 'default' };
        await database.addIndex({ ...table, indexes: [index] }, index);
        const insert = await prepare(table, 'insert', single('insert'));
        const again = await Promise.resolve()
          .then(() => call(insert, toBatch([{ ...makeRows(100, 1)[0]!, code: rows[0]!.code }])))
          .catch((thrown: unknown) => engine.toError(thrown));
        expect(again).toMatchObject({ kind: 'uniqueViolation' });
        if (server.uncheckedUnique !== undefined) return;
        const other: IndexPlan = { ...index, name: `${table.name}_i2`, columns: [6] };
        const error = await database
          .addIndex({ ...table, indexes: [index, other] }, other)
          .catch((thrown: unknown) => engine.toError(thrown));
        expect(error).toMatchObject({ kind: 'uniqueViolation' });
        await expectContent(table, rows);
      }, rows);
    });
  });

  test.for([{ pieces: 'one piece' }, { pieces: 'three partitions' }])(
    'two tables in $pieces: the second refers to the first, and statements name them both',
    async ({ pieces }, { skip }) => {
      const { statements: language, foreignKeys, partitions, cannot } = descriptor;
      const spread = pieces === 'three partitions';
      if (!keepsRows || !language) return;
      if (spread && (partitions === undefined || cannot['foreignKeys.partitions'] !== undefined)) return;
      const name = `${prefix}${counter++}`;
      const { stores, sales } = twoTables(name, options, spread ? { partitions: { count: 3, by: 0 } } : {});
      const texts = twoTableTexts(language);
      const method = (['prepared', 'bind', 'literal'] as const).find((one) => ownMethods.includes(one));
      if (method === undefined) return skip('No session asks statements of one’s own with these options.');
      const bigint = (parameter: string) => ({ name: parameter, type: { kind: 'bigint' }, nullable: false }) as const;
      const refusal = await database.prepareSchema(stores).then(
        () => null,
        (thrown: unknown) => engine.toError(thrown),
      );
      // Of one engine's products some may have partitions, and others not.
      if (spread && refusal?.kind === 'unsupported') return;
      expect(refusal).toBeNull();
      try {
        for (const [table, batch] of [
          [stores, storesBatch],
          [sales, salesBatch],
        ] as const) {
          if (table === sales) await database.prepareSchema(sales);
          await database.load(table, [batch], () => {}, signal);
          await database.settle(table);
        }
        session = await database.openSession(options);
        const run = async (text: string, parameters: Readonly<Record<string, number>>, isRead = false) => {
          const columns = Object.keys(parameters).map(bigint);
          const plan = { text, parameters: columns, method, tables: { stores, sales }, options, isRead };
          const own = await session.prepareStatement!(plan);
          return own.run(own.encode(rowOf(...Object.values(parameters))));
        };
        expect(await run(texts.join, { id: 2 }, true)).toBe(salesOfStore);
        expect(await run(texts.sell, { id: 1_001, store: 2 })).toBe(1);
        expect(await run(texts.join, { id: 2 }, true)).toBe(salesOfStore + 1);
        if (foreignKeys !== undefined) {
          const kind = (thrown: unknown) => engine.toError(thrown).kind;
          expect(await run(texts.sell, { id: 1_002, store: 99 }).catch(kind)).toBe('constraint');
          expect(await run(texts.closeStore, { id: 3 }).catch(kind)).toBe('constraint');
        }
        expect((await database.checksum(stores))?.rows).toBe(storeRows);
        await session[Symbol.asyncDispose]();
      } finally {
        expect(await database.dropLeftovers(name)).toEqual([sales.name, stores.name]);
      }
    },
  );

  describe('own statements', () => {
    const language = descriptor.statements;
    const texts = ownTexts(
      language ?? { language: 'sql' },
      rowsTable('').columns.map(({ name }) => name),
    );
    const statement = (
      table: TablePlan,
      text: string,
      method: MethodName,
      names: readonly string[],
      isRead = false,
      on = session,
    ) =>
      on.prepareStatement!({
        text,
        method,
        parameters: names.map((name) => table.columns.find((column) => column.name === name)!),
        tables: { table },
        options,
        isRead,
      });
    /** The values of a row, as many as there are names. */
    const values = (table: TablePlan, row: Row, names: readonly string[]): Batch => {
      const { columns } = toBatch([row]);
      return {
        rows: 1,
        laidOut: null,
        columns: names.map((name) => columns[table.columns.findIndex((column) => column.name === name)]!),
      };
    };
    const rows = makeRows(0, 16);
    const all = rowsTable('').columns.map(({ name }) => name);

    test.each(ownMethods)('by %s: parameters of every type, and nulls, arrive as they are', async (method) => {
      if (!keepsRows) return;
      await withTable(async (table) => {
        const insert = await statement(table, texts.insert, method, all);
        for (const row of rows) expect(await insert.run(insert.encode(values(table, row, all)))).toBe(1);
        await expectContent(table, rows);
      });
    });

    test.each(ownMethods)('by %s: rows are counted, and shown as text', async (method) => {
      if (!keepsRows) return;
      await withTable(async (table) => {
        await database.settle(table);
        const select = await statement(table, texts.select, method, ['id'], true);
        const [first, second] = [rows[0]!, rows[1]!];
        const shown = await select.show(select.encode(values(table, first, ['id'])), 10);
        expect(shown.rows).toEqual([[first.text]]);
        expect(shown.columns.map((name) => name.toLowerCase())).toEqual(['text']);
        expect(shown.count).toBe(1);
        expect(await select.run(select.encode(values(table, second, ['id'])))).toBe(1);
        const twice = await statement(table, texts.twice, method, ['id', 'code'], true);
        const both = { ...first, code: second.code };
        expect(await twice.run(twice.encode(values(table, both, ['id', 'code'])))).toBe(2);
        expect((await twice.show(twice.encode(values(table, both, ['id', 'code'])), 1)).rows).toHaveLength(1);
      }, rows);
    });

    test.each(ownMethods)(
      'by %s: the first row of an answer is there for the next step, in a transaction, too',
      async (method) => {
        if (!keepsRows) return;
        await withTable(async (table) => {
          await database.settle(table);
          const select = await statement(table, texts.select, method, ['id'], true);
          const [one, other] = [rows[2]!, rows[3]!];
          const first = await select.first(select.encode(values(table, one, ['id'])));
          expect(first).toMatchObject({ rows: [[one.text]], count: 1 });
          expect(first.columns.map((name) => name.toLowerCase())).toEqual(['text']);
          const twice = await statement(table, texts.twice, method, ['id', 'code'], true);
          const both = await twice.first(twice.encode(values(table, { ...one, code: other.code }, ['id', 'code'])));
          expect([both.rows.length, both.count]).toEqual([1, 2]);
          const remove = await statement(table, texts.remove, method, ['id']);
          await session.begin();
          expect((await remove.first(remove.encode(values(table, one, ['id'])))).count).toBe(1);
          const again = await select.first(select.encode(values(table, one, ['id'])));
          const left = descriptor.changesAtCommit ? 1 : 0;
          expect([again.rows.length, again.count]).toEqual([left, left]);
          await session.rollback();
          await expectContent(table, rows);
        }, rows);
      },
    );

    test.each(ownMethods)('by %s: what the server does not understand is refused as such', async (method) => {
      if (!keepsRows) return;
      await withTable(async (table) => {
        const error = await statement(table, texts.wrong, method, [], true)
          .then((wrong) => wrong.run(wrong.encode({ rows: 1, columns: [], laidOut: null })))
          .catch((thrown: unknown) => (thrown instanceof DynoError ? thrown.data : engine.toError(thrown)));
        expect(error).toMatchObject({ kind: 'syntax' });
        const unknown = await Promise.resolve()
          .then(() => statement(table, texts.select, method, [], true))
          .catch((thrown: unknown) => (thrown as DynoError).data);
        expect(unknown).toMatchObject(language?.language === 'json' ? {} : { kind: 'badInput' });
      }, rows);
    });

    /** Runs it, and answers the rows touched; null: it was refused. */
    const runOrRefuse = async (prepared: OwnStatement, batch: Batch): Promise<number | null> => {
      try {
        return await prepared.run(prepared.encode(batch));
      } catch {
        return null;
      }
    };
    const sqlMethods = language?.language === 'sql' && keepsRows ? ownMethods : [];

    test.each(sqlMethods)(
      'by %s: a hostile value is a value, directly beside a sign, quote or comment',
      async (method) => {
        await withTable(async (table) => {
          await database.settle(table);
          const counted = async (position: Position): Promise<number | null> => {
            const { parameters, row } = givenAs(position);
            const plan = { text: position.text, method, parameters, tables: { table }, options, isRead: true };
            const prepared = await session.prepareStatement!(plan).catch(() => null);
            const types = parameters.map(({ type }) => type);
            return prepared && runOrRefuse(prepared, batchOf([row], types));
          };
          const numbers = fc.record({
            n: fc.integer({ min: -(2 ** 45), max: 2 ** 45 }),
            k: fc.integer({ min: 1, max: 9 }),
            said: hostileText.filter((one) => !/^[\0 ]|\0/.test(one)),
          });
          await fc.assert(
            fc.asyncProperty(fc.constantFrom(...rows), numbers, async ({ id }, given) => {
              for (const position of tightPositions(language!, id, given)) {
                const found = await counted(position);
                // Where a server cannot tell a parameter's type by its position, it refuses it.
                if (method === 'literal' || found !== null) expect(found, JSON.stringify(position)).toBe(1);
              }
            }),
            { numRuns: 5, examples: [[rows[0]!, { n: -5, k: 2, said: "'--" }]] },
          );
          const pages: (number | null)[] = [];
          for (const text of pagedSelects(language!)) pages.push(await counted({ text, values: { k: 3 } }));
          expect(pages).toContain(3);
          await expectContent(table, rows);
        }, rows);
      },
    );

    test('by literal: what is subtracted is no comment, and the other rows stay as they are', async () => {
      if (!sqlMethods.includes('literal')) return;
      const row = rows.find(({ price }) => price === -1)!;
      await withTable(async (table) => {
        const plan = {
          text: minusUpdate(language!),
          method: 'literal',
          parameters: ['n', 'id'].map((name) => ({ name, type: { kind: 'bigint' }, nullable: false }) as const),
          tables: { table },
          options,
          isRead: false,
        } as const;
        const update = await session.prepareStatement!(plan);
        expect(await update.run(update.encode(rowOf(-5, row.id)))).toBe(1);
        const price = row.price! + (server.decimalsAreWhole ? 5 : 5_000);
        await expectContent(
          table,
          rows.map((one) => (one === row ? { ...one, price } : one)),
        );
        // All digits of the least number that 64 bits hold.
        const name = quoter(language!);
        const least = `SELECT ${name('code')} FROM {table} WHERE ${name('id')} >:n AND :id=${name('id')}`;
        const above = await session.prepareStatement!({ ...plan, text: least, isRead: true });
        expect(await above.run(above.encode(rowOf(-(2 ** 63), row.id)))).toBe(1);
      }, rows);
    });

    test.each(sqlMethods)('by %s: hostile values of every type are stored, or refused as with bind', async (method) => {
      await withTable(async (table) => {
        const names = [...changedNames, 'id'];
        const update = await statement(table, tightUpdate(language!), method, names);
        // A session of its own: some drivers have one connection, or one statement of a text, for either method.
        await using other = await database.openSession(options);
        const bound = await statement(
          table,
          tightUpdate(language!),
          ownMethods.includes('bind') ? 'bind' : method,
          names,
          false,
          other,
        );
        const row = rows[3]!;
        await fc.assert(
          fc.asyncProperty(hostileChanges, async (changes: Changes) => {
            const changed = { ...row, ...changes };
            const outcome = async (by: OwnStatement) => {
              const touched = await runOrRefuse(by, values(table, changed, names));
              // Some drivers read a text to its first NUL.
              if (!changes.text?.includes('\0'))
                await expectContent(
                  table,
                  rows.map((one) => (one === row && touched !== null ? changed : one)),
                );
              return { touched, content: await database.checksum(table) };
            };
            expect(await runOrRefuse(bound, values(table, row, names))).toBe(1);
            expect(await outcome(update)).toEqual(await outcome(bound));
          }),
          { numRuns: 15 },
        );
      }, rows);
    });

    test.each(ownMethods)('by %s: hostile texts are stored as they are', async (method) => {
      if (!keepsRows) return;
      await withTable(async (table) => {
        const insert = await statement(table, texts.insert, method, all);
        const fresh = hostileRows(100, 6);
        for (const row of fresh) expect(await insert.run(insert.encode(values(table, row, all)))).toBe(1);
        await expectContent(table, [...rows, ...fresh]);
      }, rows);
    });

    test.each(sqlMethods)(
      'by %s: a second statement in a text is refused, a semicolon at its end is not',
      async (method) => {
        await withTable(async (table) => {
          const [name, row] = [quoter(language!), rows[0]!];
          const removeAll = 'DELETE FROM {table}';
          const second = [
            `${texts.remove};${removeAll}`,
            `${texts.remove} ;\n-- ;\n ${removeAll};`,
            `${texts.select}\n; ${removeAll} /* ; */`,
          ];
          for (const text of second) {
            const refused = statement(table, text, method, ['id']).catch(
              (thrown: unknown) => (thrown as DynoError).data,
            );
            expect(await refused, text).toMatchObject({ kind: 'badInput', message: expect.stringContaining('DELETE') });
          }
          await expectContent(table, rows);
          const from = `SELECT ${name('code')} FROM {table} WHERE ${name('id')} = :id`;
          const one = [
            `${from};`,
            `${from} ; -- ${removeAll}\n;`,
            `/* ; ${removeAll} */ ${from} AND '; ${removeAll}' <> 'it''s; ${removeAll}' -- ; ${removeAll}`,
          ];
          for (const text of one) {
            const select = await statement(table, text, method, ['id'], true);
            expect(await select.run(select.encode(values(table, row, ['id']))), text).toBe(1);
            expect((await select.show(select.encode(values(table, row, ['id'])), 2)).count, text).toBe(1);
          }
          await expectContent(table, rows);
        }, rows);
      },
    );

    test('comments nest as the dialect says', async () => {
      if (language?.language !== 'sql' || !keepsRows) return;
      await withTable(async (table) => {
        const name = quoter(language);
        const text = `SELECT ${name('code')} FROM {table} WHERE ${name('id')} = :id /* /* */ AND 1 = 0 -- */\n`;
        const select = await statement(table, text, ownMethods[0]!, ['id'], true);
        const found = await select.run(select.encode(values(table, rows[0]!, ['id'])));
        expect(found).toBe(language.quoting?.includes('nested') ? 1 : 0);
      }, rows);
    });

    test.each(sqlMethods)(
      'by %s: whatever the server takes for a comment or a quote, no second statement runs',
      async (method) => {
        await withTable(async (table) => {
          const name = quoter(language!);
          const select = `SELECT ${name('code')} FROM {table} WHERE ${name('id')} = :id`;
          for (const text of disputedTexts(select, 'DELETE FROM {table}')) {
            // Refused, or an error, or one row: as the dialect has it.
            const prepared = await statement(table, text, method, ['id'], true).catch(() => null);
            if (prepared)
              expect([null, 0, 1], text).toContain(await runOrRefuse(prepared, values(table, rows[0]!, ['id'])));
          }
          await expectContent(table, rows);
        }, rows);
      },
    );

    test('several as a transaction are undone with the first error', async () => {
      const method = ownMethods.at(-1);
      if (method === undefined || !keepsRows) return;
      await withTable(async (table) => {
        const insert = await statement(table, texts.insert, method, all);
        const fresh = makeRows(100, 1)[0]!;
        await session.begin();
        expect(await insert.run(insert.encode(values(table, fresh, all)))).toBe(1);
        const error = await Promise.resolve()
          .then(() => insert.run(insert.encode(values(table, rows[0]!, all))))
          .then(() => session.commit())
          .catch((thrown: unknown) => engine.toError(thrown));
        expect(error).toMatchObject({ kind: 'uniqueViolation' });
        await session.rollback();
        await expectContent(table, rows);
        await session.begin();
        expect(await insert.run(insert.encode(values(table, fresh, all)))).toBe(1);
        await session.commit();
        await expectContent(table, [...rows, fresh]);
      }, rows);
    });

    test.each(ownMethods)(
      'by %s: where changes are made with the commit, one of a row that is not there fails it',
      async (method) => {
        if (!descriptor.changesAtCommit) return;
        await withTable(async (table) => {
          const [insert, remove] = [
            await statement(table, texts.insert, method, all),
            await statement(table, texts.remove, method, ['id']),
          ];
          const [fresh, missing] = makeRows(100, 2) as [Row, Row];
          await session.begin();
          expect(await insert.run(insert.encode(values(table, fresh, all)))).toBe(1);
          expect(await remove.run(remove.encode(values(table, missing, ['id'])))).toBe(1);
          const error = await Promise.resolve(session.commit()).catch((thrown: unknown) => engine.toError(thrown));
          expect(error).toMatchObject({ kind: 'wrongResult', retryable: false });
          await session.rollback();
          await expectContent(table, rows);
          expect(await remove.run(remove.encode(values(table, missing, ['id'])))).toBe(0);
        }, rows);
      },
    );

    test.each(ownMethods)(
      'by %s: what is shown and explained in a transaction is undone by its rollback',
      async (method) => {
        if (!keepsRows) return;
        await withTable(async (table) => {
          const remove = await statement(table, texts.remove, method, ['id']);
          await session.begin();
          expect(await remove.whyNotUndone?.()).toBeOneOf([null, undefined]);
          const call = () => remove.encode(values(table, rows[3]!, ['id']));
          expect((await remove.show(call(), 10)).count).toBe(1);
          const plan = await remove.explain(call()).catch((thrown: unknown) => engine.toError(thrown));
          if (server.noPlans === undefined)
            expect(plan).toEqual(
              typeof plan === 'string'
                ? expect.stringMatching(/\w{3}/)
                : expect.objectContaining({ kind: 'unsupported' }),
            );
          await session.rollback();
          await expectContent(table, rows);
        }, rows);
      },
    );

    const change = async (text: string, tables: PlansByName): Promise<void> => {
      const plan = { text, method: ownMethods[0]!, parameters: [], tables, options, isRead: false };
      const changing = await session.prepareStatement!(plan);
      await changing.run(changing.encode({ rows: 1, columns: [], laidOut: null }));
    };
    /** Some servers make an index for each new question. */
    const manyStatements = 300_000;
    /** What a step would capture of a statement's answer, and what `find` then answers. */
    const foundAgain = async (
      tables: PlansByName,
      { select, find }: Pick<ValueTexts, 'select' | 'find'>,
      method: MethodName,
      given: { readonly columns: readonly Parameter[]; readonly batch: Batch },
      how: { readonly as: ListType; readonly scale?: number | undefined },
    ) => {
      const prepared = (text: string, parameters: readonly Parameter[]) =>
        session.prepareStatement!({ text, method, parameters, tables, options, isRead: true });
      const selecting = await prepared(select, given.columns);
      const call = () => selecting.encode(given.batch);
      expect(await selecting.run(call())).toBe(1);
      const [shown, first] = [await selecting.show(call(), 1), await selecting.first(call())];
      const [value] = shown.rows[0] ?? [];
      const spec: CapturedSpec = { type: 'captured', from: 'select', column: first.columns[0] ?? '', ...how };
      const parameter: Parameter = { name: 'v', type: capturedType(spec), nullable: true };
      const finding = await prepared(find, [parameter]);
      const answers = await Promise.all(
        [shown, first].map((answer) => ({ rows: 1, columns: [capture(spec, answer)], laidOut: null })),
      );
      const found: (readonly (readonly (string | null)[])[])[] = [];
      for (const batch of answers) found.push((await finding.show(finding.encode(batch), 100)).rows);
      return { value, first: first.rows[0]?.[0], found };
    };

    test.each(ownMethods)(
      'by %s: a value of any type is shown to its last digit, and captured finds its row again',
      async (method) => {
        if (!keepsRows) return;
        await withTable(async ({ name }) => {
          for (const [i, typed] of server.values.entries()) {
            const table = planTable(`${name}v${i}`);
            const texts = valueTexts(language!, typed);
            const tables = { table };
            const title = `${typed.literal} of ${typed.type ?? typed.as}`;
            try {
              for (const text of texts.make) await change(text, tables);
              await database.settle(table);
              const nothing = { columns: [], batch: { rows: 1, columns: [], laidOut: null } };
              const { value, first, found } = await foundAgain(tables, texts, method, nothing, typed);
              expect([value, first], title).toEqual([typed.shown, typed.shown]);
              expect(found, title).toEqual([[['1']], [['1']]]);
            } finally {
              for (const text of texts.unmake) await change(text, tables);
            }
          }
        });
      },
      manyStatements,
    );

    test.each(ownMethods)(
      'by %s: what is captured of a column of Dyno’s own finds its row again',
      async (method) => {
        if (!keepsRows) return;
        await withTable(async (table) => {
          await database.settle(table);
          const id = table.columns[0]!;
          for (const [column, as] of Object.entries(capturedColumns))
            for (const row of rows.slice(0, 9)) {
              if (row[column as keyof Row] === null) continue;
              const given = { columns: [id], batch: values(table, row, ['id']) };
              const texts = columnTexts(language!, column);
              const { value, found } = await foundAgain({ table }, texts, method, given, { as });
              const title = `${column} of ${row.id}`;
              for (const one of found)
                expect(
                  one.map(([key]) => key),
                  title,
                ).toContain(String(row.id));
              if (as === 'decimal') {
                expect(parseDecimal(value!)!.unscaled * 1_000n, title).toBe(
                  BigInt(row.price!) * 10n ** BigInt(parseDecimal(value!)!.scale),
                );
              }
            }
        }, rows);
      },
      manyStatements,
    );

    test('tables of the user’s own are found, Dyno’s are not', async () => {
      if (!database.ownTables) return;
      await withTable(async (table) => {
        const found = await database.ownTables!();
        expect(found.filter(({ name }) => name.toLowerCase() === table.name)).toEqual([]);
        for (const { columns } of found) expect(columns.every((name) => name.length > 0)).toBe(true);
      });
    });
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

  test('an emptied cache leaves the rows where they are', async () => {
    expect(database.emptyCache !== undefined).toBe(descriptor.emptyCache !== undefined);
    const rows = makeRows(0, 40);
    await withTable(async (table) => {
      const refused = await database.emptyCache?.().then(
        () => null,
        (thrown: unknown) => engine.toError(thrown),
      );
      // A server may have other users: then it says so.
      expect([undefined, 'unsupported']).toContain(refused?.kind);
      const found = await database.checksum(table);
      if (keepsRows) expect(found).toEqual(expectedChecksum(rows));
    }, rows);
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
      for (const name of Object.keys(engine.probeInfo)) expect(name).toMatch(/^[a-z_]+$|^wait:/);
      if (keepsRows)
        expect({ ...after.counters, ...after.gauges }).not.toEqual({ ...before.counters, ...before.gauges });
      const stored = await database.storedBytes(table);
      if (server.noSizes !== undefined) expect(stored, server.noSizes).toBeNull();
      else if (keepsRows) expect(stored?.tableBytes).toBeGreaterThan(200 * 50);
    });
  });

  test('what probes tell is explained, in classes and roles that it can have', async () => {
    await withTable(async (table) => {
      const samples = [await database.probe()];
      const insert = await prepare(table, 'insert', single('insert'));
      for (let at = 0; at < 3; at++) {
        const since = performance.now();
        for (const batch of batches(makeRows(at * 50, 50), 1)) await call(insert, batch);
        const sample = await database.probe();
        const sinceMs = performance.now() - since;
        for (const { kind, agoMs, durationMs, bytes, sum } of sample.events ?? []) {
          expect(engine.probeInfo[kind], kind).toBeDefined();
          expect(durationMs, kind).toBeGreaterThanOrEqual(0);
          expect(bytes ?? 0, kind).toBeGreaterThanOrEqual(0);
          // Told once: what ended before the last sample was in that. Clocks are compared to half a round trip.
          expect(agoMs, kind).toBeLessThan(sinceMs + (sum?.spanMs ?? durationMs) + 500);
        }
        samples.push(sample);
      }
      const counted = new Set(samples.flatMap(({ counters, gauges }) => Object.keys({ ...counters, ...gauges })));
      for (const [name, { unit, class: ofClass, role }] of Object.entries(engine.probeInfo)) {
        const isSessions = name.startsWith('wait:') || name === 'running';
        // Kinds of events are neither counters nor gauges: what they are of is their duration.
        if (ofClass !== undefined && !isSessions && counted.has(name)) expect(['ms', 'us'], name).toContain(unit);
        if (isSessions) expect(ofClass, name).toBeDefined();
        if (role !== undefined) expect(unit, name).toBe(roleUnits[role]);
      }
      for (const name of counted)
        if (name.startsWith('wait:')) expect(probeInfoOf(engine.probeInfo, name)?.class, name).toBeDefined();
    });
  });

  test('the fingerprint names product, version and durability', async () => {
    const found = await database.fingerprint();
    expect(found.version).toMatch(/^\d/);
    expect(found.product).toContain(found.version);
    expect(found.standIn === null).toBe(server.excused === undefined);
    expect(Object.keys(found.durability).length).toBeGreaterThan(0);
    if (found.cacheBytes !== undefined) expect(found.cacheBytes).toBeGreaterThan(2 ** 16);
    const countsPages = Object.values(engine.probeInfo).some(({ role }) => role === 'pagesRead');
    if (countsPages && found.standIn === null) expect(found.pageBytes).toBeGreaterThanOrEqual(512);
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

/** Rows with hostile texts, but without control characters: some servers refuse a NUL, some drivers read to it, and RavenDB 4.1 answers others as no JSON has them. */
function hostileRows(first: number, count: number): readonly Row[] {
  const texts = fc.sample(
    hostileText.map((text) => text.replaceAll(/[^\P{Cc}\t\n\r]/gu, '')).filter((text) => text !== ''),
    { numRuns: count, seed: first },
  );
  return makeRows(first, count).map((row, i) => ({ ...row, text: texts[i]! }));
}

function* batches(rows: readonly Row[], size: number): Generator<Batch> {
  for (let at = 0; at < rows.length; at += size) yield toBatch(rows.slice(at, at + size));
}
