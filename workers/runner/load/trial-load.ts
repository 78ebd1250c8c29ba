import type { Session } from '#engine-api/session.ts';
import { placeStages } from '#model/stages.ts';
import type { LoadCounts } from '#protocol/measurement.ts';
import type { ClientJob } from '#protocol/messages.ts';
import type { ClientConnection } from '../loop/client-connection.ts';
import { closedLoops, type Work } from '../loop/loop.ts';
import { Phase } from '../loop/phase.ts';
import { openHighResolutionTimer } from '../timing/high-resolution-timer.ts';
import { Dispatcher } from './dispatcher.ts';
import { planLoad } from './plan-load.ts';
import type { UserPool } from './user-pool.ts';

/** A worker's load over a trial. */
export interface TrialLoad extends AsyncDisposable {
  /** True if units of work begin when they are due; otherwise each connection makes one call after another. */
  readonly isScheduled: boolean;
  /** Starts the clock of a phase. */
  begin(name: 'warmup' | 'measure', seconds: number): { readonly phase: Phase; readonly work: Work };
  /** Counts of each stage of the last phase; empty without stages. */
  stages(): readonly LoadCounts[];
}

/** After the last arrival, waiting units may run for as long as the phase took, and at least this long. */
const leastDrainSeconds = 5;

/** The users, if scenarios define their work, and the receiver of the response times of units of work. */
interface UnitsOfWork {
  readonly users?: UserPool;
  responded(session: Session, responseMs: number, sinceStartMs: number): void;
}

/** `units`: custom statements; undefined: the calls of another operation. */
export async function openLoad(
  job: ClientJob,
  connections: readonly ClientConnection[],
  units: UnitsOfWork | undefined,
): Promise<TrialLoad> {
  const loadOf = planLoad(job);
  if (!loadOf)
    return {
      isScheduled: false,
      begin: (_, seconds) => ({ phase: new Phase(seconds), work: closedLoops(connections) }),
      stages: () => [],
      [Symbol.asyncDispose]: async () => {},
    };
  const timer = await openHighResolutionTimer();
  const dispatcher = new Dispatcher(connections, timer, units?.users, units?.responded);
  return {
    isScheduled: true,
    begin(name, seconds) {
      const load = loadOf(name);
      const drainSeconds = load.arrivals ? Math.max(leastDrainSeconds, seconds) : 0;
      dispatcher.gather(load, seconds);
      const phase = new Phase(seconds, drainSeconds, name === 'measure' ? placeStages(job.measure.stages ?? []) : []);
      return { phase, work: () => dispatcher.run(phase) };
    },
    stages: () => dispatcher.stages,
    [Symbol.asyncDispose]: () => timer[Symbol.asyncDispose](),
  };
}
