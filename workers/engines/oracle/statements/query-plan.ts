import oracledb from 'oracledb';
import { mostPlanMs, planTexts, type QueryPlan } from '#engine-api/query-plan.ts';
import { DynoError } from '#model/error.ts';
import { provePlans } from '../../shared/plan-proof.ts';
import { Refusals } from '../../shared/refusals.ts';
import { counted, type SessionState } from '../connection/session-state.ts';
import { toError } from '../errors.ts';
import { fetchLobsAsValues } from './fetching.ts';
import {
  cursorOfTextSql,
  cursorPlanSql,
  displayCursorSql,
  displaySql,
  explainedPlanSql,
  explainSql,
  forgetPlanSql,
  planViews,
  previousCursorSql,
  statementId,
} from './plan-sources.ts';
import { type PlanRow, planSteps } from './plan-steps.ts';

/** A statement whose plan is asked. */
export interface Planned {
  readonly text: string;
  readonly binds: readonly oracledb.BindParameter[];
  /** The statement with its values in it. */
  readonly literal: () => string;
  /** The statement only reads: it can be executed for its plan. */
  readonly isRead: boolean;
}

/**
 * The plan of a call. A read is executed again with counts of the rows of its operations. A change has the plan of the
 * cursor that earlier calls have left. If these views may not be read, or there is no such cursor, the plan is that of
 * EXPLAIN PLAN, which does not know the values of binds.
 */
export function queryPlanOf(state: SessionState, planned: Planned): Promise<QueryPlan> {
  return counted(state, async () => {
    const refusals = new Refusals(toError, (kind) => kind !== 'serverGone' && kind !== 'unreachable');
    for (const ask of [planned.isRead ? executed : cached, explained]) {
      const plan = await refusals.ask(
        ask,
        async () => ask(state.connection, planned),
        ({ message }) => message,
      );
      if (plan !== null) return plan;
    }
    throw new DynoError(
      'unsupported',
      `Oracle tells no plan: ${[...new Set(refusals.reasons)].join(' ') || 'the statement has none.'} Rows are counted with SELECT on ${planViews.join(', ')}.`,
    );
  });
}

async function executed(connection: oracledb.Connection, { text, binds }: Planned): Promise<QueryPlan | null> {
  const { callTimeout } = connection;
  await connection.execute('ALTER SESSION SET statistics_level = ALL');
  try {
    connection.callTimeout = mostPlanMs;
    const { resultSet } = await connection.execute(text, [...binds], {
      resultSet: true,
      fetchTypeHandler: fetchLobsAsValues,
    });
    if (!resultSet) return null;
    try {
      while ((await resultSet.getRows(fetchedAtOnce)).length === fetchedAtOnce);
    } finally {
      await resultSet.close();
    }
    connection.callTimeout = callTimeout;
    const [cursor] = await rowsOf<{ readonly prev_sql_id: string; readonly prev_child_number: number }>(
      connection,
      previousCursorSql,
    );
    return cursor === undefined
      ? null
      : await planOfCursor(connection, text, [cursor.prev_sql_id, cursor.prev_child_number], true);
  } finally {
    connection.callTimeout = callTimeout;
    await connection.execute('ALTER SESSION SET statistics_level = TYPICAL');
  }
}

const fetchedAtOnce = 1_000;

async function cached(connection: oracledb.Connection, { text }: Planned): Promise<QueryPlan | null> {
  const [cursor] = await rowsOf<{ readonly sql_id: string; readonly child_number: number }>(
    connection,
    cursorOfTextSql,
    [{ type: oracledb.DB_TYPE_CLOB, val: text }],
  );
  return cursor === undefined ? null : planOfCursor(connection, text, [cursor.sql_id, cursor.child_number], false);
}

async function planOfCursor(
  connection: oracledb.Connection,
  text: string,
  cursor: readonly [sqlId: string, child: number],
  wasExecuted: boolean,
): Promise<QueryPlan | null> {
  const rows = await rowsOf<PlanRow>(connection, cursorPlanSql, [...cursor]);
  // The earlier counts of a cursor belong to another call.
  const steps = planSteps(wasExecuted ? rows : rows.map((row) => ({ ...row, ...uncounted })));
  if (steps.length === 0) return null;
  const printed = await printedBy(connection, displayCursorSql, [...cursor, wasExecuted ? 'ALLSTATS LAST' : 'TYPICAL']);
  return { command: 'V$SQL_PLAN_STATISTICS_ALL', executed: wasExecuted, steps, ...planTexts(text, printed) };
}

/**
 * The lines of DBMS_XPLAN. Null if the package is missing, or if it answers with a missing right instead of a plan.
 */
async function printedBy(
  connection: oracledb.Connection,
  sql: string,
  binds: readonly unknown[],
): Promise<string | null> {
  const rows = await rowsOf<{ readonly plan_table_output: string | null }>(connection, sql, [...binds]).catch(() => []);
  const lines = rows.map(({ plan_table_output: line }) => line ?? '');
  return lines.some((line) => line.startsWith('Plan hash value')) ? lines.join('\n').trim() : null;
}

const uncounted = { last_starts: null, last_output_rows: null, last_cr_buffer_gets: null, last_execution: null };

/** @throws DynoError 'unsupported' if EXPLAIN PLAN leaves no plan in PLAN_TABLE. */
export const proveOraclePlans = (connection: oracledb.Connection): Promise<void> =>
  provePlans(connection, 'Oracle', async () => {
    await connection.execute(explainSql('SELECT 1 FROM dual'));
    const rows = await rowsOf(connection, explainedPlanSql);
    await connection.execute(forgetPlanSql);
    return rows.length > 0;
  });

/** PLAN_TABLE is a temporary table of the session, so the rollback removes the plan from it. */
async function explained(connection: oracledb.Connection, { text, literal }: Planned): Promise<QueryPlan | null> {
  try {
    await proveOraclePlans(connection);
    await connection.execute(explainSql(literal()));
    const steps = planSteps(await rowsOf<PlanRow>(connection, explainedPlanSql));
    if (steps.length === 0) return null;
    const printed = await printedBy(connection, displaySql, [statementId]);
    return { command: 'EXPLAIN PLAN', executed: false, steps, ...planTexts(text, printed) };
  } finally {
    await connection.rollback();
  }
}

/** Rows by the names of their columns in lower case. */
async function rowsOf<Row>(
  connection: oracledb.Connection,
  sql: string,
  binds: oracledb.BindParameter[] | unknown[] = [],
): Promise<readonly Row[]> {
  const { rows = [] } = await connection.execute(sql, binds as oracledb.BindParameter[], {
    outFormat: oracledb.OUT_FORMAT_OBJECT,
    fetchTypeHandler: fetchLobsAsValues,
  });
  return (rows as readonly Readonly<Record<string, unknown>>[]).map(
    (row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value])) as Row,
  );
}
