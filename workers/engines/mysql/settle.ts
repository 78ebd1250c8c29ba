import type { TablePlan } from '#model/dataset/dataset.ts';
import type { Connection } from './connection.ts';
import { toError } from './errors.ts';
import { tableSql } from './names.ts';
import { literal } from './values.ts';

/**
 * Statistics, then what InnoDB has instead of a checkpoint of one table: FOR EXPORT waits for its purge and writes its changed pages
 * out. Background work on other tables goes on.
 */
export async function settle(connection: Connection, database: string, table: TablePlan): Promise<void> {
  await connection.query(`ANALYZE LOCAL TABLE ${tableSql(database, table)}`);
  await flushTable(connection, database, table.name);
}

/** Whether the user may do it; where not, the fingerprint lists it as unavailable. */
export async function flushTable(connection: Connection, database: string, name: string): Promise<boolean> {
  try {
    await connection.query(`FLUSH TABLES ${tableSql(database, { name })} FOR EXPORT`);
  } catch (error) {
    if (toError(error).kind === 'permission') return false;
    throw error;
  }
  await connection.query('UNLOCK TABLES');
  return true;
}

/**
 * Pages allocated to the clustered index (the table) and to others, from information_schema.tables after ANALYZE has counted them: free
 * space within and reserved for the table's growth included.
 */
export async function storedBytes(
  connection: Connection,
  database: string,
  table: TablePlan,
): Promise<{ tableBytes: number; indexBytes: number } | null> {
  await connection.query(`ANALYZE LOCAL TABLE ${tableSql(database, table)}`);
  // MySQL 8 answers from a cache otherwise.
  if (connection.mariadb === null)
    await connection.query('SET SESSION information_schema_stats_expiry = 0').catch(() => {});
  const { rows } = await connection.query(
    `SELECT data_length, index_length FROM information_schema.tables WHERE table_schema = ${literal(database)} AND table_name = ${literal(table.name)}`,
  );
  const [data, index] = rows?.[0] ?? [];
  return data === undefined ? null : { tableBytes: Number(data), indexBytes: Number(index) };
}
