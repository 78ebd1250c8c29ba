import { expect, test } from 'vitest';
import { connectionDouble } from '../connection/connection.fixture.ts';
import { serverLoop, serverLoopSql } from './server-loop.ts';

const table = (options: Readonly<Record<string, boolean>> = {}) => ({
  name: 't',
  key: null,
  options,
  columns: [{ name: 'id', type: { kind: 'uuid' } as const, nullable: false }],
});

test('the loop has NOCOUNT ON, unless its row counts are asked for, and sessions have it OFF behind the loop', () => {
  const counts = (text: string) => text.match(/^SET NOCOUNT \w+;$/gm);
  expect(counts(serverLoopSql(table()))).toEqual(['SET NOCOUNT ON;', 'SET NOCOUNT OFF;']);
  expect(counts(serverLoopSql(table({ loopCounts: false })))).toEqual(['SET NOCOUNT ON;', 'SET NOCOUNT OFF;']);
  expect(counts(serverLoopSql(table({ loopCounts: true })))).toEqual(['SET NOCOUNT OFF;', 'SET NOCOUNT OFF;']);
  expect(serverLoopSql(table({ loopCounts: true })).replace('OFF', 'ON')).toBe(serverLoopSql(table()));
});

test('a call has as many rows as the loop had turns, whether or not the server counts each of them', async () => {
  for (const counts of [[undefined], [1, undefined, 1, undefined, 1, undefined]]) {
    const { connection, sent } = connectionDouble(() => ({ rows: [['3']], counts }));
    const loop = serverLoop(connection, table({ loopCounts: counts.length > 1 }), Buffer.alloc(5));
    expect(await loop.run(loop.encode({ rows: 3, columns: [] }))).toBe(3);
    expect(sent[0]!.includes(Buffer.from(`SET NOCOUNT ${counts.length > 1 ? 'OFF' : 'ON'};`, 'utf16le'))).toBe(true);
  }
});
