import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeRows, toBatch } from '../rows.ts';
import { call, prefix, type Suite, signal, tag } from '../suite.ts';

export function testCancel(suite: Suite): void {
  const { withTable, planTable, expectContent, prepare, toError, keepsRows, descriptor, options, config } = suite;
  const rows = makeRows(0, 60);
  test(`cancel stops a call as declared: ${descriptor.cancel}`, async () => {
    const { raw, method, rows: slowRows } = suite.server.slow;
    const slowDatabase = await suite.engine.open(config.parse(raw), `${tag}-slow`, signal);
    const table = planTable(`${prefix}cancel`);
    await slowDatabase.prepareSchema(table);
    const release = await suite.server.slow.hold?.(table.name);
    try {
      suite.session = await slowDatabase.openSession(options);
      const insert = await prepare(table, 'insert', method);
      const batch = method === 'serverLoop' ? { rows: slowRows, columns: [] } : toBatch(rows.slice(0, 1));
      const running = Promise.resolve(call(insert, batch)).catch(toError);
      if (descriptor.cancel === 'server') {
        await sleep(100);
        const before = await slowDatabase.probe();
        if (keepsRows) expect(before.gauges.active, 'running at the server').toBe(1);
        await suite.session.cancel();
        expect(await running).toMatchObject({ kind: 'cancelled' });
        if (keepsRows) {
          // The error arrives a moment before the session is idle.
          const active = async () => (await slowDatabase.probe()).gauges.active;
          await expect.poll(active, { timeout: 2_000, message: 'stopped at the server' }).toBe(0);
          expect((await slowDatabase.checksum(table))?.rows).toBe(0);
        }
      } else {
        expect(await running).toBe(1);
        await suite.session.cancel();
      }
      await suite.session[Symbol.asyncDispose]();
    } finally {
      await release?.();
      await slowDatabase.drop(table);
      await slowDatabase[Symbol.asyncDispose]();
    }
  });

  test('cancel stops the control connection, too, which goes on afterwards', async () => {
    await withTable(async (table) => {
      await suite.database.cancel(); // nothing runs, so nothing happens
      const unlock = await suite.server.foreign?.lock?.(table.name);
      const waiting = suite.database.checksum(table).catch(toError);
      if (unlock) {
        await sleep(100);
        await suite.database.cancel();
        expect(await waiting).toMatchObject({ kind: 'cancelled' });
        await unlock();
      }
      await waiting;
      if (keepsRows) await expectContent(table, []);
    });
  });
}
