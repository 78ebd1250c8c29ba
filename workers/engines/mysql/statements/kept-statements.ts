import type { KeptStatements } from '#engine-api/kept-statements.ts';
import { DynoError } from '#model/error.ts';
import { keptStatements, mostKeptTexts } from '../../shared/kept-statements.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { descriptor } from '../descriptor.ts';
import { literal } from '../values/values.ts';

/** The statements of this database that performance_schema has counted, those with the most time first. */
export async function readKeptStatements(
  connection: MysqlConnection,
  database: string,
  since: Date | null,
): Promise<KeptStatements> {
  const { rows: on } = await connection.query('SELECT @@performance_schema');
  if (Number(on?.[0]?.[0]) !== 1)
    throw new DynoError('unsupported', 'performance_schema is off, so that this server counts no statements.', {
      hint: 'Start the server with performance_schema=ON. The user needs SELECT on performance_schema.',
    });
  const { rows: columns } = await connection.query(
    `SELECT column_name FROM information_schema.columns WHERE table_schema = 'performance_schema'
        AND table_name = 'events_statements_summary_by_digest' AND column_name = 'QUERY_SAMPLE_TEXT'`,
  );
  const hasSamples = (columns ?? []).length > 0;
  const ofDatabase = `FROM performance_schema.events_statements_summary_by_digest WHERE schema_name = ${literal(database)}`;
  const { rows } = await connection.query(
    `SELECT digest_text, count_star, avg_timer_wait / 1000000000, (sum_rows_sent + sum_rows_affected) / count_star,
            ${hasSamples ? 'query_sample_text' : 'NULL'},
            ${since === null ? '0' : `last_seen < FROM_UNIXTIME(${since.getTime() / 1_000})`}
       ${ofDatabase} AND digest_text IS NOT NULL AND count_star > 0
      ORDER BY sum_timer_wait DESC LIMIT ${mostKeptTexts}`,
  );
  const { rows: totals } = await connection.query(
    `SELECT COALESCE(SUM(sum_timer_wait), 0) / 1000000000, COALESCE(SUM(count_star), 0),
            DATE_FORMAT(CONVERT_TZ(MIN(first_seen), @@session.time_zone, '+00:00'), '%Y-%m-%dT%TZ')
       ${ofDatabase}`,
  );
  const [ms, calls, begun] = totals?.[0] ?? [];
  return keptStatements(
    (rows ?? []).map(([digest, count, mean, rowsPerCall, sample, isOlder]) => {
      const [text, isCut] = textOf(String(digest), sample);
      return [text, count, mean, rowsPerCall, isCut, Number(isOlder) === 1];
    }),
    descriptor.statements!,
    {
      ...{ totalMs: Number(ms), totalCalls: Number(calls), since: begun === null ? null : String(begun) },
      ...(since !== null && { countsSince: 'texts' as const }),
    },
  );
}

/**
 * The text of a digest, and true if the server has cut it. A digest writes a list of values as (...), and ends with
 * three points where performance_schema_max_digest_length ends it. A sample has the whole list; three points at its
 * end say that it is cut, too (manual, "Performance Schema Statement Digests and Sampling").
 */
export function textOf(digest: string, sample: unknown): readonly [text: string, isCut: boolean] {
  const isCut = (text: string) => /\.\.\.\s*$/.test(text);
  if (typeof sample === 'string' && sample !== '' && !isCut(sample)) return [sample, false];
  return [asWritten(digest.replaceAll('(...)', '(?)')), isCut(digest)];
}

/** Words in front of a bracket that is no function's. */
const beforeBrackets = new Set(
  (
    'in values value from join on and or not where select as using into exists any all some over by having when then ' +
    'else case union with between like set returning limit straight_join partition index key ignore force use'
  ).split(' '),
);

/** A digest has spaces between all its tokens, and the server takes COUNT ( * ) for a column with a bracket. */
const asWritten = (digest: string): string =>
  digest
    .split(/(`[^`]*`)/)
    .map((part, i) =>
      i % 2 === 1
        ? part
        : part
            .replaceAll(/ \. /g, '.')
            .replaceAll(/\b(\w+) \(/g, (whole, word: string) =>
              beforeBrackets.has(word.toLowerCase()) ? whole : `${word}(`,
            )
            .replaceAll(/\( /g, '(')
            .replaceAll(/ ([),])/g, '$1'),
    )
    .join('')
    .trim();
