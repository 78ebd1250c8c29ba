import { mostPlanMs, type PlanStep, type QueryPlan } from '#engine-api/query-plan.ts';
import { DynoError } from '#model/error.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { toError } from '../errors.ts';
import { accessPathSteps } from './access-paths.ts';
import { type Json, planSteps } from './plan-steps.ts';

/**
 * The plan of a text with its values in it. A read is executed where the server counts rows: by MariaDB (ANALYZE
 * FORMAT=JSON), and by MySQL from 8.3 on (EXPLAIN ANALYZE in the format of its access paths); in a transaction that is
 * rolled back.
 */
export async function queryPlanOf(connection: MysqlConnection, text: string, isRead: boolean): Promise<QueryPlan> {
  const plain = () => ask(connection, text, { command: 'EXPLAIN FORMAT=JSON', executed: false, steps: planSteps });
  if (!isRead) return plain();
  try {
    await connection.query('START TRANSACTION');
    return connection.mariadb === null
      ? ((await executedByMysql(connection, text)) ?? (await plain()))
      : await executedByMariadb(connection, text);
  } catch (error) {
    const { kind } = toError(error);
    if (kind !== 'statementTimeout' && kind !== 'cancelled') throw error;
    return await plain();
  } finally {
    await connection.query('ROLLBACK');
  }
}

interface Asked {
  readonly command: string;
  readonly executed: boolean;
  readonly steps: (answer: Json, text: string) => readonly PlanStep[];
  /** What stands before the command. */
  readonly before?: string;
}

const executedByMariadb = (connection: MysqlConnection, text: string): Promise<QueryPlan> =>
  ask(connection, text, {
    command: 'ANALYZE FORMAT=JSON',
    executed: true,
    steps: planSteps,
    before: `SET STATEMENT max_statement_time=${mostPlanMs / 1_000} FOR `,
  });

async function ask(
  connection: MysqlConnection,
  text: string,
  { command, executed, steps, before = '' }: Asked,
): Promise<QueryPlan> {
  try {
    const { rows } = await connection.query(`${before}${command} ${text}`);
    const found = steps(JSON.parse(String(rows?.[0]?.[0])) as Json, text);
    if (found.length > 0) return { command, executed, steps: found };
  } catch (error) {
    if (toError(error).kind !== 'syntax') throw error;
  }
  throw new DynoError('unsupported', 'The server has no plan for a statement of this kind.');
}

/**
 * MySQL writes the rows of an execution as JSON only in the second version of the format, and only into a variable
 * (manual, "EXPLAIN Statement"). Null: the server is older.
 */
async function executedByMysql(connection: MysqlConnection, text: string): Promise<QueryPlan | null> {
  const setting = '@@SESSION.explain_json_format_version';
  const before = await connection.query(`SELECT ${setting}`).catch((error: unknown) => {
    if (toError(error).kind !== 'badInput') throw error;
    return null;
  });
  if (before === null) return null;
  const command = 'EXPLAIN ANALYZE FORMAT=JSON';
  const into = '@dyno_plan';
  await connection.query(`SET ${setting} = 2, @@SESSION.max_execution_time = ${mostPlanMs}`);
  try {
    await connection.query(`${command} INTO ${into} ${text}`);
    const { rows } = await connection.query(`SELECT ${into}`);
    const steps = accessPathSteps(JSON.parse(String(rows?.[0]?.[0])) as Json);
    return steps.length > 0 ? { command, executed: true, steps } : null;
  } catch (error) {
    const { kind } = toError(error);
    // Some statements have a plan, and no version of it with rows.
    if (kind === 'syntax' || kind === 'unsupported') return null;
    throw error;
  } finally {
    await connection.query(
      `SET ${setting} = ${Number(before.rows?.[0]?.[0])}, @@SESSION.max_execution_time = @@GLOBAL.max_execution_time, ${into} = NULL`,
    );
  }
}
