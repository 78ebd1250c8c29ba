import type pg from 'pg';
import type { KeptStatements } from '#engine-api/kept-statements.ts';
import { DynoError } from '#model/error.ts';
import { keptStatements, mostKeptTexts } from '../../shared/kept-statements.ts';
import { descriptor } from '../descriptor.ts';
import { quote } from '../names.ts';

const hint =
  'Add it to shared_preload_libraries, restart the server, and run CREATE EXTENSION pg_stat_statements. The user needs the role pg_read_all_stats for the statements of others.';

/** ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE: the extension exists, and the server did not load its library. */
const notLoaded = '55000';

/** The statements of this database that pg_stat_statements has counted, those with the most time first. */
export async function readKeptStatements(client: pg.Client, since: Date | null): Promise<KeptStatements> {
  const { rows: found } = await client.query<{ schema: string; tellsReset: boolean }>(
    `SELECT n.nspname AS schema, to_regclass(quote_ident(n.nspname) || '.pg_stat_statements_info') IS NOT NULL AS "tellsReset"
       FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_stat_statements'`,
  );
  const [extension] = found;
  if (extension === undefined)
    throw new DynoError('unsupported', 'This database does not have the extension pg_stat_statements.', { hint });
  const schema = quote(extension.schema);
  // The columns of times have other names before version 1.8 of the extension. A statement within a function has its
  // time counted with the statement that calls the function.
  const counted = (withTexts: boolean) =>
    `FROM (SELECT to_jsonb(s) ->> 'query' AS query, calls, rows,
             COALESCE(to_jsonb(s) ->> 'total_exec_time', to_jsonb(s) ->> 'total_time')::float8 AS ms,
             COALESCE((to_jsonb(s) ->> 'toplevel')::boolean, true) AS is_top,
             extract(epoch FROM (to_jsonb(s) ->> 'stats_since')::timestamptz) * 1000 AS since
        FROM ${schema}.pg_stat_statements(${withTexts}) s JOIN pg_database d ON d.oid = s.dbid AND d.datname = current_database()) s
      WHERE is_top`;
  const ask = async <R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
    (
      await client.query<R>(text, [...values]).catch((thrown: pg.DatabaseError) => {
        if (thrown.code !== notLoaded) throw thrown;
        throw new DynoError('unsupported', `pg_stat_statements does not answer: ${thrown.message}`, { hint });
      })
    ).rows;
  const rows = await ask<{ query: string; calls: string; mean: string; rows: string; since: string | null }>(
    `SELECT query, calls, ms / GREATEST(calls, 1) AS mean, rows::float8 / GREATEST(calls, 1) AS rows, since
       ${counted(true)} ORDER BY ms DESC LIMIT $1`,
    [mostKeptTexts],
  );
  const [totals] = await ask<{ ms: string; calls: string }>(
    `SELECT COALESCE(sum(ms), 0) AS ms, COALESCE(sum(calls), 0) AS calls ${counted(false)}`,
  );
  const [info] = extension.tellsReset
    ? await ask<{ since: string | null }>(
        `SELECT to_char(stats_reset AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS since FROM ${schema}.pg_stat_statements_info`,
      )
    : [];
  // The counts of a text have one beginning each, from version 1.11 (PostgreSQL 17). All begin after a reset.
  const isReset = since !== null && typeof info?.since === 'string' && new Date(info.since) >= since;
  if (since !== null && !isReset && rows.some((row) => row.since === null))
    throw new DynoError('unsupported', 'This server does not tell since when it counts a statement.', {
      hint: `pg_stat_statements tells it from PostgreSQL 17. Here, SELECT ${schema}.pg_stat_statements_reset() begins all counts anew: call it, and import some time later without --since.`,
    });
  return keptStatements(
    rows.map((row) => [
      ...[row.query, row.calls, row.mean, row.rows, false],
      since !== null && !isReset && Number(row.since) < since.getTime(),
    ]),
    descriptor.statements!,
    {
      ...(since !== null && { countsSince: 'calls' }),
      totalMs: Number(totals!.ms),
      totalCalls: Number(totals!.calls),
      since: info?.since ?? null,
    },
  );
}
