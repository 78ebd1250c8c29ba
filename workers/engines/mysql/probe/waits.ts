import type { WaitTotal } from '#engine-api/waits.ts';
import { isLost, Refusals } from '../../shared/refusals.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { toError } from '../errors.ts';

type Rows = readonly (readonly unknown[])[];

// Timers count picoseconds.
const columns = (sum: (column: string) => string, max: (column: string) => string) =>
  `event_name, ${sum('count_star')}, ${sum('sum_timer_wait')} DIV 1000000, ${max('max_timer_wait')} DIV 1000000`;
const plain = (column: string) => column;

/**
 * The waits of the whole server. Left out are its class idle, and the waits for rows of tables, which contain the waits
 * for files below them. Background threads sleep in waits for conditions, so these are counted for accounts alone.
 */
const allWaitsSql = `SELECT ${columns(plain, plain)}
  FROM performance_schema.events_waits_summary_global_by_event_name
 WHERE count_star > 0 AND event_name <> 'idle' AND event_name NOT LIKE 'wait/io/table/%' AND event_name NOT LIKE 'wait/synch/cond/%'
 UNION ALL
SELECT ${columns(
  (column) => `SUM(${column})`,
  (column) => `MAX(${column})`,
)}
  FROM performance_schema.events_waits_summary_by_account_by_event_name
 WHERE count_star > 0 AND user IS NOT NULL AND event_name LIKE 'wait/synch/cond/%'
 GROUP BY event_name LIMIT 4000`;

/** Reads the server's waits; null where performance_schema is off or may not be read, as the probe says. */
export function createWaits(connection: MysqlConnection): () => Promise<readonly WaitTotal[] | null> {
  const refusals = new Refusals<string>(toError, (kind) => !isLost(kind));
  let isOn: boolean | null = null;
  return async () => {
    isOn ??= Number((await connection.query('SELECT @@GLOBAL.performance_schema')).rows?.[0]?.[0]) === 1;
    if (!isOn) return null;
    const rows = await refusals.ask(
      allWaitsSql,
      async () => (await connection.query(allWaitsSql)).rows,
      ({ message }) => message,
    );
    return rows && waitTotals(rows);
  };
}

/** The rows of the query as waits: "wait/io/file/sql/binlog" is of the class io/file. */
export const waitTotals = (rows: Rows): readonly WaitTotal[] =>
  rows.map(([event, count, us, longestUs]) => {
    const name = String(event);
    return {
      ...{ name, class: name.split('/').slice(1, 3).join('/'), count: Number(count) },
      ...{ totalUs: Number(us), longestUs: Number(longestUs) },
    };
  });
