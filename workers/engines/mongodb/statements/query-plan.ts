import { BSON, type Db, type Document, MongoServerError } from 'mongodb';
import {
  mostPlanMs,
  type PlanStep,
  type PlanStepExtent,
  type PlanStepKind,
  planTexts,
  type QueryPlan,
  unknownStep,
} from '#engine-api/query-plan.ts';
import { DynoError } from '#model/error.ts';
import { provePlans } from '../../shared/plan-proof.ts';
import { toError } from '../errors.ts';

const { EJSON } = BSON;

/** Asks for the plan of a command, outside of the session, because no transaction can contain `explain`. */
export async function queryPlanOf(db: Db, command: Document, isRead: boolean): Promise<QueryPlan> {
  if (!isRead) return explain(db, command, 'queryPlanner');
  try {
    return await explain(db, command, 'executionStats');
  } catch (error) {
    if (toError(error).kind !== 'statementTimeout') throw error;
    return explain(db, command, 'queryPlanner');
  }
}

/** @throws DynoError 'unsupported' where `explain` is answered by something else than a plan. */
const proveMongodbPlans = (db: Db): Promise<void> =>
  provePlans(db.client, 'MongoDB', async () => {
    const answer = await db.command({ explain: { find: 'dyno_no_collection', limit: 1 }, verbosity: 'queryPlanner' });
    return answer.queryPlanner !== undefined;
  });

/** @throws DynoError 'unsupported' for commands that the server does not explain, such as an insert. */
export async function explainedBy(db: Db, command: Document, verbosity: Verbosity): Promise<Document> {
  await proveMongodbPlans(db);
  try {
    return await db.command({ explain: command, verbosity, maxTimeMS: mostPlanMs });
  } catch (error) {
    if (error instanceof MongoServerError && notExplained.includes(Number(error.code))) throw noPlan();
    throw error;
  }
}

/**
 * IllegalOperation is the answer of commands without an explanation of their own; CommandNotFound that of servers
 * without `explain`.
 */
const notExplained = [20, 59];
type Verbosity = 'queryPlanner' | 'executionStats';
const noPlan = () => new DynoError('unsupported', 'MongoDB has no plan for a command of this kind.');

async function explain(db: Db, command: Document, verbosity: Verbosity): Promise<QueryPlan> {
  const answer = await explainedBy(db, command, verbosity);
  const steps = planSteps(answer);
  if (steps.length === 0) throw noPlan();
  const executed = verbosity === 'executionStats';
  const { queryPlanner, executionStats, stages } = answer;
  // The rest of the answer is about the server: its host, port and parameters.
  const printed = EJSON.stringify({ queryPlanner, executionStats, stages }, undefined, 2);
  return { command: `explain("${verbosity}")`, executed, steps, ...planTexts(EJSON.stringify(command), printed) };
}

/**
 * The steps of an answer to `explain`, in pre-order: stages of a pipeline come after the stage that reads their
 * documents. If the slot-based engine executes stages, the server counts documents of the whole command alone (manual,
 * "Explain Results"), and the only step that reads has the count. Pure.
 */
export function planSteps({ stages, ...answer }: Document): readonly PlanStep[] {
  if (!Array.isArray(stages)) return plannedSteps(answer, { depth: 0, extent: 'toEnd' });
  const [first = {}, ...others] = stages as readonly Document[];
  let extent: PlanStepExtent = 'toEnd';
  const own = others.toReversed().map((stage, depth) => {
    const step = pipelineStep(stage, { depth, extent });
    extent = extentBelow(step.operator, extent);
    return step;
  });
  return [...own, ...plannedSteps((first.$cursor ?? {}) as Document, { depth: own.length, extent })];
}

/** The place of a stage, and how far the stages above read it. */
type Place = Pick<PlanStep, 'depth' | 'extent'>;

/**
 * How far a stage reads the one below, if it is itself read as far as `above`: sorts and groups read everything first.
 */
const extentBelow = (stage: string, above: PlanStepExtent): PlanStepExtent =>
  /limit/i.test(stage) ? 'mayStop' : /sort|group|bucket|facet|setWindowFields/i.test(stage) ? 'toEnd' : above;

const pipelineStep = (stage: Document, place: Place): PlanStep => {
  const [name = ''] = Object.keys(stage);
  const actual = numberOf(stage.nReturned);
  return {
    ...unknownStep,
    ...place,
    kind: stageKinds[name] ?? 'other',
    operator: name,
    actualRows: actual,
    loops: actual === null ? null : 1,
    spilled: typeof stage.usedDisk === 'boolean' ? stage.usedDisk : null,
    details: [`${name}: ${written(stage[name])}`],
  };
};

function plannedSteps({ queryPlanner, executionStats }: Document, place: Place): readonly PlanStep[] {
  const planner = (queryPlanner ?? {}) as Document;
  const winning = (planner.winningPlan ?? {}) as Document;
  const collection = typeof planner.namespace === 'string' ? planner.namespace.replace(/^[^.]*\./, '') : null;
  const planned = (winning.queryPlan ?? winning) as Document;
  const counted = (executionStats?.executionStages ?? {}) as Document;
  if (planned.stage === undefined) return [];
  // The classic engine counts in the same stages as it plans.
  if (winning.queryPlan === undefined && counted.stage === planned.stage) return within(counted, collection, place);
  const steps = within(planned, collection, place);
  const isOnly = steps.filter(({ table }) => table !== null).length === 1;
  return executionStats === undefined
    ? steps
    : steps.map((step, i) => {
        const reads = step.table !== null && isOnly;
        const actual = i === 0 || (reads && step.filter !== null) ? numberOf(executionStats.nReturned) : null;
        return {
          ...step,
          actualRows: actual,
          loops: actual === null ? null : 1,
          ...(reads && { examinedRows: numberOf(executionStats.totalDocsExamined) }),
          spilled: step.kind === 'sort' && typeof counted.usedDisk === 'boolean' ? counted.usedDisk : null,
        };
      });
}

function within(stage: Document, collection: string | null, place: Place): readonly PlanStep[] {
  const inputs = [stage.inputStage, ...(Array.isArray(stage.inputStages) ? stage.inputStages : [])].filter(
    (one): one is Document => typeof one === 'object' && one !== null,
  );
  const below = { depth: place.depth + 1, extent: extentBelow(String(stage.stage), place.extent) };
  return [stepOf(stage, collection, place), ...inputs.flatMap((one) => within(one, collection, below))];
}

const stageKinds: Readonly<Record<string, PlanStepKind>> = {
  COLLSCAN: 'fullScan',
  IXSCAN: 'indexSeek',
  DISTINCT_SCAN: 'indexSeek',
  COUNT_SCAN: 'indexSeek',
  CLUSTERED_IXSCAN: 'indexSeek',
  IDHACK: 'indexSeek',
  EXPRESS_IXSCAN: 'indexSeek',
  EXPRESS_CLUSTERED_IXSCAN: 'indexSeek',
  SORT: 'sort',
  SORT_DEFAULT: 'sort',
  SORT_SIMPLE: 'sort',
  $sort: 'sort',
  GROUP: 'aggregate',
  $group: 'aggregate',
  EQ_LOOKUP: 'join',
  EQ_LOOKUP_UNWIND: 'join',
  $lookup: 'join',
  UPDATE: 'change',
  DELETE: 'change',
  BATCHED_DELETE: 'change',
};

function stepOf(stage: Document, collection: string | null, place: Place): PlanStep {
  const operator = String(stage.stage);
  const kind = stageKinds[operator] ?? 'other';
  const reads = /SCAN|IDHACK|FETCH/.test(operator);
  const actual = numberOf(stage.nReturned);
  const examined = operator === 'IXSCAN' ? numberOf(stage.keysExamined) : numberOf(stage.docsExamined);
  return {
    ...unknownStep,
    ...place,
    kind: kind === 'indexSeek' && isWhole(stage.indexBounds) ? 'indexScan' : kind,
    operator,
    table: reads ? collection : null,
    index: typeof stage.indexName === 'string' ? stage.indexName : null,
    actualRows: actual,
    examinedRows: reads && actual !== null ? examined : null,
    loops: actual === null ? null : 1,
    spilled: typeof stage.usedDisk === 'boolean' ? stage.usedDisk : null,
    filter: stage.filter === undefined ? null : written(stage.filter),
    details: ['keyPattern', 'indexBounds', 'direction', 'sortPattern', 'limitAmount', 'memLimit'].flatMap((name) =>
      stage[name] === undefined ? [] : [`${name}: ${written(stage[name])}`],
    ),
  };
}

/** The bounds of every field are the least and the greatest value of BSON. */
const isWhole = (bounds: unknown): boolean =>
  typeof bounds === 'object' &&
  bounds !== null &&
  Object.values(bounds).every(
    (of) => Array.isArray(of) && /^\[(?:MinKey, MaxKey|MaxKey, MinKey)\]$/.test(String(of[0])),
  );

const numberOf = (value: unknown): number | null => (value === undefined || value === null ? null : Number(value));
const written = (value: unknown): string =>
  typeof value === 'object' ? EJSON.stringify(value as Document) : String(value);
