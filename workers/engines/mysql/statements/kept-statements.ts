import type { KeptStatement } from '#engine-api/kept-statements.ts';
import { DynoError } from '#model/error.ts';
import { keptStatements, mostKept } from '../../shared/kept-statements.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { descriptor } from '../descriptor.ts';
import { literal } from '../values/values.ts';

/** The statements of this database that performance_schema has counted, those with the most time first. */
export async function readKeptStatements(
  connection: MysqlConnection,
  database: string,
): Promise<readonly KeptStatement[]> {
  const { rows: on } = await connection.query('SELECT @@performance_schema');
  if (Number(on?.[0]?.[0]) !== 1)
    throw new DynoError('unsupported', 'performance_schema is off, so that this server counts no statements.', {
      hint: 'Start the server with performance_schema=ON. The user needs SELECT on performance_schema.',
    });
  const { rows } = await connection.query(
    `SELECT digest_text, count_star, avg_timer_wait / 1000000000, (sum_rows_sent + sum_rows_affected) / count_star
       FROM performance_schema.events_statements_summary_by_digest
      WHERE schema_name = ${literal(database)} AND digest_text REGEXP '^(SELECT|INSERT|UPDATE|DELETE|REPLACE|WITH)'
        AND digest_text NOT LIKE '%performance_schema%' AND digest_text NOT LIKE '%information_schema%'
      ORDER BY sum_timer_wait DESC LIMIT ${mostKept}`,
  );
  // A digest writes a list of values as (...).
  return keptStatements(
    (rows ?? []).map(([text, ...figures]) => [
      String(text).replaceAll('(...)', '(?)').replaceAll(/ \. /g, '.'),
      ...figures,
    ]),
    descriptor.statements!,
  );
}
