import { type ArrivalRate, isPlainLoop, loadModel } from '#contract/load-model.ts';
import type { ClientJob } from '#contract/messages.ts';
import { Sfc32 } from '#stats/random.ts';
import { share } from '../numbering.ts';
import { Arrivals } from './arrivals.ts';
import type { PhaseLoad } from './dispatcher.ts';
import { createSessionLengths, createThinkTimes } from './think-times.ts';

/** Random numbers of the two phases, and of what they are drawn for, have nothing in common. */
const lanes = { warmup: 401, measure: 402 } as const;
const workerLanes = { warmup: 501, measure: 502 } as const;

type LoadJob = Pick<ClientJob, 'settings' | 'worker' | 'workers' | 'trialSeed'>;

const alone = () => 1;
const never = () => 0;

/** A worker's share of a trial's load, by phase; null: a closed loop on each connection. */
export function planLoad({
  settings,
  worker,
  workers,
  trialSeed,
}: LoadJob): ((phase: keyof typeof lanes) => PhaseLoad) | null {
  const model = loadModel(settings);
  if (isPlainLoop(model)) return null;
  return (phase) => {
    const random = new Sfc32(trialSeed + worker, workerLanes[phase]);
    const arrivalsOf = (rate: ArrivalRate) =>
      new Arrivals(rate, { worker, workers, connections: model.connections }, trialSeed, lanes[phase]);
    switch (model.kind) {
      case 'closed': {
        const { start, end } = share(model.users, worker, workers);
        return { arrivals: null, users: end - start, sessionLength: alone, thinkMs: createThinkTimes(model, random) };
      }
      case 'open':
        return { arrivals: arrivalsOf(model), users: 0, sessionLength: alone, thinkMs: never };
      case 'partlyOpen':
        return {
          arrivals: arrivalsOf(model),
          users: 0,
          sessionLength: createSessionLengths(model, random),
          thinkMs: createThinkTimes(model, random),
        };
    }
  };
}
