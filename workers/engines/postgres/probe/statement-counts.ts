import type pg from 'pg';

/** True if the extension pg_stat_statements counts statements and plans. */
export interface StatementCounts {
  /** The query of this database's counters. Null: there are none. */
  readonly sql: string | null;
  /** The remedies for missing counts, a sentence each. */
  readonly missing: readonly string[];
}

/**
 * Finds the extension if a DBA has installed it; Dyno neither loads nor creates it. Every user may read its numbers
 * (manual, "pg_stat_statements"). Version 1.8 (PostgreSQL 13) also counts plans.
 */
export async function findStatementCounts(client: pg.Client): Promise<StatementCounts> {
  const { rows } = await client.query<Record<'track' | 'planning' | 'schema' | 'version', string | null>>(`
    SELECT current_setting('pg_stat_statements.track', true) AS track,
           current_setting('pg_stat_statements.track_planning', true) AS planning,
           (SELECT quote_ident(nspname) FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace
             WHERE extname = 'pg_stat_statements') AS schema,
           (SELECT extversion FROM pg_extension WHERE extname = 'pg_stat_statements') AS version`);
  return statementCounts(rows[0]!);
}

/** Decides by the server's settings (null: the library is not loaded), and the extension's schema and version. */
export function statementCounts({
  track,
  planning,
  schema,
  version,
}: Readonly<Record<'track' | 'planning' | 'schema' | 'version', string | null>>): StatementCounts {
  const needs = [
    ...(track === null ? ['pg_stat_statements in shared_preload_libraries (and a restart)'] : []),
    ...(track === 'none' ? ['pg_stat_statements.track = top'] : []),
    ...(schema === null ? ['CREATE EXTENSION pg_stat_statements in this database'] : []),
  ];
  if (needs.length > 0) return { sql: null, missing: [`Statements executed and plans made: need ${list(needs)}.`] };
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  const hasPlans = major > 1 || minor >= 8;
  const missing = !hasPlans
    ? [`Plans made: need pg_stat_statements 1.8 (ALTER EXTENSION … UPDATE, from PostgreSQL 13 on); it is ${version}.`]
    : planning === 'on'
      ? []
      : ['Plans made: need pg_stat_statements.track_planning = on.'];
  return {
    // The argument `false` leaves out the texts of the statements, which the server would have to read from a file.
    sql: `SELECT sum(calls) AS statement_calls${missing.length > 0 ? '' : ', sum(plans) AS statement_plans'}
            FROM ${schema}.pg_stat_statements(false) WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    missing,
  };
}

const list = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
