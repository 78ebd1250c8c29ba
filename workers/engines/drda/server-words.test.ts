import { describe, expect, test, vi } from 'vitest';
import type { Database } from '#engine-api/database.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { engine } from './engine.ts';
import { toError } from './errors.ts';
import { startTestServer } from './test-server.fixture.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describe.skipIf(isSkipped('drda'))('on Derby', () => {
  let database: Database;

  beforeTests(async (opened) => {
    const server = opened.use(await startTestServer(''));
    database = opened.use(await engine.open(server.raw, 'dyno-test', new AbortController().signal));
  });

  /** The message of the text's error, from preparing, running or showing it. */
  async function messageOf(text: string, method: 'bind' | 'prepared' | 'literal', how: 'run' | 'show') {
    await using session = await database.openSession({});
    try {
      const plan = { text, parameters: [], method, tables: {}, options: {}, isRead: false };
      const statement = await session.prepareStatement!(plan);
      const call = statement.encode({ rows: 1, columns: [] });
      await (how === 'run' ? statement.run(call) : statement.show(call, 1));
    } catch (thrown) {
      return toError(thrown);
    }
    return null;
  }

  test.each<[string, string, RegExp]>([
    ['42X04', 'SELECT price FROM SYS.SYSTABLES', /Column 'PRICE' is either not in any table in the FROM list/],
    ['42818', 'SELECT * FROM SYS.SYSTABLES WHERE TABLENAME = 1', /Comparisons between .* are not supported/],
    ['42Y25', 'UPDATE SYSIBM.SYSDUMMY1 SET nothing = 1', /SYSDUMMY1' is a system table/],
    ['42802', 'VALUES (1, 2) UNION VALUES (1)', /.{20}/],
    ['22012', 'VALUES 1 / 0', /divide by zero/],
    ['22018', "VALUES CAST('x' AS INTEGER)", /Invalid character string format for type INTEGER/],
  ])('%s: %s', async (code, text, words) => {
    for (const method of ['bind', 'prepared', 'literal'] as const)
      for (const how of ['run', 'show'] as const) {
        const error = await messageOf(text, method, how);
        expect(error?.message, `${method} ${how}`).toMatch(words);
        expect(error?.message).not.toContain('SQLSTATE');
        if (code !== '42802') expect(error?.code).toBe(code);
      }
  });

  test('an error in a transaction leaves the transaction to the caller', async () => {
    await using session = await database.openSession({});
    const plan = { parameters: [], method: 'literal', tables: {}, options: {}, isRead: false } as const;
    const broken = await session.prepareStatement!({ ...plan, text: 'VALUES 1 / 0' });
    const batch = { rows: 1, columns: [] };
    await session.begin();
    await expect(broken.run(broken.encode(batch))).rejects.toThrow(/divide by zero/);
    await expect(broken.run(broken.encode(batch))).rejects.toThrow(/divide by zero/);
    await session.rollback();
  });
});
