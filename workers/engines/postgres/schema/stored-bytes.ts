import type pg from 'pg';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { tableSql } from '../names.ts';

export async function storedBytes(
  client: pg.Client,
  table: TablePlan,
): Promise<{ tableBytes: number; indexBytes: number }> {
  // A partitioned table has no bytes of its own.
  const parts = table.partitions ? 'pg_partition_tree($1::regclass)' : '(SELECT $1::regclass AS relid) AS whole';
  const { rows } = await client.query<{ table_bytes: string; index_bytes: string }>(
    `SELECT sum(pg_table_size(relid)) AS table_bytes, sum(pg_indexes_size(relid)) AS index_bytes FROM ${parts}`,
    [tableSql(table)],
  );
  return { tableBytes: Number(rows[0]?.table_bytes), indexBytes: Number(rows[0]?.index_bytes) };
}
