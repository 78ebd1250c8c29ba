import type { Database } from '#engine-api/database.ts';
import type { OperationPlan } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import { toErrorData } from '#model/error.ts';
import type { SocketWatch } from '../timing/socket-watch.ts';
import type { TimeSplit } from '../timing/time-split.ts';
import { CallSource } from '../workload/call-source.ts';
import { CallTracker } from '../workload/call-tracker.ts';
import { numberRange } from '../workload/numbering.ts';
import { openClientConnections } from './client-connections.ts';
import { ControlChannel } from './control-channel.ts';
import { closedLoops, runPhase } from './loop.ts';
import { Phase } from './phase.ts';

/** The cost of a call. */
export interface CallCost {
  readonly wallNs: number;
  /** Processor time of this process only. */
  readonly cpuNs: number;
}

/** Runs the closed loop over this many prepared calls of one row, and resolves with the cost per call. */
export async function bareLoop(
  openSession: () => Promise<Session>,
  { connections = 1, depth = 1 }: { readonly connections?: number; readonly depth?: number },
  split: TimeSplit,
  sockets: SocketWatch | null,
): Promise<(calls: number) => Promise<CallCost>> {
  const trackerOf = (calls: number) => {
    const tracker = new CallTracker(numberRange(0, calls, 1));
    for (let call = 0; call < calls; call++) tracker.addPrepared(null, call % connections);
    return tracker;
  };
  const batch = { rows: 1, columns: [] };
  const callSource = new CallSource({ callsPerBlock: 1, make: () => batch, batchRows: () => 1 }, trackerOf(0));
  const options = {
    callSource,
    expected: null,
    callsPerCommit: 1,
    callsPerConnection: 0,
    depth,
    batches: false,
    writes: true,
    maxAttempts: 10,
    seed: 1,
    turnsInTransactions: true,
    split,
    toError: toErrorData,
  };
  const database = { openSession } as unknown as Database; // The benchmark uses nothing else of it.
  const unread = {} as OperationPlan; // The session does not read it.
  const plan = { options: {}, isolation: 'default' as const, prepare: (session: Session) => session.prepare(unread) };
  const opened = await openClientConnections(database, plan, connections, options, sockets);
  return async (calls) => {
    callSource.use(trackerOf(calls));
    const start = performance.now();
    const cpu = process.cpuUsage();
    await runPhase(closedLoops(opened), new Phase(Number.POSITIVE_INFINITY), new ControlChannel());
    const { user, system } = process.cpuUsage(cpu);
    return { wallNs: ((performance.now() - start) * 1e6) / calls, cpuNs: ((user + system) * 1e3) / calls };
  };
}

/** A session without a server, whose calls return the result of `run`. */
export const sessionThat = (run: () => Promise<number> | number): Session => ({
  prepare: async () => ({ encode: () => null, run }),
  begin() {},
  commit() {},
  rollback() {},
  cancel: async () => {},
  wireBytes: () => null,
  [Symbol.asyncDispose]: async () => {},
});
