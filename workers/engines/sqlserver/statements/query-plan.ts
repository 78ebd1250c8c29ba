import type { Connection } from 'tedious';
import { planTexts, type QueryPlan } from '#engine-api/query-plan.ts';
import { DynoError } from '#model/error.ts';
import { noPlans } from '../../shared/plan-proof.ts';
import { Refusals } from '../../shared/refusals.ts';
import { toError } from '../errors.ts';
import { text } from '../names.ts';
import { ask, batchBody, begin, execute, query, rollback, sqlBatch } from '../wire/request.ts';
import { planSteps } from './showplan.ts';

/** A request whose plan is asked. */
interface Planned {
  /** The packet type and the body, as the call sends them. */
  readonly type: number;
  readonly body: Buffer;
  /** The text by which the server keeps the plan, with the declarations of parameters before the statement. */
  readonly cachedAs: string;
  /** The statement with its values in it. */
  readonly literal: () => string;
  /** The statement only reads: it can be executed for its plan. */
  readonly isRead: boolean;
}

/** The server keeps a statement with parameters as "(@P0 bigint)SELECT …" (sys.dm_exec_sql_text). */
export const cachedText = (sql: string, declared: string): string => (declared === '' ? sql : `(${declared})${sql}`);

/**
 * The plan of a call. A read is executed for it, and its operators' counts are read. Without the right to see them, if
 * it takes too long, and for a change, it is the plan that earlier calls have left in the cache; if there is none, the
 * plan that the statement would have with these values.
 */
export async function queryPlanOf(connection: Connection, planned: Planned): Promise<QueryPlan> {
  const refusals = new Refusals(toError, (kind) => kind !== 'serverGone' && kind !== 'unreachable');
  for (const how of [...(planned.isRead ? [executed] : []), cached, estimated]) {
    const plan = await refusals.ask(
      how,
      async () => how(connection, planned),
      ({ message }) => message,
    );
    if (plan !== null) return plan;
  }
  throw new DynoError(
    'unsupported',
    `SQL Server tells no plan: ${[...new Set(refusals.reasons)].join(' ') || 'the statement has none.'} Plans need SHOWPLAN in the database, or VIEW SERVER PERFORMANCE STATE (before SQL Server 2022 VIEW SERVER STATE).`,
  );
}

/** The plan of an executed statement is a result of its own, in the column "Microsoft SQL Server 2005 XML Showplan". */
const isPlanColumn = (name: string): boolean => /XML Showplan$/i.test(name);

async function executed(connection: Connection, { type, body, cachedAs }: Planned): Promise<QueryPlan | null> {
  const setting = 'SET STATISTICS XML';
  await execute(connection, `${setting} ON`);
  try {
    await begin(connection);
    return planIn(await plansOf(connection, type, body), { command: setting, executed: true, text: cachedAs });
  } finally {
    await rollback(connection);
    await execute(connection, `${setting} OFF`);
  }
}

async function estimated(connection: Connection, { cachedAs, literal }: Planned): Promise<QueryPlan | null> {
  const setting = 'SET SHOWPLAN_XML';
  await begin(connection);
  try {
    return await compiledOnly(connection, setting, async () =>
      planIn(await plansOf(connection, sqlBatch, batchBody(literal())), {
        command: setting,
        executed: false,
        text: cachedAs,
      }),
    );
  } finally {
    await rollback(connection);
  }
}

/** The first columns of answers that are plans, of SET SHOWPLAN_XML and SET SHOWPLAN_TEXT. */
const isCompiled = (column: string): boolean => isPlanColumn(column) || /^StmtText$/i.test(column);

/**
 * Does `work` while the session only compiles batches. SHOWPLAN has to be alone in its batch. Some servers accept the
 * setting and execute the next batch nevertheless: a SELECT 1 whose answer is no plan reveals them.
 */
export async function compiledOnly<T>(
  connection: Connection,
  setting: 'SET SHOWPLAN_XML' | 'SET SHOWPLAN_TEXT',
  work: () => Promise<T>,
): Promise<T> {
  await execute(connection, `${setting} ON`);
  try {
    const answered = await firstCells(connection, sqlBatch, batchBody('SELECT 1'));
    if (answered.length === 0 || !answered.every(([column]) => isCompiled(column))) throw noPlans('SQL Server');
    return await work();
  } finally {
    await execute(connection, `${setting} OFF`);
  }
}

async function cached(connection: Connection, { cachedAs }: Planned): Promise<QueryPlan | null> {
  const rows = await query<{ readonly query_plan: string | null }>(connection, cachedPlanSql(cachedAs));
  return planIn(
    rows.flatMap(({ query_plan }) => query_plan ?? []),
    { command: 'sys.dm_exec_query_plan', executed: false, text: cachedAs },
  );
}

/** The plan of the last execution of a text, in this database. */
export const cachedPlanSql = (sql: string): string => `
SELECT TOP (1) CAST(p.query_plan AS nvarchar(max)) AS query_plan
  FROM sys.dm_exec_query_stats AS s
 CROSS APPLY sys.dm_exec_sql_text(s.sql_handle) AS t
 CROSS APPLY sys.dm_exec_query_plan(s.plan_handle) AS p
 WHERE t.text = ${text(sql)} AND (p.dbid IS NULL OR p.dbid = DB_ID())
 ORDER BY s.last_execution_time DESC`;

interface Cell {
  readonly metadata: { readonly colName: string };
  readonly value: unknown;
}

/** The first column of each row, by its name. */
async function firstCells(connection: Connection, type: number, body: Buffer) {
  const cells: (readonly [column: string, value: unknown])[] = [];
  await ask(connection, type, body, (request) =>
    request.on('row', ([first]: readonly Cell[]) => {
      if (first) cells.push([first.metadata.colName, first.value]);
    }),
  );
  return cells;
}

const plansOf = async (connection: Connection, type: number, body: Buffer): Promise<readonly string[]> =>
  (await firstCells(connection, type, body)).flatMap(([column, value]) => (isPlanColumn(column) ? String(value) : []));

function planIn(
  plans: readonly string[],
  { text: sql, ...asked }: Pick<QueryPlan, 'command' | 'executed' | 'text'>,
): QueryPlan | null {
  for (const printed of plans) {
    const steps = planSteps(printed);
    if (steps.length > 0) return { ...asked, steps, ...planTexts(sql, printed) };
  }
  return null;
}
