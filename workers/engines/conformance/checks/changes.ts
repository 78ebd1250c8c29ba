import { expect, test } from 'vitest';
import { keyBatch, makeRows, updateBatch } from '../rows.ts';
import { call, type Suite } from '../suite.ts';
import { hostileRows } from './hostile-values.ts';

export function testChanges(suite: Suite): void {
  const { withTable, expectContent, prepare, methodsOf, batchSize, keepsRows } = suite;
  const rows = makeRows(0, 60);
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
}
