import { readFileSync } from 'node:fs';
import type pg from 'pg';
import type { FreeSpace } from '#engine-api/database.ts';
import { fileSystemSpace } from '../../shared/file-system-space.ts';

/**
 * PostgreSQL has no function for free space. If the server runs on this machine, the file system of its data folder is
 * asked; the proof is the process of this session, whose title has the client's port. Null elsewhere, and for users
 * without pg_read_all_settings.
 */
export async function freeSpace(client: pg.Client): Promise<FreeSpace | null> {
  const { rows } = await client.query<{ pid: string; port: string | null; folder: string | null }>(
    `SELECT pg_backend_pid() AS pid, inet_client_port() AS port,
            (SELECT setting FROM pg_settings WHERE name = 'data_directory') AS folder`,
  );
  const [row] = rows;
  if (!row?.folder) return null;
  try {
    const title = readFileSync(`/proc/${Number(row.pid)}/cmdline`, 'utf8');
    const isOurs = /^postgres: /.test(title) && title.includes(row.port === null ? '[local]' : `(${row.port})`);
    return isOurs ? fileSystemSpace(row.folder) : null;
  } catch {
    return null; // another machine's folder, or one that this user cannot reach
  }
}
