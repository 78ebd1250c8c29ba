import type { PlanStep, QueryPlan } from '#engine-api/query-plan.ts';
import { textFor } from '#experiment/statements/statement-mix.ts';
import { callsInFlight } from '#model/settings/calls-in-flight.ts';
import type { AskedPlan } from '#protocol/query-plans.ts';
import { busyMs } from '../../client/busy-time.ts';
import { type CellEvidence, share } from '../shared/evidence.ts';
import type { CellFacts } from '../shared/facts.ts';
import { meanwhile } from '../shared/plausible.ts';

/** A call of a cell: its operation, or one of its statements. */
export interface CalledStatement {
  /** Null: the cell's operation. */
  readonly name: string | null;
  /** “name”, or "the operation". */
  readonly title: string;
  /** Null: the engine writes the operation's text. */
  readonly text: string | null;
  /** Number of calls over all repeats. */
  readonly calls: number;
  /** Mean number of rows that a call returned or changed; null: not counted. */
  readonly rowsPerCall: number | null;
  /** Share (0…1) of the connections' time in the statement's calls; null: the times do not add up. */
  readonly timeShare: number | null;
}

/** A statement of a cell with its query plan, for rules about plans. */
export interface PlannedStatement extends CalledStatement {
  /** The plan of the last repeat that has one, or the reason for its absence. */
  readonly plan: QueryPlan | null;
  readonly reason: string | null;
}

/** The statements of a cell; empty: no trial requested plans. */
export function statementsOf(cell: CellFacts): readonly PlannedStatement[] {
  const last = new Map<string | null, AskedPlan>();
  for (const { queryPlans } of cell.views)
    for (const one of queryPlans) if (one.plan !== null || !last.has(one.statement)) last.set(one.statement, one);
  return [...last.values()].map(({ statement, plan, reason }) => ({
    ...described(cell, statement),
    plan,
    reason,
  }));
}

/** All statements, or the operation, that the calls of a cell ran. */
export const calledStatements = (cell: CellFacts): readonly CalledStatement[] =>
  (cell.settings.operation === 'statement'
    ? (cell.summary.statements ?? []).filter(({ kind }) => kind === 'statement').map(({ name }) => name)
    : [null]
  )
    .map((name) => described(cell, name))
    .filter(({ calls }) => calls > 0);

function described(cell: CellFacts, name: string | null): CalledStatement {
  const connectionMs = cell.views.reduce(
    (sum, { result }) => sum + (result ? busyMs(result) : 0) * cell.settings.connections,
    0,
  );
  const depth = callsInFlight(cell.settings);
  const shareOf = (ms: number) =>
    ms > connectionMs * depth * (1 + meanwhile) ? null : connectionMs > 0 ? Math.min(1, ms / connectionMs) : 0;
  if (name === null)
    return {
      name,
      title: 'the operation',
      text: null,
      calls: cell.calls,
      rowsPerCall: cell.calls > 0 ? cell.rows / cell.calls : null,
      timeShare: shareOf(cell.health.inCallsMs),
    };
  const spec = cell.experiment.statements?.[name];
  const own = cell.summary.statements?.find((one) => one.name === name && one.kind === 'statement');
  return {
    name,
    title: `“${name}”`,
    text: spec ? textFor(spec.text, { target: cell.target.name, engine: cell.target.engine }) : null,
    calls: own?.latencyMs.count ?? 0,
    rowsPerCall: own?.rowsPerCall ?? null,
    timeShare: cell.statements === null ? null : shareOf((own?.latencyMs.count ?? 0) * (own?.latencyMs.mean ?? 0)),
  };
}

/** Evidence of a statement's share of the time; null if unknown. */
export const timeShareOf = ({ name, timeShare }: CalledStatement): CellEvidence | null =>
  timeShare === null
    ? null
    : share('Share of the connections’ time', timeShare, name === null ? 'query-plans' : 'statement-latency');

/** The reason why rules about plans cannot judge a cell; null if it has a plan. */
export function noPlanText(statements: readonly PlannedStatement[]): string | null {
  if (statements.some(({ plan }) => plan !== null)) return null;
  const [first] = statements;
  return first?.reason ?? 'Its trials were not asked for query plans.';
}

/** Rows that a step read and returned in each of its executions within a call. */
export interface CountedRows {
  readonly read: number;
  readonly wanted: number;
  readonly executions: number;
  /** True if the rows were counted in one execution by one process, and so are no means. */
  readonly isExact: boolean;
}

/** The server's own counts of a step; null if there are none, or the step was never executed. */
export const countedRows = ({ examinedRows, actualRows, loops, sharedBy }: PlanStep): CountedRows | null =>
  examinedRows === null || actualRows === null || loops === null || loops === 0
    ? null
    : {
        read: examinedRows * sharedBy,
        wanted: actualRows * sharedBy,
        executions: loops / sharedBy,
        isExact: loops === 1,
      };
