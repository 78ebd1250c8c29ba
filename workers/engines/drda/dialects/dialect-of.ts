import type { DrdaConnection } from '#drda/index.ts';
import { DynoError } from '#model/error.ts';
import type { DrdaConfig } from '../config.ts';
import { query } from '../connection/query.ts';
import type { Dialect } from '../dialect.ts';
import { toError } from '../errors.ts';
import { derby } from './derby.ts';
import { sqlfire } from './sqlfire.ts';

/**
 * The dialect of the target, or the one that the server's catalog shows: all products call themselves Apache Derby.
 * SQLFire left Derby at its release 10.4, and no Derby has the view SYS.MEMBERS.
 */
export async function dialectOf(connection: DrdaConnection, { dialect }: DrdaConfig): Promise<Dialect> {
  if (dialect !== 'auto') return dialect === 'derby' ? derby : sqlfire;
  try {
    await query(connection, 'SELECT ID FROM SYS.MEMBERS');
    return sqlfire;
  } catch (error) {
    const { code } = toError(error);
    if (code !== noSuchTable) throw error;
  }
  const { className } = connection.server;
  if (/derby/i.test(className)) return derby;
  throw new DynoError(
    'unsupported',
    `The server is neither Derby nor of SQLFire’s family: it calls itself ${className}.`,
    { hint: 'Where it is one of them all the same, set the target’s dialect.' },
  );
}

const noSuchTable = '42X05';
