import { setImmediate as turn } from 'node:timers/promises';
import type { Snapshot, TimedCall, WorkerResult } from '#protocol/measurement.ts';
import { startHealth } from '../timing/health.ts';
import type { TimeSplit } from '../timing/time-split.ts';
import type { CallSource } from '../workload/call-source.ts';
import type { ClientConnection } from './client-connection.ts';
import { callTimes, wireBytes } from './client-connections.ts';
import type { ControlChannel } from './control-channel.ts';
import { Counts } from './counts.ts';
import type { Phase } from './phase.ts';
import { startSnapshots } from './snapshots.ts';

/** The result of a measured phase: a worker's result without its verification data. */
export type Measured = Omit<WorkerResult, 'acknowledged' | 'handshakes' | 'worker' | 'uncertainRows' | 'errorExamples'>;

const turnSampleMs = 4;

/** Runs the work of a phase on the connections. Resolves when no call is in flight. Never rejects. */
export type Work = (phase: Phase) => Promise<void>;

/** Runs closed loops: each connection makes one call after another without think time, at most `calls`. */
export const closedLoops =
  (connections: readonly ClientConnection[], calls?: number): Work =>
  async (phase) => {
    await Promise.all(connections.map((connection) => connection.run(phase, calls)));
  };

export async function runPhase(work: Work, phase: Phase, channel: ControlChannel): Promise<void> {
  channel.phase = phase;
  if (channel.stopped) phase.stop();
  // This timer fires while connections wait for a server; with a synchronous engine it falls behind.
  const turns = setInterval(() => {
    phase.lastTurnMs = performance.now();
  }, turnSampleMs);
  await work(phase);
  clearInterval(turns);
  channel.phase = null;
}

/**
 * Runs the measured phase call by call: the worker reports each call and starts the next one when the host allows it.
 */
export async function runCallByCall(
  connections: readonly ClientConnection[],
  phase: Phase,
  channel: ControlChannel,
  calls: number,
  report: (call: TimedCall) => void,
): Promise<void> {
  const work = closedLoops(connections, 1);
  for (let number = 1; number <= calls; number++) {
    const before = phase.succeededCalls;
    const next = channel.nextCallMayBegin();
    await runPhase(work, phase, channel);
    if (phase.stopped) return;
    await Promise.all(connections.map(({ session }) => session.reportWork?.()));
    const succeeded = phase.succeededCalls > before;
    report(succeeded ? { ms: phase.lastCallMs, rows: phase.lastCallRows } : { ms: null, rows: 0 });
    await next;
  }
}

/** The parts of its worker that the measured phase needs. */
interface MeasuredWorker {
  readonly worker: number;
  readonly connections: readonly ClientConnection[];
  readonly callSource: CallSource;
  readonly split: TimeSplit;
}

/** Runs the measured phase, and counts it in intervals together with the state of this process. */
export async function measurePhase(
  phase: Phase,
  { worker, connections, callSource, split }: MeasuredWorker,
  run: () => Promise<void>,
  send: (snapshot: Snapshot) => void,
): Promise<Measured> {
  const totals = new Counts();
  const clock = monotonicClock();
  using health = startHealth(() => {
    split.settle(performance.now());
    return {
      generateMs: callSource.generateMs,
      encodeMs: callSource.encodeMs,
      inCallsMs: totals.inCallsMs + phase.counts.inCallsMs,
      transactionMs: totals.transactionMs + phase.counts.transactionMs,
      pauseMs: totals.pauseMs + phase.counts.pauseMs,
      driverMs: { encode: split.encodeMs, decode: split.decodeMs, engine: split.engineMs },
      idle: split.idle(),
      calls: callTimes(connections, {
        calls: totals.calls + totals.failures + phase.counts.calls + phase.counts.failures,
        transactions: totals.transactions + phase.counts.transactions,
      }),
      wire: wireBytes(connections),
    };
  });
  const snapshots = startSnapshots(phase, totals, worker, health, send);
  await run();
  const whole = snapshots.finish();
  // After the last snapshot, calls that began before the deadline finish, and transactions are committed.
  totals.add(phase.counts);
  // The pauses of the current turn of the event loop are reported with the next one.
  await turn();
  const slowest = phase.slowest.against(health.pauses());
  const nothing = phase.lastEndMs < phase.firstStartMs;
  const { lines } = phase;
  const { inCallsMs, transactionMs, pauseMs } = totals;
  return {
    beganNs: clock(phase.startMs),
    firstStartNs: clock(nothing ? phase.startMs : phase.firstStartMs),
    lastEndNs: clock(nothing ? phase.startMs : phase.lastEndMs),
    ...(lines && { lines }),
    totals: totals.toData(),
    health: { ...whole, inCallsMs, transactionMs, pauseMs, slowest },
  };
}

/** performance.now() as text of the machine's monotonic clock in ns, the same in all processes. */
function monotonicClock(): (ms: number) => string {
  const now = performance.now();
  const offsetNs = process.hrtime.bigint() - BigInt(Math.round(now * 1e6));
  return (ms) => String(offsetNs + BigInt(Math.round(ms * 1e6)));
}
