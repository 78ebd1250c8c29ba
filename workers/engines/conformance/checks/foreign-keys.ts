import { expect, test } from 'vitest';
import { type Suite, signal } from '../suite.ts';
import { rowOf, salesBatch, salesOfStore, storeRows, storesBatch, twoTables, twoTableTexts } from './two-tables.ts';

export function testForeignKeys(suite: Suite): void {
  const { newName, toError, keepsRows, statementMethods, descriptor, options, withSession } = suite;
  test.for([{ pieces: 'one piece' }, { pieces: 'three partitions' }])(
    'two tables in $pieces: the second refers to the first, and statements name them both',
    async ({ pieces }, { skip }) => {
      const { statements: language, foreignKeys, partitions, unsupportedReasons } = descriptor;
      const spread = pieces === 'three partitions';
      if (!keepsRows || !language) return;
      if (spread && (partitions === undefined || unsupportedReasons['foreignKeys.partitions'] !== undefined)) return;
      const name = newName();
      const { stores, sales } = twoTables(name, options, spread ? { partitions: { count: 3, by: 0 } } : {});
      const texts = twoTableTexts(language);
      const method = (['prepared', 'bind', 'literal'] as const).find((one) => statementMethods.includes(one));
      if (method === undefined) return skip('No session asks statements of one’s own with these options.');
      const bigint = (parameter: string) => ({ name: parameter, type: { kind: 'bigint' }, nullable: false }) as const;
      const refusal = await suite.database.prepareSchema(stores).then(() => null, toError);
      // Some products of an engine have partitions, and others do not.
      if (spread && refusal?.kind === 'unsupported') return;
      expect(refusal).toBeNull();
      try {
        for (const [table, batch] of [
          [stores, storesBatch],
          [sales, salesBatch],
        ] as const) {
          if (table === sales) await suite.database.prepareSchema(sales);
          await suite.database.load(table, [batch], () => {}, signal);
          await suite.database.settle(table);
        }
        await withSession(async () => {
          const run = async (text: string, parameters: Readonly<Record<string, number>>, isRead = false) => {
            const columns = Object.keys(parameters).map(bigint);
            const plan = { text, parameters: columns, method, tables: { stores, sales }, options, isRead };
            const own = await suite.session.prepareStatement!(plan);
            return own.run(own.encode(rowOf(...Object.values(parameters))));
          };
          expect(await run(texts.join, { id: 2 }, true)).toBe(salesOfStore);
          expect(await run(texts.sell, { id: 1_001, store: 2 })).toBe(1);
          expect(await run(texts.join, { id: 2 }, true)).toBe(salesOfStore + 1);
          if (foreignKeys !== undefined) {
            const kind = (thrown: unknown) => toError(thrown).kind;
            expect(await run(texts.sell, { id: 1_002, store: 99 }).catch(kind)).toBe('constraint');
            expect(await run(texts.closeStore, { id: 3 }).catch(kind)).toBe('constraint');
          }
          expect((await suite.database.checksum(stores))?.rows).toBe(storeRows);
        });
      } finally {
        expect((await suite.database.dropLeftovers(name)).dropped).toEqual([sales.name, stores.name]);
      }
    },
  );
}
