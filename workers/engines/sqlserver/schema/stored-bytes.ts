import type { Connection } from 'tedious';
import type { Server } from '../connection/server.ts';
import { tableSql, text } from '../names.ts';
import { pageBytes } from '../probe/fingerprint.ts';
import { query } from '../wire/request.ts';

interface StoredBytes {
  readonly tableBytes: number;
  readonly indexBytes: number;
}

/** Needs VIEW DATABASE STATE (2022: VIEW DATABASE PERFORMANCE STATE). Index 0 is a heap, 1 the clustered index. */
export const partitionStatsSql = (table: { readonly name: string }): string => `
SELECT CAST(COALESCE(SUM(CASE WHEN index_id < 2 THEN used_page_count END), 0) * ${pageBytes} AS float) AS table_bytes,
       CAST(COALESCE(SUM(CASE WHEN index_id >= 2 THEN used_page_count END), 0) * ${pageBytes} AS float) AS index_bytes
  FROM sys.dm_db_partition_stats WHERE object_id = OBJECT_ID(${text(tableSql(table))})`;

/** For every user who may see the table; returns texts: "1040 KB". */
export const spaceUsedSql = (table: { readonly name: string }): string =>
  `EXECUTE sys.sp_spaceused @objname = ${text(tableSql(table))}`;

export async function storedBytes(
  connection: Connection,
  table: { readonly name: string },
  server: Server,
): Promise<StoredBytes | null> {
  if (server.emulator !== null) return null; // has neither
  try {
    const rows = await query<{ table_bytes: number; index_bytes: number }>(connection, partitionStatsSql(table));
    return { tableBytes: rows[0]!.table_bytes, indexBytes: rows[0]!.index_bytes };
  } catch {
    const rows = await query<Record<'data' | 'index_size', string>>(connection, spaceUsedSql(table));
    return { tableBytes: kilobytes(rows[0]?.data), indexBytes: kilobytes(rows[0]?.index_size) };
  }
}

const kilobytes = (shown: string | undefined): number => Number.parseInt(shown ?? '', 10) * 1_024;
