import sql from 'mssql';
import type { Connection } from 'tedious';
import { DynoError } from '#model/error.ts';
import type { SqlServerConfig } from '../config.ts';
import { applySessionSettings, close, closeOnceOpen, connectError } from '../connection/connect.ts';
import { attend, connectionConfig } from '../connection/connection-options.ts';
import { type LoginError, loginError } from '../errors.ts';
import type { SessionOptions } from '../options.ts';
import { firstLoss } from '../wire/losses.ts';

/** A pool of one connection, and that connection. */
export interface OpenPool {
  readonly pool: sql.ConnectionPool;
  readonly connection: Connection;
}

/** `connect` of a pool opens one connection as a test and closes it; the second connection is used. */
const connections = 2;

/**
 * Opens `mssql` as its users do, with the settings that every connection needs (connection-options.ts).
 * validateConnection keeps its default, true: the pool sends a SELECT 1 before each request.
 */
export async function openPool(config: SqlServerConfig, tag: string, session: SessionOptions): Promise<OpenPool> {
  const opened: Connection[] = [];
  const told: LoginError[] = [];
  const pool = new sql.ConnectionPool({
    ...connectionConfig(config, tag, session),
    pool: { min: 1, max: 1 },
    beforeConnect(connection: Connection) {
      if (opened.length === connections) {
        closeOnceOpen(connection);
        // A new connection would have neither the session's settings nor its transaction, and the loss would show
        // nowhere.
        const lost = new DynoError(
          'serverGone',
          'The connection to the server was lost; the pool’s new one is not used.',
        );
        throw firstLoss(opened[connections - 1]!, lost);
      }
      opened.push(connection);
      attend(connection, config, session, told);
    },
  });
  // Lost connections also fail the request in flight; without a listener the event would end the process.
  pool.on('error', () => {});
  try {
    await pool.connect();
    await pool.query('SELECT 1');
    const connection = opened[connections - 1];
    if (!connection) throw new DynoError('internal', 'mssql opened its connection in another way than Dyno knows.');
    await applySessionSettings(connection, config);
    return { pool, connection };
  } catch (error) {
    await Promise.all(opened.map(close));
    throw connectError(error instanceof Error ? loginError(error, told) : error, config);
  }
}
