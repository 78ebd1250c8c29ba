import { describe, expect, test } from 'vitest';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { type IndexKind, type IndexPart, type IndexPlan, indexFeatures, indexKinds } from '#model/dataset/indexes.ts';
import { batches, keyBatch, makeRows, noRows, toBatch, updateBatch } from '../rows.ts';
import { call, type Suite, signal } from '../suite.ts';

export function testKeyAndIndexes(suite: Suite): void {
  const {
    withTable,
    planTable,
    expectContent,
    prepare,
    has,
    single,
    newName,
    withSchema,
    withSession,
    toError,
    outcomeOf,
    keepsRows,
    descriptor,
    options,
  } = suite;
  const rows = makeRows(0, 60);
  describe('key and indexes', () => {
    const kinds = indexKinds.filter((kind) => descriptor.indexes?.[kind] !== undefined);
    /** A part that the kind accepts, and that is not the key. */
    const partOf = (kind: IndexKind): IndexPart => {
      if (kind === 'gist') return { expression: `to_tsvector('simple', text)` };
      // No document of the rows has a position there, so that the index is empty.
      if (kind === '2dsphere') return { column: 8, path: ['text', 'position'] };
      return { column: kind === 'fulltext' ? 1 : kind === 'gin' || kind === 'wildcard' ? 8 : 3 };
    };
    const indexOn = (table: TablePlan, parts: readonly IndexPart[], more: Partial<IndexPlan> = {}): IndexPlan => ({
      ...{ name: `${table.name}_i1`, label: 'index', parts, unique: false, kind: 'btree' },
      ...more,
    });
    /** True if the options of this suite exclude this way to create the key. */
    const excluded = (build: 'afterLoad' | 'none') =>
      descriptor.options?.some(
        ({ name, unsupportedReasons }) => unsupportedReasons?.[String(options[name])]?.[`keyCreation.${build}`],
      );

    /** Loads rows while the table has no key. */
    async function withKeyless(use: (table: TablePlan) => Promise<void>): Promise<void> {
      const table = { ...planTable(newName()), key: null };
      await withSchema(table, async () => {
        await suite.database.load(table, batches(rows, 20), () => {}, signal);
        await use(table);
      });
    }

    test('a key that is added later finds rows and refuses those that are there already', async () => {
      if (descriptor.keyAfterLoad === undefined || excluded('afterLoad') || !keepsRows) return;
      await withKeyless(async (bare) => {
        const table = { ...bare, key: 0 };
        const thrown = await suite.database.addKey(table).catch(toError);
        // A server may refuse the key for reasons that the descriptor does not know; the cell is then an empty one.
        if (thrown) return expect(thrown).toMatchObject({ kind: 'unsupported' });
        await expectContent(table, rows);
        await suite.database.settle(table);
        await withSession(async () => {
          const read = await prepare(table, 'readByKey', single('readByKey'));
          expect(await call(read, keyBatch(rows.slice(7, 8)))).toBe(1);
          const update = await prepare(table, 'update', single('update'));
          expect(await call(update, updateBatch([{ ...rows[7]!, text: 'new' }]))).toBe(1);
          const insert = await prepare(table, 'insert', single('insert'));
          const error = await outcomeOf(() => call(insert, toBatch(rows.slice(2, 3))));
          expect(error).toMatchObject({ kind: 'uniqueViolation' });
        });
      });
    });

    test('without a key rows go in, and may come twice', async () => {
      if (excluded('none') || descriptor.unsupportedReasons['keyCreation.none'] !== undefined || !keepsRows) return;
      await withKeyless(async (table) => {
        await withSession(async () => {
          const insert = await prepare(table, 'insert', single('insert'));
          expect(await call(insert, toBatch(rows.slice(2, 3)))).toBe(1);
          await expectContent(table, [...rows, ...rows.slice(2, 3)]);
        });
      });
    });

    test('a table in partitions keeps its rows, finds them by key, and goes as a whole', async () => {
      if (descriptor.partitions === undefined || !keepsRows) return;
      const table = { ...planTable(newName()), partitions: { count: 4, by: 0 } };
      const refused = await suite.database.prepareSchema(table).catch(toError);
      // A server may refuse partitions for reasons that the descriptor does not know; the cell is then an empty one.
      if (refused) return expect(refused).toMatchObject({ kind: 'unsupported' });
      await suite.database.load(table, batches(rows, 20), () => {}, signal);
      await suite.database.settle(table);
      await expectContent(table, rows);
      await withSession(async () => {
        const read = await prepare(table, 'readByKey', single('readByKey'));
        expect(await call(read, keyBatch(rows.slice(7, 8)))).toBe(1);
        const scan = await prepare(table, 'scan', has('scan', 'bulk') ? 'bulk' : single('scan'));
        expect(await call(scan, noRows)).toBe(60);
      });
      const stored = await suite.database.storedBytes(table);
      if (suite.server.noStoredBytes === undefined) expect(stored?.tableBytes).toBeGreaterThan(60 * 50);
      expect((await suite.database.dropLeftovers(table.name)).dropped).toEqual([table.name]);
    });

    test.each(kinds.map((kind) => ({ kind })))(
      'an index of the kind $kind is made over no rows and over many, and kept up to date',
      async ({ kind }) => {
        const parts = [partOf(kind)];
        for (const first of [true, false]) {
          const plain = planTable(newName());
          const index = indexOn(plain, parts, { kind });
          const table = { ...plain, indexes: [index] };
          await withSchema(plain, async () => {
            if (first) await suite.database.addIndex(table, index);
            await suite.database.load(table, batches(rows, 20), () => {}, signal);
            if (!first) await suite.database.addIndex(table, index);
            await suite.database.settle(table);
            await withSession(async () => {
              const insert = await prepare(table, 'insert', single('insert'));
              expect(await call(insert, toBatch(makeRows(100, 1)))).toBe(1);
            });
            await expectContent(table, [...rows, ...makeRows(100, 1)]);
            const stored = await suite.database.storedBytes(table);
            if (keepsRows && suite.server.noStoredBytes === undefined) expect(stored?.indexBytes).toBeGreaterThan(0);
          });
        }
      },
    );

    test.skipIf(descriptor.removesIndexes === undefined || !keepsRows)(
      'an index is dropped from a loaded table and created again, and the rows stay',
      async () => {
        const plain = planTable(newName());
        const [index, other] = [indexOn(plain, [{ column: 3 }]), indexOn(plain, [{ column: 6 }])];
        await withSchema(plain, async () => {
          await suite.database.load(plain, batches(rows, 20), () => {}, signal);
          await suite.database.addIndex({ ...plain, indexes: [index] }, index);
          await suite.database.removeIndex!({ ...plain, indexes: [index] }, index);
          const bare = await suite.database.storedBytes(plain);
          expect(bare?.eachIndex ?? {}).not.toHaveProperty(index.name);
          // The other index has the same name, so that the first one is gone.
          await suite.database.addIndex({ ...plain, indexes: [other] }, other);
          await suite.database.settle(plain);
          await expectContent(plain, rows);
        });
      },
    );

    const optional = kinds.flatMap((kind) =>
      indexFeatures.flatMap((feature) =>
        descriptor.indexes?.[kind]?.takes?.[feature] === undefined ? [] : [{ kind, feature }],
      ),
    );

    test.skipIf(descriptor.reference === true).for(optional)(
      'the catalog shows an index of the kind $kind with the option $feature as asked, and nothing of it once the table is dropped',
      async ({ kind, feature }, { skip }) => {
        const { indexes } = suite.server;
        if (!indexes) return skip('The fixture of this engine reads no catalog.');
        const sample = indexes.samples[feature];
        const plain = planTable(newName());
        const asked = { ...indexOn(plain, [partOf(kind)], { kind }), ...sample?.change(partOf(kind), kind) };
        await withSchema(plain, async () => {
          await suite.database.load(plain, batches(rows, 20), () => {}, signal);
          const usual = { ...indexOn(plain, [{ column: 6 }]), name: `${plain.name}_i2` };
          await suite.database.addIndex({ ...plain, indexes: [usual] }, usual);
          const refusal = await suite.database.addIndex({ ...plain, indexes: [usual, asked] }, asked).catch(toError);
          // A version of the server may lack the option; the cell is then an empty one.
          if (refusal) return expect(refusal).toMatchObject({ kind: 'unsupported' });
          await expectContent(plain, rows);
          const listed = await indexes.list(plain.name);
          expect(Object.keys(listed).toSorted()).toEqual([asked.name, usual.name]);
          if (sample?.shown === undefined) return;
          expect(listed[asked.name], JSON.stringify(listed)).toMatch(sample.shown);
          expect(listed[usual.name]).not.toMatch(sample.shown);
        });
        expect(await indexes.list(plain.name)).toEqual({});
      },
    );

    test('a unique index refuses what is there already, early or late', async () => {
      if (descriptor.indexes?.btree?.takes?.unique === undefined || !keepsRows) return;
      await withTable(async (table) => {
        const index = indexOn(table, [{ column: 3 }], { unique: true });
        await suite.database.addIndex({ ...table, indexes: [index] }, index);
        const insert = await prepare(table, 'insert', single('insert'));
        const again = await outcomeOf(() => call(insert, toBatch([{ ...makeRows(100, 1)[0]!, code: rows[0]!.code }])));
        expect(again).toMatchObject({ kind: 'uniqueViolation' });
        if (suite.server.uncheckedUnique !== undefined) return;
        const other = { ...index, name: `${table.name}_i2`, parts: [{ column: 6 }] };
        const error = await suite.database.addIndex({ ...table, indexes: [index, other] }, other).catch(toError);
        expect(error).toMatchObject({ kind: 'uniqueViolation' });
        await expectContent(table, rows);
      }, rows);
    });
  });
}
