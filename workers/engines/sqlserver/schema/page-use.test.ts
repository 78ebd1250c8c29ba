import type { Connection, Request } from 'tedious';
import { expect, test } from 'vitest';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { Server } from '../connection/server.ts';
import { pageUse, physicalStatsSql } from './page-use.ts';

const table = { name: 'dyno_t1', columns: [], options: {} } as unknown as TablePlan;
const server = { emulator: null } as unknown as Server;

type Row = Readonly<Record<string, unknown>>;

/** A server with recorded rows of sys.dm_db_index_physical_stats; null: it refuses to show them. */
function connectionWith(rows: readonly Row[] | null) {
  const sent: string[] = [];
  const connection = {
    currentTransactionDescriptor: () => Buffer.alloc(8),
    makeRequest(request: Request, _type: number, payload: Iterable<Buffer>) {
      sent.push([...payload].at(-1)!.toString('utf16le'));
      for (const row of rows ?? [])
        request.emit('row', Object.entries(row).map(([colName, value]) => ({ metadata: { colName }, value })) as never);
      const refused = Object.assign(new Error('The user does not have permission.'), { number: 297, code: 'EREQUEST' });
      request.callback(rows === null ? refused : null);
    },
  };
  return { sent, connection: connection as unknown as Connection };
}

test('a clustered index is the table, a heap has no order, and percents become shares', async () => {
  const { sent, connection } = connectionWith([
    { index_id: 1, name: 'pk', is_key: true, pages: 100, filled: 6_800, fragmented: 9_900 },
    { index_id: 2, name: 'dyno_i1', is_key: false, pages: 10, filled: 1_000, fragmented: 0 },
  ]);
  expect(await pageUse(connection, table, server)).toEqual({
    parts: [
      { of: 'table', density: 0.68, outOfOrder: 0.99, freeBytes: expect.closeTo(0.32 * 100 * 8_192) },
      { of: 'dyno_i1', density: 1, outOfOrder: 0, freeBytes: 0 },
    ],
  });
  expect(sent).toEqual([physicalStatsSql(table)]);
  const heap = connectionWith([
    { index_id: 0, name: null, is_key: null, pages: 2, filled: 100, fragmented: 120 },
    { index_id: 2, name: 'pk', is_key: true, pages: 0, filled: null, fragmented: null },
    { index_id: 3, name: 'pk2', is_key: true, pages: 1, filled: null, fragmented: null },
  ]);
  expect(await pageUse(heap.connection, table, server)).toEqual({
    parts: [
      { of: 'table', density: 0.5, outOfOrder: null, freeBytes: 8_192 },
      { of: 'key', density: null, outOfOrder: null, freeBytes: null },
    ],
  });
});

test('the view is never asked without the number of the table, which would read the whole database', () => {
  const sql = physicalStatsSql({ name: "it's" });
  expect(sql).toContain("OBJECT_ID(N'dyno.[it''s]')");
  expect(sql).toContain('IF @table IS NOT NULL\nSELECT');
});

test('an emulator and a user without the right have a reason', async () => {
  const emulator = { emulator: 'Babelfish' } as unknown as Server;
  expect(await pageUse(connectionWith([]).connection, table, emulator)).toEqual({ why: expect.stringMatching(/\w/) });
  expect(await pageUse(connectionWith(null).connection, table, server)).toEqual({
    why: expect.stringContaining('may not read'),
  });
});
