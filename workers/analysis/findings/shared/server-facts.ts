import type { ResourceClass } from '#model/resource.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import { effectiveCount } from '#stats/intervals/share-interval.ts';
import type { ForeignLocks, TrialView } from '../../run-model/run-model.ts';
import { addForeignLocks } from '../../server/foreign-locks.ts';
import { noTimeText, type Roles, rolesOf, type ServerSummary } from '../../server/server-summary.ts';
import {
  atWork,
  type ClassTimes,
  lockObservations,
  ownShares,
  type ServerTime,
  sampledLockMs,
  serverTimeOf,
} from '../../server/server-time.ts';

/** The sums of the server's own counters over the measured phases of a cell. */
export interface ServerFacts {
  /** Counters by role, the same on every engine; absent: the server has no counter of this role, or it went back. */
  readonly roles: Roles;
  /** The engine's names of the counters of each role. */
  readonly labels: ServerSummary['labels'];
  /** Server time by class, ms; absent: no time of this class. */
  readonly classMs: ClassTimes;
  /**
   * Shares (0…1) of the server's own time: classMs without `client` and `network`, in which the server waits for the
   * client.
   */
  readonly ownShare: ClassTimes;
  /**
   * Sampled lock waits that the server's clocks do not contain, as a share (0…1) of its own time including them. If the
   * share is large, `ownShare` is incomplete.
   */
  readonly unclockedLocks: number;
  /** timed: the server's own clocks. sampled: mean sessions × time. none: see noTimeText. */
  readonly method: 'timed' | 'sampled' | 'none';
  /** The reason why the time is unknown, as a sentence; null if it is known. */
  readonly noTimeText: string | null;
  /** Sampled sessions in classes of the server's own time; 0 if time is timed. */
  readonly observations: number;
  /** The observations of each sample by class. */
  readonly seen: readonly ClassTimes[];
  /**
   * Mean number of the cell's sessions that the server worked for, or delayed, at a time. Null: not reported, or too
   * few samples.
   */
  readonly atWork: number | null;
  /** Sessions outside the run that held locks for which its sessions waited; the longest block comes first. */
  readonly foreignLocks: ForeignLocks;
  /** Sessions of the run seen in waits for locks, over all samples; null: the server does not report waits. */
  readonly lockObservations: number | null;
  /** The parts of the classes by the engine's names, the longest first. */
  readonly parts: ServerTime['parts'];
}

/** The number of independent observations that give the share of a class the same certainty. */
export const effectiveObservations = ({ seen }: ServerFacts, of: ResourceClass): number =>
  effectiveCount(
    seen.map((one) => ({ count: one[of] ?? 0, of: Object.values(one).reduce((sum, count) => sum + count, 0) })),
  );

/** Sums over the good trials of one cell. */
export function serverFacts(
  { probeInfo, descriptor }: TargetRecord,
  views: readonly TrialView[],
  connections: number,
  elapsedMs: number,
): ServerFacts {
  const time = serverTimeOf(probeInfo, views, connections);
  return {
    ...rolesOf(probeInfo, views),
    classMs: time?.classMs ?? {},
    ownShare: time === null ? {} : ownShares(time),
    unclockedLocks: time?.method === 'timed' ? unclockedLocks(time, sampledLockMs(probeInfo, views)) : 0,
    method: time?.method ?? 'none',
    noTimeText: time === null ? noTimeText(probeInfo, descriptor.inProcess ?? false) : null,
    observations: time?.observations ?? 0,
    seen: time?.seen ?? [],
    atWork: time === null ? null : atWork(time, elapsedMs),
    foreignLocks: addForeignLocks(views.map(({ series }) => series.foreignLocks)),
    lockObservations: lockObservations(probeInfo, views),
    parts: time?.parts ?? [],
  };
}

function unclockedLocks({ classMs }: ServerTime, seenMs: number): number {
  const clockedMs = classMs.lock ?? 0;
  if (seenMs <= clockedMs) return 0;
  return (ownShares({ classMs: { ...classMs, lock: seenMs } }).lock ?? 0) * (1 - clockedMs / seenMs);
}
