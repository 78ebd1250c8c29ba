import { isCold } from '#engine-api/support/cold-cache.ts';
import { sizeOfTables } from '#model/dataset/tables.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { Estimate } from '#protocol/estimate.ts';
import type { Plan, PlannedTrial } from '#protocol/plan.ts';
import { canShareTable } from './can-share-table.ts';
import { besideKey, type Durations, experimentKey, noDurations, rateKey, tablesKey, trialKey } from './durations.ts';
import { repeatsOf } from './repeats.ts';
import { instancesOf, secondsPerInstance, serverOf } from './server-instances.ts';
import { trialCount } from './trial-count.ts';
import { planOf, variantOf } from './variant-of.ts';

/** Fork, connect, verify and drop: the time of a trial beside its calls and its tables. */
export const usualBeside = 0.4;
/** The time that creates the table and brings the server to rest. */
const createSeconds = 0.1;
const loadedRowsPerSecond = 300_000;
/** The rate at which server and client check each value of the rows that a trial inserted. */
const verifiedRowsPerSecond = 900_000;
/** Restart of a server to empty its cache. */
const restartSeconds = 4;
/** Time of a run beside its trials: workers, logins, the round trips to each target. */
const usualStart = { seconds: 0.5, perTarget: 0.5 };
/** The first run also calibrates the machine, and creates the data of managed servers. */
const firstStart = { seconds: 2, perServer: 3 };

/**
 * Rough duration of a run in seconds. `known`: earlier trials and runs on this machine; without them, typical figures
 * of a server that flushes each commit to a disk.
 */
export function estimateSeconds(plan: Plan, known: Durations = noDurations): Estimate {
  const start = estimateStart(plan, known);
  const { min, max } = repeatsOf(plan.measure);
  if (plan.measure.search) {
    // The loads of a search are not known in advance, so the mean of all represents them.
    const each = estimateTrials(plan, plan.trials, known) / Math.max(1, plan.trials.length);
    const { least, most } = trialCount(plan);
    const budget = plan.measure.budgetSeconds ?? Number.POSITIVE_INFINITY;
    const shortest = start + each * least;
    return { least: shortest, most: Math.max(shortest, start + Math.min(each * most, budget)), likely: null };
  }
  const after = (rounds: number) =>
    start +
    estimateTrials(
      plan,
      plan.trials.filter(({ repeat }) => repeat <= rounds),
      known,
    );
  const longest = roundsWithin(plan, known, max);
  const before = known.rounds.get(experimentKey(plan));
  return {
    least: after(min),
    most: after(longest),
    likely: before === undefined || min === max ? null : after(Math.max(min, Math.min(before, longest))),
  };
}

/** Seconds of a run beside its trials. */
export function estimateStart(plan: Plan, known: Durations): number {
  const before = known.starts.get(experimentKey(plan));
  if (before !== undefined) return before;
  const { targets } = plan;
  const servers = targets.filter(({ restartEmptiesCache }) => restartEmptiesCache).length;
  const first = known.isEmpty ? firstStart.seconds + firstStart.perServer * servers : 0;
  const own = targets.reduce((sum, { name }) => sum + (instancesOf(plan, name)?.size ?? 0), 0);
  return first + usualStart.seconds + usualStart.perTarget * targets.length + secondsPerInstance * own;
}

/** The number of rounds, at most `rounds`, that the budget allows; the minimum always runs. */
export function roundsWithin(plan: Plan, known: Durations, rounds: number): number {
  const { min } = repeatsOf(plan.measure);
  const { budgetSeconds } = plan.measure;
  if (budgetSeconds === undefined || rounds <= min) return rounds;
  const round = estimateTrials(
    plan,
    plan.trials.filter(({ repeat }) => repeat === 1),
    known,
  );
  return Math.max(min, Math.min(rounds, Math.floor(budgetSeconds / round)));
}

/** Seconds of these trials, which follow one another. */
function estimateTrials(plan: Plan, trials: readonly PlannedTrial[], known: Durations): number {
  const last = new Map<string, PlannedTrial>();
  return trials.reduce((sum, trial) => {
    const server = serverOf(plan, trial);
    const made = makesTables(plan, trial, last.get(server)) ? estimateTables(plan, trial, known) : 0;
    last.set(server, trial);
    return sum + made + estimateTrial(plan, trial, known);
  }, 0);
}

/** False if the trial reads the table of the trial before it on its server. */
export function makesTables(plan: Plan, trial: PlannedTrial, before: PlannedTrial | undefined): boolean {
  const [own, other] = [trial, before].map((one) => one && variantOf(plan, one.variant));
  return !own || !other || !canShareTable(plan, other, own, trial.target);
}

/** Rough duration of making a trial's tables in seconds: creating and loading them, and settling the server. */
export function estimateTables(plan: Plan, trial: PlannedTrial, known: Durations): number {
  const before = known.tables.get(tablesKey(plan, trial));
  if (before !== undefined) return before;
  const variant = variantOf(plan, trial.variant);
  const rows = variant?.settings.operation === 'insert' ? 0 : sizeOfTables(planOf(plan, variant).experiment).rows;
  return createSeconds + rows / loadedRowsPerSecond;
}

/** Rough duration of one trial with its tables in seconds, at most the trial's time limit. */
export function estimateTrial(plan: Plan, trial: PlannedTrial, known: Durations = noDurations): number {
  const before = known.trials.get(trialKey(plan, trial));
  if (before !== undefined) return before;
  const variant = variantOf(plan, trial.variant);
  const settings = variant?.settings;
  const target = plan.targets.find(({ name }) => name === trial.target);
  if (!settings || target === undefined) return usualBeside;
  const beside = known.besides.get(besideKey(target.engine, settings)) ?? usualBeside;
  const { experiment, measure } = planOf(plan, variant);
  const { rows } = experiment.dataset;
  const { until, rows: measuredRows, calls, seconds, warmupSeconds, warmupRows, timeoutSeconds } = measure;
  const cold = isCold(settings);
  const around = beside + (cold && target.restartEmptiesCache ? restartSeconds : 0);
  const rate = known.rates.get(rateKey(target.engine, settings)) ?? ordinaryRate(settings);
  if (until === 'time') {
    const during = (cold ? 0 : warmupSeconds) + seconds;
    const inserts = settings.operation === 'insert' || settings.operation === 'copy';
    return around + during + (inserts ? (rate * during) / verifiedRowsPerSecond : 0);
  }
  const done =
    until === 'rows'
      ? measuredRows + (cold ? 0 : warmupRows)
      : (calls ?? 0) * (settings.operation === 'scan' ? rows : settings.rowsPerCall);
  return around + Math.min(timeoutSeconds, done / rate);
}

/** Rows per second from the cost of a commit, of connecting, of a round trip and of a row. */
function ordinaryRate(settings: Settings): number {
  const { operation, rowsPerCall, callsPerCommit, callsPerConnection, connections, networkRoundTripMs = 0 } = settings;
  const writes = ['insert', 'copy', 'update', 'delete'].includes(operation);
  const commitSeconds = writes ? 0.001 / (rowsPerCall * callsPerCommit) : 0;
  const connectSeconds =
    callsPerConnection > 0 ? (0.003 + (4 * networkRoundTripMs) / 1_000) / (rowsPerCall * callsPerConnection) : 0;
  const rowSeconds =
    commitSeconds + connectSeconds + (0.000_06 + networkRoundTripMs / 1_000) / rowsPerRoundTrip(settings) + 0.000_004;
  // Connections share disk and processors, so the gain per connection shrinks.
  return Math.min(connections, 8) ** 0.7 / rowSeconds;
}

function rowsPerRoundTrip({
  operation,
  method,
  rowsPerCall,
  pipelineDepth,
  callsPerBatch,
  fetchSize,
}: Settings): number {
  if (operation === 'scan' || operation === 'readRange') return fetchSize;
  if (method === 'pipelined') return Math.min(pipelineDepth, 64);
  if (method === 'batch') return callsPerBatch;
  return method === 'serverLoop' ? 1_000 : rowsPerCall;
}
