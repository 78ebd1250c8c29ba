import { describe, expect, test } from 'vitest';
import type { Operation } from '#engine-api/operation.ts';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import { type MethodName, nullBindings } from '#model/settings/vocabulary.ts';
import { type DatasetShape, impossibleText } from '#rules/cells/cell-support.ts';
import { batches, keyBatch, makeRows, type Row, toBatch } from '../rows.ts';
import { call, type Suite, signal } from '../suite.ts';
import { hostileRows } from './hostile-values.ts';
import { rowOf, salesBatch, salesOfStore, storeRows, storesBatch, twoTables } from './two-tables.ts';

/** Columns that hold nulls, so that `nullBinding` matters. */
const withNulls: DatasetShape = {
  columns: {
    number: { type: 'decimal', precision: 9, scale: 2, nulls: 0.5 },
    text: { type: 'text', length: 9, alphabet: 'letters', nulls: 0.5 },
  },
};

/** Sends one call for each row as a batch. Resolves with the rows that each has touched, or its error. */
const sentTogether = async (insert: Operation, rows: readonly Row[]): Promise<readonly unknown[]> => {
  const results = [...batches(rows, 1)].map(
    (batch) =>
      new Promise<unknown>((resolve) => {
        insert.start!(insert.encode(batch), { answered: resolve, failed: resolve });
      }),
  );
  insert.send!();
  return Promise.all(results);
};

export function testInsert(suite: Suite): void {
  const {
    withTable,
    expectContent,
    prepare,
    has,
    single,
    methodsOf,
    batchSize,
    newName,
    toError,
    outcomeOf,
    keepsRows,
    descriptor,
    options,
    alternative,
    withSchema,
    withSession,
  } = suite;
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
          else if (keepsRows) expect((await suite.database.checksum(table))?.rows).toBe(30);
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
        (one) => impossibleText(descriptor, { ...defaultSettings, ...one, options: optionsOfPlan }, withNulls) === null,
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
            await suite.session.begin();
            await call(insert, toBatch(makeRows(500, 1)));
            expect(await twice()).toBe('refused');
            await suite.session.rollback();
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
        const error = await outcomeOf(() => call(insert, toBatch(rows.slice(2, 3))));
        expect(error).toMatchObject({ kind: 'uniqueViolation' });
        await expectContent(table, rows);
      }, rows);
    });

    test.each(refusing)('by $method: a row whose foreign key leads nowhere is refused', async ({ method }) => {
      if (!keepsRows || descriptor.foreignKeys === undefined) return;
      const { stores, sales } = twoTables(newName(), options);
      await withSchema(stores, async () => {
        await suite.database.load(stores, [storesBatch], () => {}, signal);
        await withSchema(sales, async () => {
          await suite.database.load(sales, [salesBatch], () => {}, signal);
          await withSession(async () => {
            const insert = await prepare(sales, 'insert', method, { rowsPerCall: 1 });
            expect(await outcomeOf(() => call(insert, rowOf(1_000, 99, 1)))).toMatchObject({ kind: 'constraint' });
            expect(await call(insert, rowOf(1_000, 2, 1))).toBe(1);
            expect((await suite.database.checksum(sales))?.rows).toBe(storeRows * salesOfStore + 1);
            expect((await suite.database.untrustedForeignKeys?.(sales)) ?? 0).toBe(0);
          });
        });
      });
    });

    test('direct calls commit by themselves, and duplicate keys come out with the checksum at the latest', async () => {
      const direct = methodsOf('insert').filter((method) => descriptor.support.insert![method]!.direct);
      for (const method of direct) {
        const there = makeRows(0, 3);
        await withTable(async (table) => {
          const insert = await prepare(table, 'insert', method, { rowsPerCall: 2 });
          await suite.session.begin();
          expect(await call(insert, toBatch(makeRows(100, 2)))).toBe(2);
          await suite.session.rollback();
          await expectContent(table, [...there, ...makeRows(100, 2)]);
          const error = await call(insert, toBatch(there.slice(0, 1)))
            .then(() => suite.database.checksum(table))
            .catch(toError);
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

    test('calls of a batch have a result each, and the table has the rows of those that were answered', async () => {
      if (!keepsRows || !has('insert', 'batch')) return;
      const there = makeRows(0, 1);
      await withTable(async (table) => {
        const insert = await prepare(table, 'insert', 'batch');
        const first = makeRows(10, 50);
        expect(await sentTogether(insert, first)).toEqual(first.map(() => 1));
        const second = [...makeRows(100, 4), ...there, ...makeRows(200, 5)];
        const results = await sentTogether(insert, second);
        expect(results.slice(0, 4)).toEqual([1, 1, 1, 1]);
        expect(toError(results[4])).toMatchObject({ kind: 'uniqueViolation' });
        const stored = second.filter((_, i) => results[i] === 1);
        await expectContent(table, [...there, ...first, ...stored]);
        expect(await sentTogether(insert, makeRows(300, 2))).toEqual([1, 1]);
        if (descriptor.oneCallPerCommit !== undefined) return;
        await suite.session.begin();
        expect(await sentTogether(insert, makeRows(400, 3))).toEqual([1, 1, 1]);
        const refused = await sentTogether(insert, [...makeRows(500, 1), ...there]);
        expect(toError(refused[1])).toMatchObject({ kind: 'uniqueViolation' });
        await suite.session.rollback();
        await expectContent(table, [...there, ...first, ...stored, ...makeRows(300, 2)]);
      }, there);
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
}
