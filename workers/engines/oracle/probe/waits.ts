import type oracledb from 'oracledb';
import type { WaitBucket, WaitTotal } from '#engine-api/waits.ts';
import { isLost, Refusals } from '../../shared/refusals.ts';
import { toError } from '../errors.ts';

type Row = readonly (string | number | null)[];

/** All events of the instance but those of the server's own class Idle: [event, class, waits, µs]. */
const allEventsSql =
  "SELECT event, wait_class, total_waits, time_waited_micro FROM v$system_event WHERE wait_class <> 'Idle' AND total_waits > 0 FETCH FIRST 2000 ROWS ONLY";

/**
 * The waits of each event by powers of two: [event, upper bound in µs, waits] (Reference, "V$EVENT_HISTOGRAM_MICRO").
 */
const histogramsSql =
  'SELECT event, wait_time_micro, wait_count FROM v$event_histogram_micro WHERE wait_count > 0 FETCH FIRST 64000 ROWS ONLY';

/**
 * Reads the instance's waits. It has no longest wait of each event, so the last bucket of the histogram bounds it. The
 * probe lists the views that the user may not read.
 */
export function createWaits(connection: oracledb.Connection): () => Promise<readonly WaitTotal[] | null> {
  const refusals = new Refusals<string>(toError, (kind) => !isLost(kind));
  const ask = (sql: string) =>
    refusals.ask(
      sql,
      async () => (await connection.execute<Row>(sql, [], { fetchArraySize: 1_000, prefetchRows: 1_000 })).rows ?? [],
      ({ message }) => message,
    );
  return async () => {
    const events = await ask(allEventsSql);
    return events && waitTotals(events, (await ask(histogramsSql)) ?? []);
  };
}

/** The rows of the two queries as waits. */
function waitTotals(events: readonly Row[], histograms: readonly Row[]): readonly WaitTotal[] {
  const buckets = Map.groupBy(histograms, ([event]) => String(event));
  return events.map(([event, waitClass, count, us]): WaitTotal => {
    const name = String(event);
    const own = buckets.get(name)?.map(([, upToUs, waits]): WaitBucket => [Number(upToUs), Number(waits)]);
    return {
      ...{ name, class: String(waitClass), count: Number(count), totalUs: Number(us), longestUs: null },
      ...(own && { buckets: own }),
    };
  });
}
