import type { PageUse } from '#engine-api/page-use.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { literal } from '../values/values.ts';

/**
 * The free extents of InnoDB's file, which has the table and all its indexes. InnoDB tells neither the fill nor the
 * order of pages, except of those in the buffer pool. The statistics of the table are those that storedBytes renews.
 */
export async function pageUse(connection: MysqlConnection, database: string, table: TablePlan): Promise<PageUse> {
  const { rows } = await connection.query(
    `SELECT data_free, engine FROM information_schema.tables WHERE table_schema = ${literal(database)} AND table_name = ${literal(table.name)}`,
  );
  const [free, engine] = rows?.[0] ?? [];
  if (engine !== 'InnoDB') return { why: 'Dyno knows the pages of InnoDB alone.' };
  return { parts: [{ of: 'table', density: null, outOfOrder: null, freeBytes: Number(free) }] };
}
