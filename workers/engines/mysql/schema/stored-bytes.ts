import type { StoredBytes } from '#engine-api/database.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { eachIndex } from '../../shared/each-index.ts';
import { unlessDenied } from '../../shared/error-table.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { toError } from '../errors.ts';
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
): Promise<StoredBytes | null> {
  await connection.query(`ANALYZE LOCAL TABLE ${tableSql(database, table)}`);
  // MySQL 8 would answer from a cache.
  if (connection.mariadb === null)
    await connection.query('SET SESSION information_schema_stats_expiry = 0').catch(() => {});
  const { rows } = await connection.query(
    `SELECT data_length, index_length FROM information_schema.tables WHERE table_schema = ${literal(database)} AND table_name = ${literal(table.name)}`,
  );
  const [data, index] = rows?.[0] ?? [];
  if (data === undefined) return null;
  return {
    tableBytes: Number(data),
    indexBytes: Number(index),
    eachIndex: await indexSizes(connection, database, table),
  };
}

/** The pages of each index, which ANALYZE has counted. Partitions are tables of their own there: t#P#p0. */
async function indexSizes(
  connection: MysqlConnection,
  database: string,
  table: TablePlan,
): Promise<StoredBytes['eachIndex']> {
  if (!table.indexes?.length) return {};
  const name = literal(table.name);
  const answer = await unlessDenied(toError, () =>
    connection.query(
      `SELECT index_name, SUM(stat_value) * @@innodb_page_size FROM mysql.innodb_index_stats
        WHERE database_name = ${literal(database)} AND SUBSTRING_INDEX(LOWER(table_name), '#p#', 1) = ${name} AND stat_name = 'size'
        GROUP BY index_name`,
    ),
  );
  const why =
    answer === null
      ? 'This user may not read mysql.innodb_index_stats; dyno grants prints the statement that lets it.'
      : 'mysql.innodb_index_stats has B-trees of InnoDB alone.';
  return eachIndex(
    table,
    (answer?.rows ?? []).map(([index, bytes]) => [String(index), Number(bytes)]),
    { why },
  );
}
