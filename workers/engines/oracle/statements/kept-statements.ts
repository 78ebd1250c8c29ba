import type oracledb from 'oracledb';
import type { KeptStatements } from '#engine-api/kept-statements.ts';
import { DynoError } from '#model/error.ts';
import { keptStatements, mostKeptTexts } from '../../shared/kept-statements.ts';
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
export const keptSql = `SELECT sql_fulltext, executions, elapsed_time / executions / 1000, rows_processed / executions
  FROM v$sql
 WHERE parsing_schema_name = SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA') AND command_type IN (2, 3, 6, 7, 189)
   AND executions > 0 AND program_id = 0 AND (module IS NULL OR module NOT LIKE 'DBMS_%')
   AND sql_text NOT LIKE '%DS_SVC%' AND sql_text NOT LIKE '%OPT_DYN_SAMP%' AND sql_text NOT LIKE '%SQL Analyze%'
   AND LOWER(sql_text) NOT LIKE '%v$%' AND UPPER(sql_text) NOT LIKE '%DBMS_XPLAN%'
 ORDER BY elapsed_time DESC FETCH FIRST ${mostKeptTexts} ROWS ONLY`;

/** The statements of the user's schema whose cursors are in the shared pool, those with the most time first. */
export async function readKeptStatements(
  connection: oracledb.Connection,
  { owner, emulator }: Pick<Dialect, 'owner' | 'emulator'>,
): Promise<KeptStatements> {
  if (emulator !== null)
    throw new DynoError('unsupported', `${emulator} has no V$SQL.`, { hint: 'Paste the statements.' });
  const { rows = [] } = await connection
    .execute<readonly unknown[]>(keptSql, [], { fetchTypeHandler: fetchLobsAsValues })
    .catch((thrown: unknown) => {
      const { kind, code, message } = toError(thrown);
      if (code !== 'ORA-00942' && code !== 'ORA-01031') throw thrown;
      throw new DynoError(kind === 'permission' ? kind : 'unsupported', `Counted statements: ${message}`, {
        code,
        hint: `An administrator allows it: ${grantOf('v$sql', owner)}. V$SQL needs no Diagnostics Pack.`,
      });
    });
  return keptStatements(rows, descriptor.statements!);
}
