import type { Connection } from 'tedious';
import type { StoredBytes } from '#engine-api/database.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { eachIndex } from '../../shared/each-index.ts';
import { isLost } from '../../shared/refusals.ts';
import type { Server } from '../connection/server.ts';
import { toError } from '../errors.ts';
import { tableSql, text } from '../names.ts';
import { pageBytes } from '../probe/fingerprint.ts';
import { query } from '../wire/request.ts';

/** Needs VIEW DATABASE STATE (2022: VIEW DATABASE PERFORMANCE STATE). Index 0 is a heap, 1 the clustered index. */
export const partitionStatsSql = (table: { readonly name: string }): string => `
SELECT CAST(COALESCE(SUM(CASE WHEN index_id < 2 THEN used_page_count END), 0) * ${pageBytes} AS float) AS table_bytes,
       CAST(COALESCE(SUM(CASE WHEN index_id >= 2 THEN used_page_count END), 0) * ${pageBytes} AS float) AS index_bytes
  FROM sys.dm_db_partition_stats WHERE object_id = OBJECT_ID(${text(tableSql(table))})`;

/** The pages of each index. */
export const indexBytesSql = (table: { readonly name: string }): string => `
SELECT i.name, CAST(SUM(s.used_page_count) * ${pageBytes} AS float) AS bytes
  FROM sys.dm_db_partition_stats AS s JOIN sys.indexes AS i ON i.object_id = s.object_id AND i.index_id = s.index_id
 WHERE s.object_id = OBJECT_ID(${text(tableSql(table))}) AND i.name IS NOT NULL GROUP BY i.name`;

/** A statement that every user may run who may see the table; it returns texts: "1040 KB". */
export const spaceUsedSql = (table: { readonly name: string }): string =>
  `EXECUTE sys.sp_spaceused @objname = ${text(tableSql(table))}`;

export async function storedBytes(
  connection: Connection,
  table: TablePlan,
  server: Server,
): Promise<StoredBytes | null> {
  if (server.emulator !== null) return null; // the server has neither
  const sizes = await unlessRefused(() =>
    query<{ table_bytes: number; index_bytes: number }>(connection, partitionStatsSql(table)),
  );
  if (sizes?.[0]) {
    const indexes = await query<{ name: string; bytes: number }>(connection, indexBytesSql(table));
    return {
      tableBytes: sizes[0].table_bytes,
      indexBytes: sizes[0].index_bytes,
      eachIndex: eachIndex(
        table,
        indexes.map(({ name, bytes }) => [name, bytes]),
      ),
    };
  }
  // Servers that speak TDS may have neither.
  const shown = await unlessRefused(() =>
    query<Record<'data' | 'index_size', string>>(connection, spaceUsedSql(table)),
  );
  const [tableBytes, indexBytes] = [kilobytes(shown?.[0]?.data), kilobytes(shown?.[0]?.index_size)];
  return Number.isNaN(tableBytes) || Number.isNaN(indexBytes)
    ? null
    : { tableBytes, indexBytes, eachIndex: eachIndex(table, [], { why: spaceUsedAlone }) };
}

const spaceUsedAlone = 'This user may not read sys.dm_db_partition_stats, and sp_spaceused tells no single index.';

/** The answer; null: the server refuses the request. Errors of a lost connection are thrown. */
async function unlessRefused<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (isLost(toError(error).kind)) throw error;
    return null;
  }
}

const kilobytes = (shown: string | undefined): number => Number.parseInt(shown ?? '', 10) * 1_024;
