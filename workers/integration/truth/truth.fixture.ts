import { fork } from 'node:child_process';
import { once } from 'node:events';
import { guarded } from '#integration/trusted.fixture.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { fromErrorData } from '#model/error.ts';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import { runClients } from '#orchestrator/worker/clients.ts';
import { mergeCounts } from '#orchestrator/worker/merge-results.ts';
import { catalogEntry } from '#orchestrator/worker/targets.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { type BarePlan, type RequestLog, type ServicePlan, theory, workTable } from './service-plan.fixture.ts';

/** Runs Dyno's own client processes against a server with known service times, and reads the server's log. */

interface TruthCase {
  readonly name: string;
  readonly plan: ServicePlan;
  readonly settings: Partial<Settings>;
  /** The mean by queueing theory for a run without end, in ms; null if no simple formula exists. */
  readonly meanMs: number | null;
  readonly p99Ms: number | null;
}

/** Times of the same requests, ms, from Dyno or from the server's log. */
export interface Times {
  readonly count: number;
  readonly meanMs: number;
  readonly percentileMs: (p: number) => number;
}

/** A client's figures of its calls, and the figures of the server's log for the same calls. */
interface Compared {
  readonly client: Times;
  /** The times from arrival at the server until the answer is written. */
  readonly log: Times;
}

export interface Measured extends Compared {
  /** The delays from the intended start until the generator handled it; null: a closed load. */
  readonly startError: Times | null;
  /**
   * Mean time per call within Dyno's process, ms: from its start until the socket has its bytes, and from the event of
   * the answer's last bytes to its end. Null: no call was timed at the socket.
   */
  readonly ownMs: number | null;
}

const dataset: Dataset = {
  rows: 1_000,
  seed: 1,
  key: 'id',
  columns: { id: { type: 'sequence', start: 1, nulls: 0 } },
};

export async function measure({ plan, settings }: TruthCase, seconds: number, warmupSeconds = 1): Promise<Measured> {
  await using server = await startServer(plan);
  const own = {
    ...defaultSettings,
    operation: 'readByKey',
    method: 'literal',
    generation: 'inline',
    ...settings,
  } as const;
  const target = { host: '127.0.0.1', port: server.port, database: 'truth', user: 'truth', password: 'none' };
  const outcome = await runClients({
    engine: 'postgres',
    config: guarded(catalogEntry('postgres').config.parse(target)),
    secrets: [],
    tag: 'dyno-truth',
    settings: own,
    job: {
      table: { name: workTable, columns: tableColumns(dataset), key: 0, options: {} },
      dataset,
      measure: {
        repeats: 1,
        until: 'time',
        rows: dataset.rows,
        seconds,
        warmupSeconds,
        warmupRows: 0,
        timeoutSeconds: seconds + 60,
        order: 'declared',
        seed: plan.seed,
      },
      loadedRows: dataset.rows,
      trialSeed: plan.seed,
    },
    signal: AbortSignal.timeout((seconds + 90) * 1_000),
  });
  if (outcome.error) throw fromErrorData(outcome.error);
  const { service, load } = mergeCounts(outcome.results.map(({ totals }) => totals));
  const [fromNs, toNs] = [
    Math.min(...outcome.results.map(({ firstStartNs }) => Number(firstStartNs))),
    Math.max(...outcome.results.map(({ lastEndNs }) => Number(lastEndNs))),
  ];
  const timed = outcome.results.flatMap(({ health }) => health.callTime ?? []);
  const calls = timed.reduce((sum, one) => sum + one.calls, 0);
  const ownMs = timed.reduce((sum, { sendMs, receiveMs }) => sum + sendMs + receiveMs, 0);
  return {
    client: timesOf(Histogram.decode(load?.response ?? service)),
    log: logged(await server.log(), fromNs, toNs),
    startError: load ? timesOf(Histogram.decode(load.startError)) : null,
    ownMs: calls === 0 ? null : ownMs / calls,
  };
}

/** The same load from the hand-written client (bare-client-process.fixture.ts), without a warm-up. */
export async function measureBare({ plan, settings }: TruthCase, seconds: number): Promise<Compared> {
  await using server = await startServer(plan);
  const { connections = 1, arrivalsPerSecond = null } = settings;
  const bare: BarePlan = { port: server.port, connections, perSecond: arrivalsPerSecond, seconds, seed: plan.seed };
  const client = startProcess('./bare-client-process.fixture.ts', bare);
  const [[encoded]] = await Promise.all([once(client, 'message'), once(client, 'exit')]);
  return { client: timesOf(Histogram.decode(encoded as string)), log: logged(await server.log()) };
}

/** Times of the requests that arrived and were answered between these moments. */
function logged({ arrivedNs, sentNs }: RequestLog, fromNs = 0, toNs = Number.POSITIVE_INFINITY): Times {
  const sorted = arrivedNs
    .flatMap((ns, i) => (ns >= fromNs && sentNs[i]! <= toNs ? [(sentNs[i]! - ns) / 1e6] : []))
    .toSorted((a, b) => a - b);
  return {
    count: sorted.length,
    meanMs: sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length,
    percentileMs: (p) => sorted[Math.max(0, Math.ceil((p / 100) * sorted.length - 1e-9) - 1)]!,
  };
}

const timesOf = (histogram: Histogram): Times => ({
  count: histogram.count,
  meanMs: histogram.mean / 1e6,
  percentileMs: (p) => histogram.percentile(p) / 1e6,
});

const startProcess = (file: string, plan: unknown) =>
  fork(new URL(file, import.meta.url), [JSON.stringify(plan)], { serialization: 'advanced', execArgv: [] });

async function startServer(plan: ServicePlan) {
  const child = startProcess('./timed-server-process.fixture.ts', plan);
  const [port] = await once(child, 'message');
  return {
    port: Number(port),
    async log(): Promise<RequestLog> {
      const answer = once(child, 'message');
      child.send('log');
      return (await answer)[0] as RequestLog;
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** Open load at the utilisation ρ of these servers, with enough connections that the queue forms in the server. */
export const openAt = (load: number, serviceMs: number, servers = 1): Partial<Settings> => ({
  load: 'open',
  arrivals: 'poisson',
  arrivalsPerSecond: (load * servers * 1_000) / serviceMs,
  connections: 96,
});

/** The cases of the truth suite, with this mean service time in ms. */
export function truthCases(meanMs: number): readonly TruthCase[] {
  const exponential = { kind: 'exponential', meanMs } as const;
  const constant = { kind: 'constant', meanMs } as const;
  const loads = [0.5, 0.8, 0.9];
  const percent = (load: number) => `${load * 100} %`;
  return [
    ...loads.map((load) => ({
      name: `M/M/1 at ${percent(load)}`,
      plan: { service: exponential, servers: 1, seed: 11 },
      settings: openAt(load, meanMs),
      meanMs: theory.mm1(meanMs, load),
      p99Ms: theory.mm1P99(meanMs, load),
    })),
    ...loads.map((load) => ({
      name: `M/D/1 at ${percent(load)}`,
      plan: { service: constant, servers: 1, seed: 12 },
      settings: openAt(load, meanMs),
      meanMs: theory.md1(meanMs, load),
      p99Ms: null,
    })),
    {
      name: 'M/M/4 at 80 %',
      plan: { service: exponential, servers: 4, seed: 13 },
      settings: openAt(0.8, meanMs, 4),
      meanMs: theory.mmc(meanMs, 0.8, 4),
      p99Ms: null,
    },
    {
      name: 'M/D/1 at 50 %, server stalls for 1 s',
      plan: { service: constant, servers: 1, seed: 14, stall: { atRequest: 100, ms: 1_000 } },
      settings: openAt(0.5, meanMs),
      meanMs: null,
      p99Ms: null,
    },
    {
      name: 'lognormal (σ 1), 8 users in a closed loop',
      plan: { service: { kind: 'lognormal', meanMs, sigma: 1 }, servers: 8, seed: 15 },
      settings: { connections: 8 },
      meanMs,
      p99Ms: meanMs * Math.exp(2.3263 - 0.5),
    },
    {
      name: 'bimodal (2 % ten times as long), 8 users in a closed loop',
      plan: {
        service: { kind: 'bimodal', fastMs: meanMs, slowMs: meanMs * 10, slowShare: 0.02 },
        servers: 8,
        seed: 16,
      },
      settings: { connections: 8 },
      meanMs: meanMs * 1.18,
      p99Ms: meanMs * 10,
    },
  ];
}
