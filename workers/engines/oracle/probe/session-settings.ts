import type oracledb from 'oracledb';
import type { ReportedSettings } from '#model/settings/session-settings.ts';
import { toError } from '../errors.ts';

/** V$PARAMETER has the values of the session itself (Database Reference). */
const settingsSql = (count: number): string =>
  `SELECT name, value FROM v$parameter WHERE name IN (${Array.from({ length: count }, (_, i) => `:${i + 1}`).join(', ')})`;

/** The values of a session's settings; null for those that the user may not see (ORA-00942), and for other names. */
export async function readSettings(
  connection: Pick<oracledb.Connection, 'execute'>,
  names: readonly string[],
): Promise<ReportedSettings> {
  const lower = names.map((name) => name.toLowerCase());
  const found = new Map<string, string | null>();
  try {
    const { rows } = await connection.execute<[string, string | null]>(settingsSql(names.length), lower);
    for (const [name, value] of rows ?? []) found.set(name, value);
  } catch (error) {
    const { kind } = toError(error);
    if (kind === 'serverGone' || kind === 'cancelled') throw error;
  }
  return Object.fromEntries(names.map((name, i) => [name, found.get(lower[i]!) ?? null]));
}
