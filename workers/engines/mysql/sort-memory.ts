import { DynoError } from '#model/error.ts';
import type { Connection } from './connection.ts';

/** What one sort of this session may take; servers cut what lies beyond their bounds, and only warn. */
export async function setSortMemory(connection: Connection, kb: number): Promise<void> {
  const bytes = kb * 1_024;
  await connection.query(`SET SESSION sort_buffer_size = ${bytes}`);
  const { rows } = await connection.query('SELECT @@SESSION.sort_buffer_size');
  const found = Number(rows?.[0]?.[0]);
  if (found !== bytes)
    throw new DynoError('unsupported', `sortMemoryKb: ${kb} — the server made a sort_buffer_size of ${found} of it.`);
}
