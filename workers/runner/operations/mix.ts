import type { Session } from '#engine-api/session.ts';
import type { ErrorData } from '#model/error.ts';
import { hasStagedWeights } from '#model/stages.ts';
import type { MixScenario, PauseStep, StatementMix } from '#model/statements/statements.ts';
import { type ClientJob, plansOf } from '#protocol/messages.ts';
import { Sfc32 } from '#stats/random/random.ts';
import type { UserPool } from '../load/user-pool.ts';
import type { ControlChannel } from '../loop/control-channel.ts';
import { createStatementCounters, type StatementCounters } from '../loop/statement-counters.ts';
import type { BatchMaker } from '../workload/batch-maker.ts';
import { createMixMaker, createScenarioMaker } from './mix-maker.ts';
import { type MixOperation, prepareMix } from './mix-operation.ts';
import { ItemPlanner, type PlannedItem, planItems } from './plan-items.ts';
import { SampledAnswers } from './sampled-answers.ts';
import { type PlannedScenario, ScenarioScheduler } from './scenario-scheduler.ts';
import { createTableKeys } from './table-keys.ts';

/** The experiment's custom statements as a worker runs them. */
export interface Mix {
  readonly maker: BatchMaker;
  readonly counters: StatementCounters;
  /** Calls depend on those before them, so none can be made ahead. */
  readonly followsInserts: boolean;
  /** Users who go through scenarios; absent without scenarios. */
  readonly users?: UserPool;
  /** Counts the times from the intended and the actual start of the unit of work that a session has made last. */
  readonly responded: (session: Session, responseMs: number, sinceStartMs: number) => void;
  /** The calls whose answers are kept; null: there are none. */
  readonly sampled: SampledAnswers | null;
  prepare(session: Session, toError: (thrown: unknown) => ErrorData): Promise<MixOperation>;
}

type MixJob = Pick<
  ClientJob,
  'connections' | 'loadedRows' | 'sampled' | 'settings' | 'table' | 'tables' | 'trialSeed' | 'worker'
> & {
  readonly measure: Pick<ClientJob['measure'], 'stages'>;
};

const schedulerLane = 397;

export function planMix(job: MixJob, mix: StatementMix, channel: Pick<ControlChannel, 'phase'>): Mix {
  const { loadedRows, measure, settings, table, tables = {}, trialSeed, worker } = job;
  const { method, documents } = settings;
  // New rows, and thus calls, are numbered from the number of loaded rows on (workload.ts).
  const keys = createTableKeys(tables, settings, loadedRows, job.connections);
  const planned = [mix, trialSeed, keys, { documents }, worker] as const;
  const counters = createStatementCounters(mix, () => channel.phase);
  const operations = new WeakMap<Session, MixOperation>();
  const sampled =
    job.sampled && worker === 0 ? new SampledAnswers(job.sampled, { tables, settings, seed: job.sampled.seed }) : null;
  const prepare = (items: readonly PlannedItem[]): Pick<Mix, 'prepare' | 'responded' | 'sampled'> => ({
    sampled,
    async prepare(session, toError) {
      const own = { mix, items, method, tables: plansOf(tables), options: table.options, sampled };
      const operation = await prepareMix(session, own, counters, toError);
      operations.set(session, operation);
      return operation;
    },
    responded(session, responseMs, sinceStartMs) {
      const counts = operations.get(session)?.lastCounts;
      if (counts) counters.responded(counts, responseMs, sinceStartMs);
    },
  });
  if (mix.scenarios) {
    const items: PlannedItem[] = [];
    const planner = new ItemPlanner(...planned);
    const scenarios = mix.scenarios.map((one, number) => planScenario(one, number, planner, items));
    const scheduler = new ScenarioScheduler(
      scenarios,
      new Sfc32(trialSeed + worker, schedulerLane),
      (scenario, startMs, endMs) => counters.succeeded(counters.scenarios[scenario]!, startMs, endMs, 0),
    );
    const { followInserts: followsInserts } = keys;
    return {
      maker: createScenarioMaker(items, scheduler),
      counters,
      users: scheduler,
      followsInserts,
      ...prepare(items),
    };
  }
  const items = planItems(...planned);
  const maker = createMixMaker(items, trialSeed, {
    weights: hasStagedWeights(measure) ? (measure.stages ?? []).map(({ weights }) => weights ?? {}) : [],
    current: () => channel.phase?.stage ?? -1,
  });
  return { maker, counters, followsInserts: keys.followInserts, ...prepare(items) };
}

/** Plans a scenario, and adds an item for each of its steps that runs something. */
function planScenario(
  scenario: MixScenario,
  number: number,
  planner: ItemPlanner,
  items: PlannedItem[],
): PlannedScenario {
  const { name, users, scope } = scenario;
  let waiting: PauseStep[] = [];
  const steps = scenario.steps.flatMap((step) => {
    if (typeof step !== 'number') {
      waiting.push(step);
      return [];
    }
    items.push(planner.plan(step, { scope, number }));
    const pauses = waiting.map((one) => planner.pause(one));
    waiting = [];
    return [{ item: items.length - 1, pauses }];
  });
  return { name, users, steps, pausesAfter: waiting.map((one) => planner.pause(one)) };
}
