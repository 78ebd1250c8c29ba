import { placeStages } from '#model/stages.ts';
import { type ArrivalRate, isPlainLoop, loadModel } from '#model/statements/load-model.ts';
import type { ClientJob } from '#protocol/messages.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { Arrivals } from './arrivals.ts';
import type { PhaseLoad } from './dispatcher.ts';
import { Intensity, steady } from './intensity.ts';
import { createSessionLengths, createThinkTimes } from './think-times.ts';

/** Lanes of random numbers. Each phase, and each use within a phase, has its own. */
const lanes = { warmup: 401, measure: 402 } as const;
const workerLanes = { warmup: 501, measure: 502 } as const;

type LoadJob = Pick<ClientJob, 'settings' | 'measure' | 'worker' | 'workers' | 'trialSeed' | 'mix'>;

const alone = () => 1;
const never = () => 0;

/** Plans a worker's share of a trial's load, by phase; null for closed loops. */
export function planLoad({
  settings,
  measure,
  worker,
  workers,
  trialSeed,
  mix,
}: LoadJob): ((phase: keyof typeof lanes) => PhaseLoad) | null {
  const model = loadModel(settings);
  const { stages } = measure;
  if (isPlainLoop(model) && !stages && !mix?.scenarios) return null;
  const staged = stages ? { intensity: new Intensity(placeStages(stages)), stages: stages.length } : null;
  return (phase) => {
    const { intensity, stages: count } = (phase === 'measure' && staged) || { intensity: steady, stages: 0 };
    const common = { intensity, stages: count, users: null };
    const random = new Sfc32(trialSeed + worker, workerLanes[phase]);
    const arrivalsOf = (rate: ArrivalRate) =>
      new Arrivals(rate, { worker, workers, connections: model.connections }, trialSeed, lanes[phase], intensity);
    switch (model.kind) {
      case 'closed':
        return {
          ...common,
          users: { total: model.users, worker, workers },
          arrivals: null,
          sessionLength: alone,
          thinkMs: createThinkTimes(model, random),
        };
      case 'open':
        return { ...common, arrivals: arrivalsOf(model), sessionLength: alone, thinkMs: never };
      case 'partlyOpen':
        return {
          ...common,
          arrivals: arrivalsOf(model),
          sessionLength: createSessionLengths(model, random),
          thinkMs: createThinkTimes(model, random),
        };
    }
  };
}
