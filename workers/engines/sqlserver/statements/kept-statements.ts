import type { Connection } from 'tedious';
import type { KeptStatements } from '#engine-api/kept-statements.ts';
import { DynoError, type ErrorData } from '#model/error.ts';
import { keptStatements, mostKeptTexts, secondsSince } from '../../shared/kept-statements.ts';
import type { Server } from '../connection/server.ts';
import { descriptor } from '../descriptor.ts';
import { toError } from '../errors.ts';
import { query } from '../wire/request.ts';

type Row = Readonly<Record<'text' | 'calls' | 'mean_ms' | 'row_count', unknown>>;

/** Tools send these statements; programs of users do not. */
const ofTools = ['sys.', 'INFORMATION_SCHEMA.'].map((part) => `t.text NOT LIKE N'%${part}%'`).join(' AND ');

/** 1: the Query Store is read-only, 2: it collects (manual, "sys.database_query_store_options"). */
export const storeStateSql = 'SELECT actual_state AS state FROM sys.database_query_store_options';

/**
 * Completed executions in the current database, in the intervals that end after `since`; a text within a module has an
 * object ("sys.query_store_query").
 */
export const storeSql = (
  since: Date | null = null,
): string => `SELECT TOP (${mostKeptTexts}) t.text, s.calls, s.us / s.calls / 1000 AS mean_ms, s.row_count / s.calls AS row_count
  FROM (SELECT q.query_text_id AS id, SUM(CAST(r.count_executions AS float)) AS calls,
               SUM(r.avg_duration * r.count_executions) AS us, SUM(r.avg_rowcount * r.count_executions) AS row_count
          FROM sys.query_store_query AS q JOIN sys.query_store_plan AS p ON p.query_id = q.query_id
          JOIN sys.query_store_runtime_stats AS r ON r.plan_id = p.plan_id
          ${since === null ? '' : `JOIN sys.query_store_runtime_stats_interval AS i ON i.runtime_stats_interval_id = r.runtime_stats_interval_id AND i.end_time > CAST('${since.toISOString()}' AS datetimeoffset)`}
         WHERE q.is_internal_query = 0 AND q.object_id = 0 AND r.execution_type = 0
         GROUP BY q.query_text_id) AS s
  JOIN (SELECT query_text_id AS id, query_sql_text AS text FROM sys.query_store_query_text) AS t ON t.id = s.id
 WHERE s.calls > 0 AND ${ofTools}
 ORDER BY s.us DESC`;

/**
 * Statements with a plan in the cache, executed in the last `sinceSeconds`; a text without a module has no object
 * ("sys.dm_exec_query_stats").
 */
export const cacheSql = (
  sinceSeconds: number | null = null,
): string => `SELECT TOP (${mostKeptTexts}) t.text, s.execution_count AS calls,
       CAST(s.total_elapsed_time AS float) / s.execution_count / 1000 AS mean_ms,
       CAST(s.total_rows AS float) / s.execution_count AS row_count
  FROM sys.dm_exec_query_stats AS s
 CROSS APPLY sys.dm_exec_sql_text(s.sql_handle) AS b
 CROSS APPLY sys.dm_exec_plan_attributes(s.plan_handle) AS a
 CROSS APPLY (SELECT SUBSTRING(b.text, s.statement_start_offset / 2 + 1,
        (CASE s.statement_end_offset WHEN -1 THEN DATALENGTH(b.text) ELSE s.statement_end_offset END - s.statement_start_offset) / 2 + 1)) AS t(text)
 WHERE a.attribute = N'dbid' AND CAST(a.value AS int) = DB_ID() AND b.objectid IS NULL AND s.execution_count > 0 AND ${ofTools}
   ${sinceSeconds === null ? '' : `AND s.last_execution_time >= DATEADD(second, -${sinceSeconds}, GETDATE())`}
 ORDER BY s.total_elapsed_time DESC`;

/**
 * The statements of this database with the most time: those of the Query Store if it is on and may be read, else those
 * whose plans are in the cache.
 */
export async function readKeptStatements(
  connection: Connection,
  { emulator }: Server,
  since: Date | null,
): Promise<KeptStatements> {
  if (emulator !== null)
    throw new DynoError('unsupported', `${emulator} has neither the Query Store nor sys.dm_exec_query_stats.`, {
      hint: 'Paste the statements.',
    });
  const stored = await inStore(connection, since);
  const rows =
    stored ??
    (await query<Row>(connection, cacheSql(since === null ? null : secondsSince(since))).catch((thrown: unknown) => {
      throw refusal(toError(thrown));
    }));
  const kept = keptStatements(
    rows.map(({ text, calls, mean_ms, row_count }) => [withoutDeclarations(String(text)), calls, mean_ms, row_count]),
    descriptor.statements!,
  );
  return {
    ...kept,
    source: stored ? 'the Query Store' : 'sys.dm_exec_query_stats',
    ...(since !== null && { countsSince: stored ? 'calls' : 'texts' }),
  };
}

/** Null: the Query Store is off, may not be read or does not exist (before SQL Server 2016). */
async function inStore(connection: Connection, since: Date | null): Promise<readonly Row[] | null> {
  try {
    const [options] = await query<{ readonly state: unknown }>(connection, storeStateSql);
    if (![1, 2].includes(Number(options?.state))) return null;
    return await query<Row>(connection, storeSql(since));
  } catch (thrown) {
    if (goneKinds.includes(toError(thrown).kind)) throw thrown;
    return null;
  }
}

const goneKinds: readonly ErrorData['kind'][] = ['serverGone', 'unreachable', 'timeout', 'cancelled'];

const refusal = (error: ErrorData): unknown =>
  error.kind === 'permission'
    ? new DynoError('permission', `Counted statements: ${error.message}`, {
        code: error.code,
        hint: 'The login needs VIEW SERVER PERFORMANCE STATE (before SQL Server 2022: VIEW SERVER STATE), or VIEW DATABASE STATE and a Query Store that is on (ALTER DATABASE … SET QUERY_STORE = ON).',
      })
    : new DynoError(error.kind, error.message, error);

/**
 * The statement behind the declarations of its parameters, "(@P0 bigint,@1 decimal(12,2))SELECT …". Parameters that the
 * server made itself have a number as their name.
 */
export function withoutDeclarations(text: string): string {
  const declared = /^\s*\(\s*@/.test(text);
  let end = 0;
  for (let at = text.indexOf('('), depth = 0; declared && at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) {
      end = at + 1;
      break;
    }
  }
  return text.slice(end).replaceAll(/@(\d+)\b/g, '@p$1');
}
