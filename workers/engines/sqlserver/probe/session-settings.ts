import type { Connection } from 'tedious';
import type { ReportedSettings } from '#model/settings/session-settings.ts';
import { query } from '../wire/request.ts';

/**
 * Settings by the view that reports them: the columns of sys.dm_exec_sessions, of which everybody sees the own row, and
 * the bits of @@OPTIONS (manual, "user options").
 */
const columns: ReadonlyMap<string, string> = new Map(
  Object.entries({
    LOCK_TIMEOUT: 'lock_timeout',
    DEADLOCK_PRIORITY: 'deadlock_priority',
    ARITHABORT: 'arithabort',
    ANSI_NULL_DFLT_ON: 'ansi_null_dflt_on',
  }),
);
const bits: ReadonlyMap<string, number> = new Map(
  Object.entries({
    CURSOR_CLOSE_ON_COMMIT: 4,
    ARITHIGNORE: 128,
    XACT_ABORT: 16_384,
  }),
);

/** The SELECT list's expression that reports a setting, as text. Null: no view that everybody may read reports it. */
function expressionOf(name: string): string | null {
  const key = name.toUpperCase();
  const column = columns.get(key);
  const bit = bits.get(key);
  if (column === 'arithabort' || column === 'ansi_null_dflt_on') return `IIF(${column} = 1, 'ON', 'OFF')`;
  if (column !== undefined) return `CONVERT(varchar(20), ${column})`;
  return bit === undefined ? null : `IIF(@@OPTIONS & ${bit} <> 0, 'ON', 'OFF')`;
}

/** The query that reads the settings that the server reports, in the order of `names`; null: it reports none. */
export function settingsSql(names: readonly string[]): string | null {
  const list = names.flatMap((name) => expressionOf(name) ?? []).map((one, i) => `${one} AS v${i}`);
  return list.length === 0 ? null : `SELECT ${list.join(', ')} FROM sys.dm_exec_sessions WHERE session_id = @@SPID`;
}

/** The values of a session's settings, where SQL Server reports them to everybody. */
export async function readSettings(connection: Connection, names: readonly string[]): Promise<ReportedSettings> {
  const told = names.filter((name) => expressionOf(name) !== null);
  const sql = settingsSql(told);
  const row = sql === null ? undefined : (await query<Readonly<Record<string, string | null>>>(connection, sql))[0];
  return Object.fromEntries(
    names.map((name) => {
      const value = row?.[`v${told.indexOf(name)}`];
      return [name, value == null ? null : String(value)];
    }),
  );
}

/**
 * The server tells that the session is encrypted, and nobody its protocol and cipher. Null without the right to read
 * the view (VIEW SERVER STATE, from 2022 on VIEW SERVER SECURITY STATE).
 */
export async function readTls(connection: Connection): Promise<string | null> {
  const sql = 'SELECT encrypt_option AS told FROM sys.dm_exec_connections WHERE session_id = @@SPID';
  const rows = await query<{ readonly told: string }>(connection, sql).catch(() => []);
  const told = rows[0]?.told;
  return told === undefined ? null : told === 'TRUE' ? 'on' : 'off';
}
