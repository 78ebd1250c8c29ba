import type { ProbeSample } from '#engine-api/probe.ts';
import { Refusals } from '../../shared/refusals.ts';
import type { Link } from '../connection/link.ts';
import { toError } from '../errors.ts';
import { aboutId, hasDatabase } from '../schema/tables.ts';
import { createCollections } from './collections.ts';
import { createIoEvents } from './io-events.ts';
import { metricCounters, metricGauges, readNumbers, statsCounters, statsGauges, timeSpanMs } from './probe-info.ts';

/**
 * Makes the probe of a server. A value that the user may not read is listed as unavailable and not read again. Counters
 * are the database's, with all its clients, because the server has no sessions.
 */
export function createProbe(link: Link): () => Promise<ProbeSample> {
  const refusals = new Refusals<string>(toError, (kind) => kind === 'permission');
  const readEvents = createIoEvents();
  const readCollections = createCollections();
  let clockAheadMs: number | null = null;
  let isThere = false;
  let isFirst = true;
  /** Null: the request was refused, now or before. */
  const ask = (what: string, right: string, path: string, ofServer = false): Promise<unknown> =>
    refusals.ask(
      path,
      () => link.ask({ path, ofServer }),
      ({ message }) => `${what} (${path}): ${message} Needs ${right} (dyno grants TARGET).`,
    );
  return async () => {
    const cpu = cpuTime(await ask('Processor time', 'the security clearance Operator', '/admin/debug/cpu/stats', true));
    const collected = readCollections(
      await ask('Garbage collections', 'the security clearance Operator', '/admin/debug/memory/gc', true),
    );
    const counters: Record<string, number> = { ...(cpu !== null && { cpu_time: cpu }), ...collected?.counters };
    // Dyno makes its database with the first table.
    isThere ||= await hasDatabase(link);
    if (!isThere) return { counters, gauges: { active: 0, ...collected?.gauges }, unavailable: refusals.reasons };
    const inDatabase = `access to the database ${link.store.database}`;
    const metrics = await ask('Counters', inDatabase, '/metrics');
    const stats = await ask('Statistics', inDatabase, '/stats');
    Object.assign(counters, readNumbers(metrics, metricCounters), readNumbers(stats, statsCounters));
    const gauges: Record<string, number> = {
      active: 0,
      ...collected?.gauges,
      ...readNumbers(metrics, metricGauges),
      ...readNumbers(stats, statsGauges),
      ...(hasIndexes(stats) && indexGauges(await ask('Indexes', inDatabase, '/indexes/progress'))),
    };
    clockAheadMs ??= await clockAhead(link);
    const io = await ask('Journal writes, flushes and syncs', inDatabase, '/debug/io-metrics');
    const events = io === null || clockAheadMs === null ? [] : readEvents(io, Date.now() + clockAheadMs);
    // Work before the first sample belongs to no trial.
    const sample = {
      counters,
      gauges,
      unavailable: refusals.reasons,
      ...(io !== null && { events: isFirst ? [] : events }),
    };
    isFirst = false;
    return sample;
  };
}

const hasIndexes = (stats: unknown): boolean =>
  ((stats ?? {}) as { readonly CountOfIndexes?: number }).CountOfIndexes !== 0;

function cpuTime(answer: unknown): number | null {
  const { CpuStats: stats } = (answer ?? {}) as {
    readonly CpuStats?: readonly { readonly TotalProcessorTime?: string }[];
  };
  return timeSpanMs(stats?.[0]?.TotalProcessorTime);
}

/** The progress of indexes that lag behind. */
interface IndexProgress {
  readonly Results: readonly {
    readonly Collections: Readonly<
      Record<
        string,
        {
          readonly NumberOfItemsToProcess: number;
          readonly NumberOfTombstonesToProcess: number;
        }
      >
    > | null;
  }[];
}

function indexGauges(answer: unknown): Record<string, number> {
  if (answer === null) return {};
  const { Results: stale } = answer as IndexProgress;
  const lags = stale.flatMap(({ Collections: of }) => Object.values(of ?? {}));
  return {
    stale_indexes: stale.length,
    index_lag: lags.reduce((sum, one) => sum + one.NumberOfItemsToProcess + one.NumberOfTombstonesToProcess, 0),
  };
}

/**
 * The ms by which the server's clock is ahead of this machine's. Events carry the server's time, and the headers of
 * answers have only seconds. A patch that is only tried out returns the time, to half a round trip. Null: there is no
 * document to try it on.
 */
async function clockAhead(link: Link): Promise<number | null> {
  let best: { readonly aheadMs: number; readonly tookMs: number } | null = null;
  // The first call compiles the script, and a busy server may be late with any call.
  for (let times = 0; times < clockReadings; times++) {
    const before = Date.now();
    const answer = (await link.ask({
      method: 'PATCH',
      path: `/docs?id=${encodeURIComponent(aboutId)}&test=true`,
      body: JSON.stringify({ Patch: { Script: 'output(Date.now());' } }),
    })) as { readonly Debug?: { readonly Info?: readonly string[] } } | null;
    const after = Date.now();
    const told = Number(answer?.Debug?.Info?.[0]);
    if (Number.isNaN(told)) return null;
    if (best === null || after - before < best.tookMs)
      best = { aheadMs: told - (before + after) / 2, tookMs: after - before };
  }
  return best?.aheadMs ?? null;
}

/** The number of readings of the server's clock, of which the quickest counts. */
const clockReadings = 5;
