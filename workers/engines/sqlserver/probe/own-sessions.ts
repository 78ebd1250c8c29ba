import type { Connection } from 'tedious';
import { query } from '../wire/request.ts';
import { rightsSql, sessionsSql } from './probe-sources.ts';

/** Null: the user may not view the server's state, and would count only its own session. */
export async function sessionsOf(connection: Connection, tag: string): Promise<number | null> {
  const [rights] = await query<{ readonly allowed: number }>(connection, rightsSql);
  if (rights?.allowed !== 1) return null;
  const [found] = await query<{ readonly sessions: number }>(connection, sessionsSql(tag));
  return found?.sessions ?? null;
}
