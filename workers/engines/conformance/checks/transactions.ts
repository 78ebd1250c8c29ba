import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import type { Session, TransactionStep } from '#engine-api/session.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { batches, makeRows, toBatch } from '../rows.ts';
import { call, type Suite } from '../suite.ts';

export function testTransactions(suite: Suite): void {
  const { withTable, expectContent, prepare, single, descriptor, options } = suite;
  const rows = makeRows(0, 60);
  test('a transaction rolled back leaves nothing, one committed stays', async ({ skip }) => {
    if (descriptor.oneCallPerCommit !== undefined) skip(descriptor.oneCallPerCommit);
    await withTable(async (table) => {
      const insert = await prepare(table, 'insert', single('insert'));
      const { session } = suite;
      const byPromise = async (step: TransactionStep) => session[step]();
      const started = (step: TransactionStep) =>
        new Promise((answered, failed) => session.transact?.(step, { answered, failed }));
      let stored = 0;
      for (const end of session.transact ? [byPromise, started] : [byPromise]) {
        await end('begin');
        await call(insert, toBatch(rows.slice(stored, stored + 1)));
        await end('rollback');
        await end('begin');
        await call(insert, toBatch(rows.slice(stored, stored + 1)));
        await call(insert, toBatch(rows.slice(stored + 1, stored + 2)));
        await end('commit');
        stored += 2;
      }
      await expectContent(table, rows.slice(0, stored));
    });
  });

  test('two sessions of a process write in turns of whole transactions', async ({ skip }) => {
    if (descriptor.oneCallPerCommit !== undefined) skip(descriptor.oneCallPerCommit);
    await withTable(async (table) => {
      const other = await suite.database.openSession(options);
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
        await Promise.all([write(suite.session, 0), write(other, 20)]);
        await expectContent(table, rows.slice(0, 40));
      } finally {
        await other[Symbol.asyncDispose]();
      }
    });
  });
}
