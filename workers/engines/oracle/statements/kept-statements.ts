import type oracledb from 'oracledb';
import type { KeptStatements, SeenValues } from '#engine-api/kept-statements.ts';
import { DynoError } from '#model/error.ts';
import { keptStatements, mostKeptTexts, secondsSince, withoutValues } from '../../shared/kept-statements.ts';
import type { Dialect } from '../connection/dialect.ts';
import { descriptor } from '../descriptor.ts';
import { toError } from '../errors.ts';
import { grantOf } from '../grants.ts';
import { fetchLobsAsValues } from './fetching.ts';

/**
 * The cursors of the user's own schema. SQL that the server runs for itself is parsed as SYS, except for dynamic
 * sampling, statistics and tuning, which say so in a comment or a module. Commands: INSERT, SELECT, UPDATE, DELETE,
 * MERGE. A cursor that PL/SQL opened has a program (Reference, "V$SQL").
 */
export const keptSql = (
  sinceSeconds: number | null = null,
): string => `SELECT sql_fulltext, executions, elapsed_time / executions / 1000, rows_processed / executions, sql_id
  FROM v$sql
 WHERE parsing_schema_name = SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA') AND command_type IN (2, 3, 6, 7, 189)
   AND executions > 0 AND program_id = 0 AND (module IS NULL OR module NOT LIKE 'DBMS_%')
   AND sql_text NOT LIKE '%DS_SVC%' AND sql_text NOT LIKE '%OPT_DYN_SAMP%' AND sql_text NOT LIKE '%SQL Analyze%'
   AND LOWER(sql_text) NOT LIKE '%v$%' AND UPPER(sql_text) NOT LIKE '%DBMS_XPLAN%'
   ${sinceSeconds === null ? '' : `AND last_active_time >= SYSDATE - ${sinceSeconds} / 86400`}
 ORDER BY elapsed_time DESC FETCH FIRST ${mostKeptTexts} ROWS ONLY`;

/**
 * Types of bind variables, at their first place in each text; a bind's value is never read (Reference,
 * "V$SQL_BIND_CAPTURE").
 */
export const bindsSql = `SELECT DISTINCT sql_id, position, datatype_string
  FROM v$sql_bind_capture
 WHERE dup_position IS NULL AND datatype_string IS NOT NULL
   AND sql_id IN (SELECT sql_id FROM v$sql
                   WHERE parsing_schema_name = SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA') AND command_type IN (2, 3, 6, 7, 189))
 ORDER BY sql_id, position`;

/** The statements of the user's schema whose cursors are in the shared pool, those with the most time first. */
export async function readKeptStatements(
  connection: oracledb.Connection,
  { owner, emulator }: Pick<Dialect, 'owner' | 'emulator'>,
  since: Date | null,
): Promise<KeptStatements> {
  if (emulator !== null)
    throw new DynoError('unsupported', `${emulator} has no V$SQL.`, { hint: 'Paste the statements.' });
  const { rows = [] } = await connection
    .execute<readonly unknown[]>(keptSql(since === null ? null : secondsSince(since)), [], {
      fetchTypeHandler: fetchLobsAsValues,
    })
    .catch((thrown: unknown) => {
      const { kind, code, message } = toError(thrown);
      if (code !== 'ORA-00942' && code !== 'ORA-01031') throw thrown;
      throw new DynoError(kind === 'permission' ? kind : 'unsupported', `Counted statements: ${message}`, {
        code,
        hint: `An administrator allows it: ${grantOf('v$sql', owner)}. V$SQL needs no Diagnostics Pack.`,
      });
    });
  const kept = keptStatements(
    rows.map((row) => row.slice(0, 4)),
    descriptor.statements!,
  );
  const binds = await readBinds(connection);
  const types = new Map<string, readonly SeenValues[]>();
  for (const [text, , , , id] of rows) {
    const bound = binds.get(String(id));
    const own = bound && withoutValues(String(text), descriptor.statements!);
    // Literals have become parameters of their own, whose places among the binds are not told.
    if (own && !own.includes('?')) types.set(own, bound);
  }
  return {
    ...kept,
    statements: kept.statements.map((one) => {
      const values = types.get(one.text);
      return values ? { ...one, values } : one;
    }),
    ...(since !== null && { countsSince: 'texts' }),
  };
}

/** The types of binds by the statement's id. Empty where the user may not read them: the catalog tells most of them. */
async function readBinds(connection: oracledb.Connection): Promise<ReadonlyMap<string, readonly SeenValues[]>> {
  const found = new Map<string, SeenValues[]>();
  const { rows = [] } = await connection
    .execute<readonly unknown[]>(bindsSql, [], { fetchTypeHandler: fetchLobsAsValues })
    .catch((thrown: unknown) => {
      const { code } = toError(thrown);
      if (code !== 'ORA-00942' && code !== 'ORA-01031') throw thrown;
      return { rows: [] };
    });
  for (const [id, , type] of rows) {
    const binds = found.get(String(id)) ?? [];
    found.set(String(id), binds);
    binds.push(seenType(String(type)));
  }
  return found;
}

/** A type such as NUMBER, VARCHAR2(32) or TIMESTAMP, as a kind of values. */
function seenType(type: string): SeenValues {
  const size = Number(/\((\d+)/.exec(type)?.[1] ?? 10);
  const none = { least: 1, scale: 0, hasNegative: false };
  if (/^(NUMBER|BINARY_|INTEGER|FLOAT)/.test(type)) return { ...none, kind: 'integer', most: 6 };
  if (/^(DATE|TIMESTAMP)/.test(type)) return { ...none, kind: 'timestamp', most: 10 };
  if (/CHAR/.test(type)) return { ...none, kind: 'text', most: Math.min(size, 100) };
  return { ...none, kind: null, most: 0 };
}
