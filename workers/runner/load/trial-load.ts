import type { LoadCounts } from '#contract/measurement.ts';
import type { ClientJob } from '#contract/messages.ts';
import { placeStages } from '#contract/stages.ts';
import type { Connection } from '../loop/connection.ts';
import { closedLoops, type Work } from '../loop/loop.ts';
import { Phase } from '../loop/phase.ts';
import { createAlarm } from '../timing/high-resolution-timer.ts';
import { Dispatcher } from './dispatcher.ts';
import { planLoad } from './plan-load.ts';
import type { Crowd } from './user-pool.ts';

/** A worker's load over a trial. */
export interface TrialLoad extends AsyncDisposable {
  /** The clock of the phase runs from here on. */
  begin(name: 'warmup' | 'measure', seconds: number): { readonly phase: Phase; readonly work: Work };
  /** Of the phase that was run last; empty: it had no stages. */
  stages(): readonly LoadCounts[];
}

/** A backlog that takes longer to drain than it took to build up is left; of a short phase, one that takes longer than this. */
const leastDrainSeconds = 5;

/** `crowd`: who works, where scenarios say what they do. */
export async function openLoad(
  job: ClientJob,
  connections: readonly Connection[],
  crowd: Crowd | undefined,
): Promise<TrialLoad> {
  const loadOf = planLoad(job);
  if (!loadOf)
    return {
      begin: (_, seconds) => ({ phase: new Phase(seconds), work: closedLoops(connections) }),
      stages: () => [],
      [Symbol.asyncDispose]: async () => {},
    };
  const alarm = await createAlarm();
  const dispatcher = new Dispatcher(connections, alarm, crowd);
  return {
    begin(name, seconds) {
      const load = loadOf(name);
      const drainSeconds = load.arrivals ? Math.max(leastDrainSeconds, seconds) : 0;
      const phase = new Phase(seconds, drainSeconds, name === 'measure' ? placeStages(job.measure.stages ?? []) : []);
      return { phase, work: () => dispatcher.run(phase, load) };
    },
    stages: () => dispatcher.stages,
    [Symbol.asyncDispose]: () => alarm[Symbol.asyncDispose](),
  };
}
