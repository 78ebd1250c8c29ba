import { formatUpTo } from '../format/format.ts';
import { many } from '../format/plural.ts';
import type { Settings } from '../settings/settings.ts';
import type { PauseStep } from './statements.ts';

/** The pause between an answer and the next unit of work. */
export type ThinkTime = Pick<Settings, 'thinkTime' | 'thinkMs'>;

/** The rate and the distribution of arrivals, which do not depend on the server. */
export type ArrivalRate = Pick<Settings, 'arrivals' | 'arrivalsPerSecond'>;

/** The settings of a load, including irrelevant ones. */
type LoadSettings = ThinkTime &
  ArrivalRate &
  Pick<Settings, 'load' | 'users' | 'connections' | 'unitsPerSession' | 'sessionLength'>;

/** The load of a variant, with only its relevant settings. */
export type LoadModel =
  | (ThinkTime & { readonly kind: 'closed'; readonly users: number; readonly connections: number })
  | (ArrivalRate & { readonly kind: 'open'; readonly connections: number })
  | (ArrivalRate &
      ThinkTime &
      Pick<Settings, 'unitsPerSession' | 'sessionLength'> & {
        readonly kind: 'partlyOpen';
        readonly connections: number;
      });

/** The load that these settings describe. */
export function loadModel(settings: LoadSettings): LoadModel {
  const { users, connections, thinkTime, thinkMs, arrivals, arrivalsPerSecond, unitsPerSession, sessionLength } =
    settings;
  switch (settings.load) {
    case 'closed':
      return { kind: 'closed', users: users || connections, connections, thinkTime, thinkMs };
    case 'open':
      return { kind: 'open', arrivals, arrivalsPerSecond, connections };
    case 'partlyOpen':
      return {
        kind: 'partlyOpen',
        arrivals,
        arrivalsPerSecond,
        unitsPerSession,
        sessionLength,
        thinkTime,
        thinkMs,
        connections,
      };
  }
}

/** True for a closed loop on each connection, without arrivals, think times or a queue. */
export const isPlainLoop = (model: LoadModel): boolean =>
  model.kind === 'closed' && model.users === model.connections && model.thinkMs === 0;

/** True if the load has an arrival rate that does not depend on the server. */
export const hasArrivals = (settings: LoadSettings): boolean => loadModel(settings).kind !== 'closed';

const number = (value: number): string => formatUpTo(value);
const distributionWords = {
  constant: 'constant',
  uniform: 'uniform',
  exponential: 'exponential',
  logNormal: 'log-normal',
};

/** "500 ms (exponential)"; for a pause between two bounds "1,000 to 2,000 ms". */
export const formatPause = ({ thinkTime, thinkMs }: PauseStep): string =>
  typeof thinkMs === 'number'
    ? `${number(thinkMs)} ms (${distributionWords[thinkTime]})`
    : `${number(thinkMs.from)} to ${number(thinkMs.to)} ms`;

const thinkTimeText = (think: ThinkTime, inScenarios: boolean): string =>
  `${think.thinkMs === 0 ? 'no think time' : `think time ${formatPause(think)}`}${inScenarios ? ' between passes' : ''}`;

const arrivalsText = ({ arrivals, arrivalsPerSecond }: ArrivalRate, what: string): string =>
  `${number(arrivalsPerSecond)} ${what}/s (${arrivals === 'poisson' ? 'Poisson' : 'constant'})`;

/** "open, 200 arrivals/s (Poisson) on 8 connections". `inScenarios`: users think between passes of a scenario. */
export function loadText(model: LoadModel, inScenarios = false): string {
  const pool = `on ${many(model.connections, 'connection')}`;
  switch (model.kind) {
    case 'closed':
      return isPlainLoop(model)
        ? `closed, ${many(model.users, 'user')}`
        : `closed, ${many(model.users, 'user')} ${pool}, ${thinkTimeText(model, inScenarios)}`;
    case 'open':
      return `open, ${arrivalsText(model, 'arrivals')} ${pool}`;
    case 'partlyOpen': {
      const length = `${number(model.unitsPerSession)} units each (${model.sessionLength})`;
      return `partly open, ${arrivalsText(model, 'sessions')} of ${length} ${pool}, ${thinkTimeText(model, inScenarios)}`;
    }
  }
}
