import { hostname } from 'node:os';
import type { FreeSpace } from '#engine-api/database.ts';
import { fileSystemSpace } from '../../shared/file-system-space.ts';
import type { MysqlConnection } from '../connection/connection.ts';

/**
 * The server has no function for free space (MariaDB's plugin DISKS is rarely installed). If it runs on this machine,
 * as its @@hostname and a folder @@datadir show, the file system of that folder is asked. Null elsewhere.
 */
export async function freeSpace(connection: MysqlConnection): Promise<FreeSpace | null> {
  const { rows } = await connection.query('SELECT @@hostname, @@datadir');
  const [host, folder] = rows?.[0] ?? [];
  if (String(host) !== hostname() || !folder) return null;
  try {
    return fileSystemSpace(String(folder));
  } catch {
    return null; // a container of the same name, or a folder that this user cannot reach
  }
}
