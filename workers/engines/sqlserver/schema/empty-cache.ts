import type { Connection } from 'tedious';
import { othersUnseen, requireNoOthers } from '../../shared/cache-of-others.ts';
import { text } from '../names.ts';
import { rightsSql, serverState } from '../probe/probe-sources.ts';
import { execute, query } from '../wire/request.ts';

/** Sessions of other programs and of other runs. */
export const othersSql = (tag: string): string => `
SELECT COUNT(*) AS sessions
  FROM sys.dm_exec_sessions WHERE is_user_process = 1 AND LEFT(COALESCE(program_name, N''), ${tag.length}) <> ${text(tag)}`;

/** Pages that are not yet written would stay in the cache. */
export const emptyCacheSql = ['CHECKPOINT', 'DBCC DROPCLEANBUFFERS WITH NO_INFOMSGS'];

/** Throws 'unsupported' if sessions other than the run's (by tag) are on the server, or if that cannot be read. */
export async function emptyCache(connection: Connection, tag: string): Promise<void> {
  const [rights] = await query<{ readonly allowed: number }>(connection, rightsSql);
  if (rights?.allowed !== 1) throw othersUnseen(`GRANT ${serverState} TO the target’s user`);
  const [others] = await query<{ readonly sessions: number }>(connection, othersSql(tag));
  requireNoOthers(Number(others?.sessions));
  for (const sql of emptyCacheSql) await execute(connection, sql);
}
