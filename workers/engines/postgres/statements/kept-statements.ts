import type pg from 'pg';
import type { KeptStatement } from '#engine-api/kept-statements.ts';
import { DynoError } from '#model/error.ts';
import { keptStatements, mostKept } from '../../shared/kept-statements.ts';
import { descriptor } from '../descriptor.ts';
import { quote } from '../names.ts';

const hint =
  'Add it to shared_preload_libraries, restart the server, and run CREATE EXTENSION pg_stat_statements. The user needs the role pg_read_all_stats for the statements of others.';

/** ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE: the extension exists, and the server did not load its library. */
const notLoaded = '55000';

/** The statements of this database that pg_stat_statements has counted, those with the most time first. */
export async function readKeptStatements(client: pg.Client): Promise<readonly KeptStatement[]> {
  const { rows: found } = await client.query<{ schema: string }>(
    `SELECT n.nspname AS schema FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_stat_statements'`,
  );
  const schema = found[0]?.schema;
  if (schema === undefined)
    throw new DynoError('unsupported', 'This database does not have the extension pg_stat_statements.', { hint });
  // The columns of times have other names before version 1.8 of the extension.
  const { rows } = await client
    .query<{ query: string; calls: string; mean: string; rows: string }>(
      `SELECT query, calls, COALESCE(to_jsonb(s) ->> 'mean_exec_time', to_jsonb(s) ->> 'mean_time') AS mean,
              rows::float8 / GREATEST(calls, 1) AS rows
         FROM ${quote(schema)}.pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid AND d.datname = current_database()
        WHERE query ~* '^\\s*(/\\*.*\\*/\\s*)?(select|insert|update|delete|merge|with)\\y' AND query !~ 'pg_stat_statements'
        ORDER BY calls * COALESCE(to_jsonb(s) ->> 'mean_exec_time', to_jsonb(s) ->> 'mean_time')::float8 DESC LIMIT $1`,
      [mostKept],
    )
    .catch((thrown: pg.DatabaseError) => {
      if (thrown.code !== notLoaded) throw thrown;
      throw new DynoError('unsupported', `pg_stat_statements does not answer: ${thrown.message}`, { hint });
    });
  return keptStatements(
    rows.map((row) => [row.query, row.calls, row.mean, row.rows]),
    descriptor.statements!,
  );
}
