import type { Connection } from 'tedious';
import type { PageUse } from '#engine-api/page-use.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { unlessDenied } from '../../shared/error-table.ts';
import type { Server } from '../connection/server.ts';
import { toError } from '../errors.ts';
import { tableSql, text } from '../names.ts';
import { pageBytes } from '../probe/fingerprint.ts';
import { query } from '../wire/request.ts';

/**
 * The leaf pages of rows and index entries. SAMPLED reads every page of an index with fewer than 10,000 pages, and one
 * in a hundred of a larger one. The view needs CONTROL on the table, which its owner has. A null instead of the table's
 * number would read all tables of the database.
 */
export const physicalStatsSql = (table: { readonly name: string }): string => `
DECLARE @table int = OBJECT_ID(${text(tableSql(table))});
IF @table IS NOT NULL
SELECT i.index_id, i.name, i.is_primary_key AS is_key,
       CAST(SUM(s.page_count) AS float) AS pages,
       CAST(SUM(s.avg_page_space_used_in_percent * s.page_count) AS float) AS filled,
       CAST(SUM(s.avg_fragmentation_in_percent * s.page_count) AS float) AS fragmented
  FROM sys.dm_db_index_physical_stats(DB_ID(), @table, NULL, NULL, 'SAMPLED') AS s
  JOIN sys.indexes AS i ON i.object_id = s.object_id AND i.index_id = s.index_id
 WHERE s.alloc_unit_type_desc = 'IN_ROW_DATA' AND s.index_level = 0
 GROUP BY i.index_id, i.name, i.is_primary_key`;

type StatsRow = {
  readonly index_id: number;
  readonly name: string | null;
  readonly is_key: boolean;
  readonly pages: number;
  readonly filled: number | null;
  readonly fragmented: number | null;
};

/** Index 0 is a heap, whose fragmentation is one of extents; 1 is the clustered index. */
export async function pageUse(connection: Connection, table: TablePlan, server: Server): Promise<PageUse> {
  if (server.emulator !== null) return { why: 'The emulator has no sys.dm_db_index_physical_stats.' };
  const rows = await unlessDenied(toError, () => query<StatsRow>(connection, physicalStatsSql(table)));
  if (rows === null) return { why: 'This user may not read sys.dm_db_index_physical_stats.' };
  return {
    parts: rows.flatMap(({ index_id: id, name, is_key: isKey, pages, filled, fragmented }) => {
      if (pages === 0) return [];
      const density = filled === null ? null : filled / pages / 100;
      return [
        {
          of: id < 2 ? 'table' : isKey ? 'key' : (name ?? ''),
          density,
          outOfOrder: id === 0 || fragmented === null ? null : fragmented / pages / 100,
          freeBytes: density === null ? null : (1 - density) * pages * pageBytes,
        },
      ];
    }),
  };
}
