import type oracledb from 'oracledb';
import type { FreeSpace } from '#engine-api/database.ts';

/**
 * The user's default tablespace: the free space in its files, and the space by which they may grow (Reference,
 * "DBA_DATA_FILES" and "DBA_FREE_SPACE"). The database does not report whether the disk has that much.
 */
const freeSpaceSql = `SELECT u.default_tablespace,
       (SELECT COALESCE(SUM(s.bytes), 0) FROM dba_free_space s WHERE s.tablespace_name = u.default_tablespace)
     + (SELECT COALESCE(SUM(GREATEST(f.maxbytes - f.bytes, 0)), 0) FROM dba_data_files f
         WHERE f.tablespace_name = u.default_tablespace AND f.autoextensible = 'YES')
  FROM user_users u`;

/** Null: the user may not read these views, or an emulator lacks them. */
export async function freeSpace(connection: oracledb.Connection): Promise<FreeSpace | null> {
  const found = await connection.execute<[string, number]>(freeSpaceSql).catch(() => null);
  const row = found?.rows?.[0];
  return row ? { bytes: row[1], where: `tablespace ${row[0]}` } : null;
}
