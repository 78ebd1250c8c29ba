import { isCold } from '#engine-api/support/cold-cache.ts';
import { sizeOfTables } from '#model/dataset/tables.ts';
import type { Settings } from '#model/settings/settings.ts';
import { isPlainLoop, loadModel } from '#model/statements/load-model.ts';
import type { Estimate } from '#protocol/estimate.ts';
import type { Plan, PlannedTrial } from '#protocol/plan.ts';
import { trialCount } from './trial-count.ts';
import { variantOf } from './variant-of.ts';

/** Fork, connect, create and drop: the time of a trial without its rows. */
const overheadSeconds = 0.5;
const loadedRowsPerSecond = 300_000;
/** The rate at which server and client check each value of the rows that a trial inserted. */
const verifiedRowsPerSecond = 900_000;
/** Restart of a server to empty its cache. */
const restartSeconds = 4;

/** Two trials with the same key are alike enough for the speed of one to predict the other. */
export function rateKey(engine: string, settings: Settings): string {
  const { operation, method, rowsPerCall, callsPerCommit, connections, fetchSize, networkRoundTripMs = 0 } = settings;
  const { load, users, thinkMs } = settings;
  return [
    engine,
    operation,
    method,
    rowsPerCall,
    callsPerCommit,
    connections,
    fetchSize,
    networkRoundTripMs,
    ...(isPlainLoop(loadModel(settings)) ? [] : [load, users, thinkMs]),
  ].join(' ');
}

/**
 * Rough duration of a run in seconds. `knownRates`: rows (or calls, where no rows move) per second of earlier trials by
 * {@link rateKey}; without them, typical figures of a server that flushes each commit to a disk.
 */
export function estimateSeconds(plan: Plan, knownRates: ReadonlyMap<string, number> = new Map()): Estimate {
  // Repeats take equally long, so one round represents all of them; the loads of a search are not known in advance.
  const round = plan.trials.filter(({ repeat }) => repeat === 1);
  const seconds = round.reduce((sum, trial) => sum + estimateTrialSeconds(plan, trial, knownRates), 0);
  const count = trialCount(plan);
  const each = seconds / Math.max(1, round.length);
  const least = each * count.least;
  return {
    least,
    most: Math.max(least, Math.min(each * count.most, plan.measure.budgetSeconds ?? Number.POSITIVE_INFINITY)),
  };
}

/** Rough duration of one trial in seconds, at most the trial's time limit. */
export function estimateTrialSeconds(
  plan: Plan,
  trial: PlannedTrial,
  knownRates: ReadonlyMap<string, number> = new Map(),
): number {
  const settings = variantOf(plan, trial.variant)?.settings;
  const target = plan.targets.find(({ name }) => name === trial.target);
  if (!settings || target === undefined) return overheadSeconds;
  const { rows } = plan.experiment.dataset;
  const { until, rows: measuredRows, calls, seconds, warmupSeconds, warmupRows, timeoutSeconds } = plan.measure;
  const loadSeconds = settings.operation === 'insert' ? 0 : sizeOfTables(plan.experiment).rows / loadedRowsPerSecond;
  const cold = isCold(settings);
  const before = overheadSeconds + loadSeconds + (cold && target.restartEmptiesCache ? restartSeconds : 0);
  const rate = knownRates.get(rateKey(target.engine, settings)) ?? ordinaryRate(settings);
  if (until === 'time') {
    const during = (cold ? 0 : warmupSeconds) + seconds;
    const inserts = settings.operation === 'insert' || settings.operation === 'copy';
    return before + during + (inserts ? (rate * during) / verifiedRowsPerSecond : 0);
  }
  const done =
    until === 'rows'
      ? measuredRows + (cold ? 0 : warmupRows)
      : (calls ?? 0) * (settings.operation === 'scan' ? rows : settings.rowsPerCall);
  return before + Math.min(timeoutSeconds, done / rate);
}

/** Rows per second from the cost of a commit, of a round trip and of a row. */
function ordinaryRate(settings: Settings): number {
  const { operation, rowsPerCall, callsPerCommit, connections, networkRoundTripMs = 0 } = settings;
  const writes = ['insert', 'copy', 'update', 'delete'].includes(operation);
  const commitSeconds = writes ? 0.001 / (rowsPerCall * callsPerCommit) : 0;
  const rowSeconds = commitSeconds + (0.000_06 + networkRoundTripMs / 1_000) / rowsPerRoundTrip(settings) + 0.000_004;
  // Connections share disk and processors, so the gain per connection shrinks.
  return Math.min(connections, 8) ** 0.7 / rowSeconds;
}

function rowsPerRoundTrip({ operation, method, rowsPerCall, pipelineDepth, fetchSize }: Settings): number {
  if (operation === 'scan' || operation === 'readRange') return fetchSize;
  if (method === 'pipelined') return Math.min(pipelineDepth, 64);
  return method === 'serverLoop' ? 1_000 : rowsPerCall;
}
