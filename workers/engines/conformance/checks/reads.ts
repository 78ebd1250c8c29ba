import { expect, test } from 'vitest';
import type { Value } from '#model/batch/decode.ts';
import { batchOf } from '#model/batch/encode.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { ascendingUuids } from '#model/dataset/uuid-order.fixture.ts';
import { unmetNeeds } from '#rules/cells/cell-support.ts';
import { expectedChecksum, keyBatch, makeRows, noRows, rangeBatch, table as rowsTable } from '../rows.ts';
import { call, type Suite, signal } from '../suite.ts';

export function testReads(suite: Suite): void {
  const {
    withTable,
    planTable,
    expectContent,
    prepare,
    single,
    methodsOf,
    batchSize,
    newName,
    keepsRows,
    descriptor,
    options,
    withSchema,
    withSession,
  } = suite;
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
          const held = await suite.database.checksum(table, { column: index, bounds });
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
        expect(await call(scan, noRows)).toBe(60);
        expect(await call(scan, noRows), 'again').toBe(60);
      }, rows);
    },
  );

  test('a scan hands out its rows as an insert takes them', async ({ skip }) => {
    const cell = descriptor.support.copy?.[single('insert')];
    if (!cell || unmetNeeds(descriptor, cell, options).length > 0) skip('It copies nothing so.');
    const refused = rowsTable('').columns.find(
      ({ type }) => descriptor.unsupportedReasons[`copy.${type.kind}`] !== undefined,
    );
    if (refused) skip(descriptor.unsupportedReasons[`copy.${refused.type.kind}`]);
    await withTable(async (source) => {
      const { blocks } = await prepare(source, 'scan', 'prepared', { fetchSize: 7 });
      const read: (readonly Value[])[] = [];
      for await (const block of blocks!()) read.push(...block);
      const target = planTable(newName());
      await withSchema(target, async () => {
        const insert = await prepare(target, 'insert', single('insert'));
        const types = target.columns.map(({ type }) => type);
        for (const row of read) expect(await call(insert, batchOf([row], types))).toBe(1);
        await expectContent(target, rows);
      });
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
        expect(await call(scan, noRows)).toBe(60);
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
        name: newName(),
        key: 0,
        options,
        columns: types.map((type, c) => ({ name: ['id', 'n'][c]!, type, nullable: false })),
      };
      await withSchema(table, async () => {
        const mixed = keys
          .map((key, i) => [key, i])
          .toSorted(([, a], [, b]) => ((Number(a) * 7) % 16) - ((Number(b) * 7) % 16));
        await suite.database.load(table, [batchOf(mixed, types)], () => {}, signal);
        await suite.database.settle(table);
        await withSession(async () => {
          const read = await prepare(table, 'readRange', method, { rangeRows: 100 });
          const found: number[] = [];
          for (const key of keys) found.push(await call(read, batchOf([[key]], [types[0]])));
          expect(found).toEqual(keys.map((_, i) => keys.length - i));
        });
      });
    },
  );
}
