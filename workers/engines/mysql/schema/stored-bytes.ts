import type { TablePlan } from '#model/dataset/dataset.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { tableSql } from '../names.ts';
import { literal } from '../values/values.ts';

/**
 * Pages of the clustered index (the table) and of other indexes, from information_schema.tables after ANALYZE has
 * counted them. Free space within them, and space reserved for growth, is included.
 */
export async function storedBytes(
  connection: MysqlConnection,
  database: string,
  table: TablePlan,
): Promise<{ tableBytes: number; indexBytes: number } | null> {
  await connection.query(`ANALYZE LOCAL TABLE ${tableSql(database, table)}`);
  // MySQL 8 would answer from a cache.
  if (connection.mariadb === null)
    await connection.query('SET SESSION information_schema_stats_expiry = 0').catch(() => {});
  const { rows } = await connection.query(
    `SELECT data_length, index_length FROM information_schema.tables WHERE table_schema = ${literal(database)} AND table_name = ${literal(table.name)}`,
  );
  const [data, index] = rows?.[0] ?? [];
  return data === undefined ? null : { tableBytes: Number(data), indexBytes: Number(index) };
}
