import type { TablePlan } from '#model/dataset/dataset.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { toError } from '../errors.ts';
import { tableSql } from '../names.ts';

/**
 * Renews statistics. Then FOR EXPORT, InnoDB's substitute for a checkpoint of one table, waits for its purge and writes
 * its changed pages. Background work on other tables goes on.
 */
export async function settle(connection: MysqlConnection, database: string, table: TablePlan): Promise<void> {
  await connection.query(`ANALYZE LOCAL TABLE ${tableSql(database, table)}`);
  await flushTable(connection, database, table.name);
}

/** True if the user may do so; otherwise the fingerprint lists it as unavailable. */
export async function flushTable(connection: MysqlConnection, database: string, name: string): Promise<boolean> {
  try {
    await connection.query(`FLUSH TABLES ${tableSql(database, { name })} FOR EXPORT`);
  } catch (error) {
    if (toError(error).kind === 'permission') return false;
    throw error;
  }
  await connection.query('UNLOCK TABLES');
  return true;
}
