import type { Plan, PlannedTrial } from './plan.ts';
import type { Settings } from './settings.ts';
import { variantOf } from './variant-of.ts';

/** Fork, connect, create, verify and drop: what a trial costs besides its rows. */
const overheadSeconds = 0.5;
const loadedRowsPerSecond = 300_000;

/** What makes two trials alike enough for the speed of one to predict the other. */
export function rateKey(engine: string, settings: Settings): string {
  const { operation, method, rowsPerCall, callsPerCommit, connections } = settings;
  return [engine, operation, method, rowsPerCall, callsPerCommit, connections].join(' ');
}

/**
 * Rough duration of a run in seconds. `knownRates`: rows (or calls, where no rows move) per second of earlier trials by
 * {@link rateKey}; where there are none, ordinary figures for a server that flushes each commit to a disk.
 */
export function estimateSeconds(plan: Plan, knownRates: ReadonlyMap<string, number> = new Map()): number {
  // Repeats cost the same, so one round stands for all.
  const round = plan.trials.filter(({ repeat }) => repeat === 1);
  const seconds = round.reduce((sum, trial) => sum + estimateTrialSeconds(plan, trial, knownRates), 0);
  return seconds * plan.measure.repeats;
}

/** The same for one trial. Never more than the trial's time limit allows. */
export function estimateTrialSeconds(
  plan: Plan,
  trial: PlannedTrial,
  knownRates: ReadonlyMap<string, number> = new Map(),
): number {
  const settings = variantOf(plan, trial.variant)?.settings;
  const engine = plan.targets.find(({ name }) => name === trial.target)?.engine;
  if (!settings || engine === undefined) return overheadSeconds;
  const { rows } = plan.experiment.dataset;
  const { until, seconds, warmupSeconds, warmupRows, timeoutSeconds } = plan.measure;
  const loadSeconds = settings.operation === 'insert' ? 0 : rows / loadedRowsPerSecond;
  if (until === 'time') return overheadSeconds + loadSeconds + warmupSeconds + seconds;
  const rate = knownRates.get(rateKey(engine, settings)) ?? ordinaryRate(settings);
  return overheadSeconds + loadSeconds + Math.min(timeoutSeconds, (rows + warmupRows) / rate);
}

/** Rows per second from the cost of a commit, of a round trip and of a row. */
function ordinaryRate(settings: Settings): number {
  const { operation, method, rowsPerCall, callsPerCommit, connections, pipelineDepth } = settings;
  const writes = operation === 'insert' || operation === 'update' || operation === 'delete';
  const rowsPerRoundTrip =
    method === 'pipelined' ? Math.min(pipelineDepth, 64) : method === 'serverLoop' ? 1_000 : rowsPerCall;
  const commitSeconds = writes ? 0.001 / (rowsPerCall * callsPerCommit) : 0;
  const rowSeconds = commitSeconds + 0.000_06 / rowsPerRoundTrip + 0.000_004;
  // Connections share disk and processors: gains shrink long before they end.
  return Math.min(connections, 8) ** 0.7 / rowSeconds;
}
