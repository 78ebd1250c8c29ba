import type pg from 'pg';
import type { StoredBytes } from '#engine-api/database.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { eachIndex } from '../../shared/each-index.ts';
import { tableSql } from '../names.ts';

export async function storedBytes(client: pg.Client, table: TablePlan): Promise<StoredBytes> {
  // A partitioned table has no bytes of its own.
  const parts = table.partitions ? 'pg_partition_tree($1::regclass)' : '(SELECT $1::regclass AS relid) AS whole';
  const { rows } = await client.query<{ table_bytes: string; index_bytes: string }>(
    `SELECT sum(pg_table_size(relid)) AS table_bytes, sum(pg_indexes_size(relid)) AS index_bytes FROM ${parts}`,
    [tableSql(table)],
  );
  const whole = table.partitions
    ? '(SELECT sum(pg_table_size(relid)) FROM pg_partition_tree(c.oid))'
    : 'pg_table_size(c.oid)';
  const indexes = await client.query<{ name: string; bytes: string }>(
    `SELECT c.relname AS name, ${whole} AS bytes FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid WHERE i.indrelid = $1::regclass`,
    [tableSql(table)],
  );
  return {
    tableBytes: Number(rows[0]?.table_bytes),
    indexBytes: Number(rows[0]?.index_bytes),
    eachIndex: eachIndex(
      table,
      indexes.rows.map(({ name, bytes }) => [name, Number(bytes)]),
    ),
  };
}
