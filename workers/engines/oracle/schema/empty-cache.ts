import type oracledb from 'oracledb';
import { DynoError } from '#model/error.ts';
import { othersUnseen, requireNoOthers } from '../../shared/cache-of-others.ts';
import type { Dialect } from '../connection/dialect.ts';
import { toError } from '../errors.ts';
import { grantOf } from '../grants.ts';
import { waitsView } from '../probe/probe-sources.ts';
import { checkpointSql } from './settle.ts';

/** Counts the sessions of other programs and of other runs; without a CLIENT_IDENTIFIER they have a null there. */
export const othersSql = `SELECT COUNT(*) FROM ${waitsView} WHERE type = 'USER' AND (client_identifier IS NULL OR client_identifier <> :1)`;

/** Buffers that are not yet written would stay in the cache. */
export const emptyCacheSql = [checkpointSql, 'ALTER SYSTEM FLUSH BUFFER_CACHE'];

/**
 * Throws 'unsupported' if sessions other than the run's (by CLIENT_IDENTIFIER) are on the server, if that cannot be
 * read, and on an emulator.
 */
export async function emptyCache(
  connection: oracledb.Connection,
  clientId: string,
  { owner, emulator }: Pick<Dialect, 'owner' | 'emulator'>,
): Promise<void> {
  if (emulator !== null)
    throw new DynoError(
      'unsupported',
      `The emulator (${emulator}) has no buffer cache of its own to empty; Oracle has.`,
    );
  requireNoOthers(await countOthers(connection, clientId, owner));
  for (const sql of emptyCacheSql) await connection.execute(sql);
}

async function countOthers(connection: oracledb.Connection, clientId: string, owner: string): Promise<number> {
  try {
    const { rows } = await connection.execute<[number]>(othersSql, [clientId]);
    return Number(rows?.[0]?.[0]);
  } catch (error) {
    const { kind } = toError(error);
    // A view that may not be read is one that is not there (ORA-00942).
    throw kind === 'syntax' || kind === 'permission' ? othersUnseen(grantOf(waitsView, owner)) : error;
  }
}
