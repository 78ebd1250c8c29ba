import type oracledb from 'oracledb';
import type { ProbeSample } from '#engine-api/probe.ts';
import { foreignLocks, withForeignLocks } from '../../shared/foreign-locks.ts';
import { Refusals } from '../../shared/refusals.ts';
import { clientIdOf } from '../connection/connect.ts';
import { toError } from '../errors.ts';
import { grantOf } from '../grants.ts';
import { inUnit, probeInfo, runCounter } from './probe-info.ts';
import {
  events,
  eventsSource,
  foreignLocksSource,
  histogramBoundsUs,
  histogramEvents,
  histogramSource,
  type Source,
  sessionStatistics,
  sessionsSource,
  statistics,
  statisticsSource,
  waitsSource,
} from './probe-sources.ts';

type Row = readonly (string | number | null)[];
type Counters = Record<string, number>;
/** The rows of a source as counters. The names are always the same; a counter that the server has not begun is 0. */
type Reader = (rows: readonly Row[]) => Counters;

/**
 * Makes the probe of a server. A view that the user may not read is listed as unavailable, with the GRANT that would
 * allow it, and not read again. ASH and AWR are never read, because they need the Diagnostics Pack.
 */
export function createProbe(connection: oracledb.Connection, owner: string, tag: string): () => Promise<ProbeSample> {
  const refusals = new Refusals<Source>(toError, (kind) => kind === 'permission' || kind === 'syntax');
  const ask = (source: Source, binds: string[]): Promise<readonly Row[] | null> =>
    refusals.ask(
      source,
      async () =>
        (await connection.execute<Row>(source.sql, binds, { fetchArraySize: 500, prefetchRows: 500 })).rows ?? [],
      ({ message }) =>
        `${source.views.join(', ')}: ${message} — ${source.views.map((view) => grantOf(view, owner)).join('; ')}`,
    );
  const clientId = clientIdOf(tag);
  const readers: readonly (readonly [Source, string[], Reader])[] = [
    [statisticsSource, [], readStatistics],
    [eventsSource, [], readEvents],
    [histogramSource, [], readHistograms],
    [sessionsSource, [clientId], createSessionsReader()],
  ];
  return async () => {
    const counters: Counters = {};
    for (const [source, binds, read] of readers) {
      const rows = await ask(source, binds);
      if (rows) Object.assign(counters, read(rows));
    }
    const waits = await ask(waitsSource, [clientId]);
    const gauges = waits ? readWaits(waits) : {};
    const foreign = await withForeignLocks(gauges, probeInfo, async () => {
      const rows = await ask(foreignLocksSource, [clientId, clientId]);
      return rows && readForeignLocks(rows);
    });
    return { counters, gauges, ...foreign, unavailable: refusals.reasons };
  };
}

const zeros = (names: readonly string[]): Counters => Object.fromEntries(names.map((name) => [name, 0]));

const readStatistics: Reader = (rows) => {
  const counters = zeros(Object.values(statistics).map(({ counter }) => counter));
  for (const [name, value] of rows) {
    const statistic = statistics[String(name)];
    if (statistic !== undefined) counters[statistic.counter] = inUnit(String(name), Number(value));
  }
  return counters;
};

const readEvents: Reader = (rows) => {
  const counters = zeros(Object.values(events).flatMap(({ counter }) => [`${counter}_waits`, `${counter}_time`]));
  for (const [event, waits, us] of rows) {
    const name = events[String(event)]?.counter;
    if (name === undefined) continue;
    counters[`${name}_waits`] = Number(waits);
    counters[`${name}_time`] = Number(us);
  }
  return counters;
};

const bucketNames = (event: string): string[] => {
  const name = events[event]?.counter ?? event;
  return [
    ...histogramBoundsUs.map((bound) => `${name}_under_${bound}us`),
    `${name}_over_${histogramBoundsUs.at(-1)}us`,
  ];
};

const readHistograms: Reader = (rows) => {
  const counters = zeros(histogramEvents.flatMap(bucketNames));
  for (const [event, ...counts] of rows)
    bucketNames(String(event)).forEach((name, i) => {
      counters[name] = Number(counts[i] ?? 0);
    });
  return counters;
};

/** A session that ends takes its numbers with it, so the last ones are kept: sums never go down. */
function createSessionsReader(): Reader {
  const seen = new Map<string, number>();
  return (rows) => {
    for (const [sid, serial, name, value] of rows) seen.set(`${sid},${serial} ${name}`, Number(value));
    const counters = zeros(sessionStatistics.map(runCounter));
    for (const [key, value] of seen) {
      const name = key.slice(key.indexOf(' ') + 1);
      if (statistics[name]) counters[runCounter(name)]! += inUnit(name, value);
    }
    return counters;
  };
}

const textOf = (value: string | number | null | undefined) => (value == null ? null : String(value));

/** The sessions of others for which the run's sessions wait, from the rows of foreignLocksSource. */
const readForeignLocks = (rows: readonly Row[]) =>
  foreignLocks(
    rows.map(([waiter, holder, ownWaiter, ownHolder, program, user, host, heldSeconds]) => ({
      waiter: Number(waiter),
      holder: Number(holder),
      ownWaiter: Number(ownWaiter) === 1,
      ownHolder: Number(ownHolder) === 1,
      program: textOf(program),
      user: textOf(user),
      host: textOf(host),
      heldMs: heldSeconds == null ? null : Number(heldSeconds) * 1_000,
    })),
  );

/** Sessions by what they do or wait for, e.g. "wait:Commit:log file sync". */
function readWaits(rows: readonly Row[]): Record<string, number> {
  const gauges: Record<string, number> = { sessions: 0, active: 0 };
  for (const [status, state, waitClass, event, count] of rows) {
    const number = Number(count);
    gauges.sessions! += number;
    if (status === 'ACTIVE') gauges.active! += number;
    // Between two calls a session may be counted before it begins to wait for the next.
    else if (state !== 'WAITING') continue;
    const name = state === 'WAITING' ? `wait:${waitClass}:${event}` : 'running';
    gauges[name] = (gauges[name] ?? 0) + number;
  }
  return gauges;
}
