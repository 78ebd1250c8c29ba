import type { DrdaConnection, Value } from '#drda/index.ts';
import { planTexts, type QueryPlan } from '#engine-api/query-plan.ts';
import { DynoError } from '#model/error.ts';
import { readAll } from '../connection/query.ts';
import type { SessionState } from '../connection/session-state.ts';
import type { Dialect } from '../dialect.ts';
import { planSteps as derbySteps } from './derby-plan.ts';
import { planSteps as sqlfireSteps } from './sqlfire-plan.ts';

/** A statement whose plan is asked. */
interface Planned {
  readonly text: string;
  /** The values for the text's markers. */
  readonly values: readonly Value[];
  /** The statement with its values in it. */
  readonly literal: () => string;
  /** The statement only reads: it can be executed for its plan. */
  readonly isRead: boolean;
}

/** Either product executes a statement for its plan, and neither can stop one that takes long. */
export async function queryPlanOf(state: SessionState, planned: Planned): Promise<QueryPlan> {
  const { connection, dialect, inTransaction, current } = state;
  if (!planned.isRead) throw changesHaveNoPlans();
  try {
    const { command, text, steps } = await asks[dialect.id](connection, planned);
    const found = text === null ? [] : steps(text);
    if (found.length > 0) return { command, executed: true, steps: found, ...planTexts(planned.text, text) };
    throw new DynoError('unsupported', 'The server has no plan for a statement of this kind.');
  } finally {
    // The read holds its locks until its unit of work ends.
    if (!inTransaction && current !== 'NONE' && connection.isAlive) await connection.rollback();
  }
}

export const changesHaveNoPlans = (): DynoError =>
  new DynoError(
    'unsupported',
    'The server tells the plan of a statement by executing it, and a change is not executed for its plan.',
  );

interface Answer {
  readonly command: string;
  readonly text: string | null;
  readonly steps: typeof derbySteps;
}

const asks: Readonly<Record<Dialect['id'], (connection: DrdaConnection, planned: Planned) => Promise<Answer>>> = {
  async derby(connection, { text, values }) {
    const statistics = await withRuntimeStatistics(connection, () => readAll(connection, text, values));
    return { command: 'SYSCS_GET_RUNTIMESTATISTICS', text: statistics.text, steps: derbySteps };
  },
  async sqlfire(connection, { literal }) {
    const command = 'EXPLAIN AS XML';
    const rows = await readAll(connection, `${command} ${literal()}`);
    return {
      command,
      text: rows.map((row) => row.map((value) => String(value ?? '')).join(' ')).join('\n'),
      steps: sqlfireSteps,
    };
  },
};

/**
 * Derby's counts of the last statement of `work` (reference manual, "SYSCS_GET_RUNTIMESTATISTICS"). Null: the server
 * does not report them.
 */
export async function withRuntimeStatistics<T>(
  connection: DrdaConnection,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly text: string | null }> {
  await connection.execute('CALL SYSCS_UTIL.SYSCS_SET_RUNTIMESTATISTICS(1)');
  try {
    const result = await work();
    const rows = await readAll(connection, 'VALUES SYSCS_UTIL.SYSCS_GET_RUNTIMESTATISTICS()').catch(() => []);
    const text = rows[0]?.[0];
    return { result, text: typeof text === 'string' ? text.trim() : null };
  } finally {
    if (connection.isAlive) await connection.execute('CALL SYSCS_UTIL.SYSCS_SET_RUNTIMESTATISTICS(0)');
  }
}
