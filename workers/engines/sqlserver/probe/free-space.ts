import type { Connection } from 'tedious';
import type { FreeSpace } from '#engine-api/database.ts';
import { query } from '../wire/request.ts';

/** The volume of the database's files with the least space; manual, "sys.dm_os_volume_stats". */
const freeSpaceSql = `
SELECT TOP (1) v.volume_mount_point AS place, CAST(v.available_bytes AS float) AS bytes
  FROM sys.database_files AS f CROSS APPLY sys.dm_os_volume_stats(DB_ID(), f.file_id) AS v
 ORDER BY v.available_bytes`;

/** Null: the user may not view the server's state, or an emulator lacks the view. */
export async function freeSpace(connection: Connection): Promise<FreeSpace | null> {
  const rows = await query<{ readonly place: string; readonly bytes: number }>(connection, freeSpaceSql).catch(
    () => [],
  );
  return rows[0] ? { bytes: rows[0].bytes, where: `volume ${rows[0].place}` } : null;
}
