import { connectingMs } from '#analysis/client/connecting-time.ts';
import type { ClientHealth, PhaseHealth, WorkerResult } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';

/** Above these limits, a trial is "client-bound". */
const busyLoop = 0.7;
const busyCore = 0.9;
/**
 * Engines inside the client use its processor for their work, so only the time outside of their calls and commits
 * counts.
 */
const ownShare = 0.3;
/**
 * The work of a process right before and after a phase is counted with it. Above this share, it would hide a short
 * phase.
 */
const mostAround = 0.1;

/**
 * True if a client process was the limit. `inProcess`: the engine runs in the worker itself. Each process is judged
 * against its own time, because a process that finished early had nothing to do in the rest of the trial. A loop that
 * waits for a processor looks busy; that time belongs to the machine, which has its own caveat and finding.
 */
export function isClientSaturated(
  results: readonly {
    readonly health: ClientHealth;
    readonly elapsedMs: number;
    /** Time in which connections changed their sessions (connectingMs). Absent: they were kept. */
    readonly connectMs?: number;
  }[],
  inProcess: boolean,
): boolean {
  return results.some(({ health, elapsedMs, connectMs = 0 }) => {
    if (elapsedMs <= 0 || health.processTime.wallMs > elapsedMs * (1 + mostAround)) return false;
    const waited = (health.pauses.noProcessorMs ?? 0) / elapsedMs;
    const engineMs = health.inCallsMs + health.transactionMs + connectMs;
    return inProcess
      ? 1 - (engineMs + health.processTime.idleMs) / elapsedMs - waited > ownShare
      : health.eventLoopUtilisation - waited > busyLoop ||
          (health.cpuUserMs + health.cpuSystemMs) / elapsedMs > busyCore;
  });
}

/**
 * With too few calls per user, the ends of the phase (users that finish a call early) outweigh any error of accounting.
 */
const fewestCallsPerUser = 50;

/**
 * Little's law N = X·(R + Z) for a closed loop (J. D. C. Little, "A Proof for the Queuing Formula L = λW", 1961):
 * compares the number of users that counts and times add up to with the actual number. Z is think time, the client's
 * own work between calls, connecting, and its pauses. Returns the relative error (below 0: time of the users is
 * missing), or null if the law does not apply or shows too little.
 */
export function littleError(trial: {
  readonly results: readonly Pick<WorkerResult, 'totals' | 'health'>[];
  readonly users: number;
  /** Time of the users: users × elapsed time of their own process (by rows, processes end at different times). */
  readonly userMs: number;
  /** With several calls in flight on a connection, users are not connections. */
  readonly pipelined: boolean;
  /** With a synchronous engine, users of one process wait for each other outside their calls. */
  readonly inProcess: boolean;
  readonly health: PhaseHealth;
}): number | null {
  const { results, users, userMs, health } = trial;
  if (trial.pipelined || trial.inProcess || userMs <= 0) return null;
  let calls = 0;
  let serviceMs = 0;
  let unitsMs: number | null = null;
  let connectMs = 0;
  for (const { totals } of results) {
    connectMs += connectingMs(totals);
    if (totals.load) unitsMs = (unitsMs ?? 0) + totals.load.responseMs + totals.load.thinkMs;
    for (const encoded of [totals.service, totals.failed]) {
      if (encoded === null) continue;
      const histogram = Histogram.decode(encoded);
      if (histogram.count === 0) continue;
      calls += histogram.count;
      serviceMs += (histogram.mean * histogram.count) / 1e6;
    }
  }
  if (calls < fewestCallsPerUser * users) return null;
  const { transactionMs, pauseMs, generateMs, encodeMs } = health;
  // Users that wait for connections and think spend all their time on response times and think times.
  const accountedMs = unitsMs ?? serviceMs + transactionMs + connectMs + pauseMs + generateMs + encodeMs;
  return (accountedMs - userMs) / userMs;
}
