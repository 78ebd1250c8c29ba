import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardedConfig } from '#engine-api/config.ts';
import type { LoadHost } from '#load-hosts/load-host.ts';
import { localHost } from '#load-hosts/local-host.ts';
import { DynoError, type ErrorData, toErrorData } from '#model/error.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { Phase, Snapshot, TimedCall, WorkerResult } from '#protocol/measurement.ts';
import type { ClientJob } from '#protocol/messages.ts';
import type { AskedPlan, PlanMoment } from '#protocol/query-plans.ts';
import { startWorker } from './fork.ts';
import type { WorkerOptions, WorkerProcess } from './worker-link.ts';

export interface ClientsOptions {
  readonly engine: string;
  readonly config: GuardedConfig;
  readonly secrets: readonly string[];
  readonly tag: string;
  readonly settings: Settings;
  /** Number of worker processes per host, in the order of their numbers. Default: all on this machine. */
  readonly hosts?: readonly HostWorkers[];
  readonly job: Pick<
    ClientJob,
    | 'table'
    | 'dataset'
    | 'measure'
    | 'loadedRows'
    | 'trialSeed'
    | 'mix'
    | 'sampled'
    | 'tables'
    | 'source'
    | 'sourceTarget'
    | 'maxPerSecond'
    | 'session'
  >;
  readonly signal: AbortSignal;
  readonly admit?: WorkerOptions['admit'];
  readonly onPhase?: (phase: Phase) => void;
  readonly onSnapshot?: (snapshot: Snapshot) => void;
  /** Called with the query plans of the trial's statements, after the warm-up and after the measured phase. */
  readonly onQueryPlans?: (plans: readonly AskedPlan[], when: PlanMoment) => void;
  /** Called when a worker sends nothing during the measurement; it may be in one long call. */
  readonly onSilence?: (worker: number, seconds: number) => void;
  /**
   * Called with a call that is reported on its own (measure.until.calls). The next call waits until this resolves.
   * Never rejects.
   */
  readonly onCall?: (call: TimedCall) => Promise<void>;
  /** Settles when the server is at rest; the workers start and log in meanwhile. Default: it is at rest. */
  readonly resting?: Promise<void> | undefined;
  /**
   * The host's work when all workers have logged in and do nothing yet. `endsHere`: for each worker, if its connections
   * end on its own machine (WorkerProcess.endsHere).
   */
  readonly whenOpen?: (endsHere: readonly (boolean | null)[]) => Promise<void>;
  readonly beforeMeasure?: () => Promise<void>;
  readonly whileMeasuring?: () => void;
  /**
   * The host's work when no worker has a call in flight any more, while the workers add up the acknowledged rows.
   * `lastEndNs`: the end of each worker's last call. `counted` is called when the server's counters are read, because
   * the workers then ask for plans again; it is called at the end in any case.
   */
  readonly whenMeasured?: (lastEndNs: readonly string[], counted: () => void) => Promise<void>;
}

/** A load host, and its number of worker processes in a trial. */
export interface HostWorkers {
  readonly host: LoadHost;
  readonly workers: number;
}

interface ClientsOutcome {
  readonly results: readonly WorkerResult[];
  /** The reason why the trial is incomplete; its results may still be useful. Null if it is complete. */
  readonly error: ErrorData | null;
}

/** Time after a stop in which running calls may end, or be cancelled at the server. */
const stopPatienceMs = 8_000;
/** If a worker has not told the server to stop within this time, its driver hangs, or its server is silent. */
const tellMs = 2_000;
const silenceSeconds = 15;

/**
 * Runs the client workers of one trial: fork, barrier, warm-up, barrier, measure, results. All have ended when it
 * returns.
 */
export async function runClients(options: ClientsOptions): Promise<ClientsOutcome> {
  const { connections, processes } = options.settings;
  const hosts = options.hosts ?? [{ host: localHost, workers: Math.min(connections, processes) }];
  const places = hosts.flatMap(({ host, workers }) => Array<LoadHost>(workers).fill(host));
  const shares = spread(connections, places.length);
  const started = await Promise.allSettled(
    places.map((host) =>
      startWorker(
        {
          role: 'client',
          engine: options.engine,
          config: options.config,
          tag: options.tag,
          secrets: options.secrets,
          signal: options.signal,
          ...(options.admit && { admit: options.admit }),
          ...(options.onSnapshot && { onSnapshot: options.onSnapshot }),
          ...(options.onQueryPlans && { onQueryPlans: options.onQueryPlans }),
          ...(options.onCall && { onCall: options.onCall }),
        },
        host,
      ),
    ),
  );
  const workers = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  try {
    const refused = started.find((one) => one.status === 'rejected');
    if (refused) throw refused.reason;
    await options.resting;
    await options.whenOpen?.(workers.map((worker) => worker.endsHere));
    return await runPhases(workers, shares, options);
  } finally {
    await Promise.all(workers.map((worker) => worker.end()));
  }
}

async function runPhases(
  workers: readonly WorkerProcess[],
  shares: readonly number[],
  options: ClientsOptions,
): Promise<ClientsOutcome> {
  const stopped = stopOnSignal(workers, options.signal);
  const abandoned = Promise.race([stopped.overdue, firstFailure(workers)]);
  const step = <T>(work: Promise<T>): Promise<T> => Promise.race([work, abandoned]);
  try {
    await step(
      Promise.all(
        workers.map((worker, index) =>
          worker.prepare({
            ...options.job,
            settings: options.settings,
            worker: index,
            workers: workers.length,
            connections: shares[index] ?? 1,
          }),
        ),
      ),
    );
    options.onPhase?.('warmup');
    await step(Promise.all(workers.map((worker) => worker.warmUp())));
    if (options.beforeMeasure) await step(options.beforeMeasure());
    options.signal.throwIfAborted();
    const leadMs = barrierLead(options.hosts ?? []);
    const beginNs = process.hrtime.bigint() + BigInt(Math.ceil(leadMs * 1e6));
    for (const worker of workers) worker.measure(leadMs === 0 ? null : String(beginNs));
    if (leadMs > 0) await step(sleep(leadMs));
    options.onPhase?.('measure');
    options.whileMeasuring?.();
    const silence = setInterval(() => reportSilence(workers, options.onSilence), 5_000);
    try {
      const measured = step(Promise.all(workers.map((worker) => worker.measured)));
      const [results] = await Promise.all([
        step(Promise.all(workers.map((worker) => worker.result))).then((all) => {
          clearInterval(silence);
          // The workers' sessions close while the server still adds up its rows.
          for (const worker of workers) void worker.end();
          return all;
        }),
        measured.then(async (lastEndNs) => {
          const counted = () => {
            for (const worker of workers) worker.counted();
          };
          await options.whenMeasured?.(lastEndNs, counted);
          counted();
        }),
      ]);
      return { results, error: options.signal.aborted ? stoppedError.data : null };
    } finally {
      clearInterval(silence);
    }
  } catch (thrown) {
    // The results of the other workers up to this point are kept.
    const able = workers.filter((worker) => !stopped.hanging.has(worker));
    for (const worker of stopped.hanging) void worker.kill();
    for (const worker of able) worker.stop(true);
    const late = await Promise.all(able.map((worker) => orNull(worker.result, 2_000)));
    return {
      results: late.filter((one) => one !== null),
      error: options.signal.aborted ? stoppedError.data : toErrorData(thrown),
    };
  } finally {
    stopped.dispose();
  }
}

/**
 * Time in ms until all workers begin together: enough for the message to reach the workers of the furthest load host.
 * 0: there is no other machine, so the message takes no significant time.
 */
const barrierLead = (hosts: readonly HostWorkers[]): number => {
  const trips = hosts.flatMap(({ host }) => host.clock?.roundTripMs ?? []);
  return trips.length === 0 ? 0 : 250 + 4 * Math.max(...trips);
};

const stoppedError = new DynoError('cancelled', 'Stopped before the end.');

/** Number of connections of each process, as even as possible. There are never more processes than connections. */
export function spread(connections: number, processes: number): readonly number[] {
  const count = Math.min(connections, processes);
  const least = Math.floor(connections / count);
  return Array.from({ length: count }, (_, index) => least + (index < connections % count ? 1 : 0));
}

/** Rejects with the error of the first worker that fails before its result. */
function firstFailure(workers: readonly WorkerProcess[]): Promise<never> {
  const failure = new Promise<never>((_, reject) => {
    for (const worker of workers) worker.result.catch(reject);
  });
  failure.catch(() => {});
  return failure;
}

/**
 * On abort, asks the workers to stop, also at the server. `overdue` rejects when they take too long, and at once if
 * some are `hanging`.
 */
function stopOnSignal(workers: readonly WorkerProcess[], signal: AbortSignal) {
  const late = Promise.withResolvers<never>();
  late.promise.catch(() => {});
  const hanging = new Set<WorkerProcess>();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    for (const worker of workers) worker.stop(true);
    timer = setTimeout(() => late.reject(stoppedError), stopPatienceMs);
    void Promise.all(
      workers.map(async (worker) => {
        const told = worker.request({ call: 'abort' }).then(
          () => true,
          () => true,
        );
        if ((await orNull(told, tellMs)) === null) hanging.add(worker);
      }),
    ).then(() => hanging.size > 0 && late.reject(stoppedError));
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return {
    overdue: late.promise,
    hanging,
    dispose() {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    },
  };
}

function reportSilence(workers: readonly WorkerProcess[], report: ClientsOptions['onSilence']): void {
  workers.forEach((worker, index) => {
    const seconds = Math.round((performance.now() - worker.heardAt) / 1_000);
    if (seconds >= silenceSeconds) report?.(index, seconds);
  });
}

async function orNull<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  const answer = await Promise.race([promise.catch(() => null), late]);
  clearTimeout(timer);
  return answer;
}
