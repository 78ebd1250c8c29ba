import type { Connection, Request } from 'tedious';
import { expect, test } from 'vitest';
import { failureOf } from '../../shared/failure.fixture.ts';
import { toError } from '../errors.ts';
import { rightsSql } from '../probe/probe-sources.ts';
import { emptyCache, emptyCacheSql, othersSql } from './empty-cache.ts';

/** A server that answers what may be seen and who else is there, and what it was sent. */
function server(allowed: number, sessions: number) {
  const sent: string[] = [];
  const row = (colName: string, value: number) => [{ metadata: { colName }, value }];
  const connection = {
    currentTransactionDescriptor: () => Buffer.alloc(8),
    makeRequest(request: Request, _type: number, payload: Iterable<Buffer>) {
      const sql = [...payload].at(-1)!.toString('utf16le');
      sent.push(sql);
      if (sql === rightsSql) request.emit('row', row('allowed', allowed) as never);
      if (sql === othersSql('dyno-run')) request.emit('row', row('sessions', sessions) as never);
      request.callback(null);
    },
  };
  return { sent, connection: connection as unknown as Connection };
}
const failure = failureOf({ toError });

test('the cache is emptied where the run is alone', async () => {
  const { sent, connection } = server(1, 0);
  await emptyCache(connection, 'dyno-run');
  expect(sent).toEqual([rightsSql, othersSql('dyno-run'), ...emptyCacheSql]);
});

test('the cache that others use stays, and the cell says how many they are', async () => {
  const { sent, connection } = server(1, 3);
  expect(await failure(emptyCache(connection, 'dyno-run'))).toMatchObject({
    kind: 'unsupported',
    message: expect.stringContaining('3 sessions'),
    hint: expect.stringContaining('End them'),
  });
  expect(sent).not.toContain(emptyCacheSql[1]);
});

test('without the right to see others, whom the view leaves out in silence, nothing is emptied', async () => {
  const { sent, connection } = server(0, 0);
  expect(await failure(emptyCache(connection, 'dyno-run'))).toMatchObject({
    kind: 'unsupported',
    hint: expect.stringContaining('VIEW SERVER STATE'),
  });
  expect(sent).toEqual([rightsSql]);
});
