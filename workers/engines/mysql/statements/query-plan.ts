import { mostPlanMs, type PlanStep, planTexts, type QueryPlan } from '#engine-api/query-plan.ts';
import { DynoError } from '#model/error.ts';
import { provePlans } from '../../shared/plan-proof.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { toError } from '../errors.ts';
import { accessPathSteps } from './access-paths.ts';
import { type Json, planSteps } from './plan-steps.ts';

/**
 * The plan of a text with its values in it. A read is executed if the server counts rows: MariaDB does (ANALYZE
 * FORMAT=JSON), and MySQL from 8.3 on (EXPLAIN ANALYZE in the format of its access paths). It runs in a read-only
 * transaction.
 */
export async function queryPlanOf(connection: MysqlConnection, text: string, isRead: boolean): Promise<QueryPlan> {
  const plain = () => ask(connection, text, { command: 'EXPLAIN FORMAT=JSON', executed: false, steps: planSteps });
  await proveMysqlPlans(connection);
  try {
    // EXPLAIN itself calls functions whose result is a constant, and a rollback does not undo their changes of tables
    // without transactions. In a read-only transaction EXPLAIN refuses changes.
    if (!isRead) await refuseFunctions(connection, text);
    await connection.query(isRead ? 'START TRANSACTION READ ONLY' : 'START TRANSACTION');
    if (!isRead) return await plain();
    return connection.mariadb === null
      ? ((await executedByMysql(connection, text)) ?? (await plain()))
      : await executedByMariadb(connection, text);
  } catch (error) {
    const { kind, code } = toError(error);
    if (code === changesInReadOnly) throw callsFunction('a function that changes data');
    if (!isRead || (kind !== 'statementTimeout' && kind !== 'cancelled')) throw error;
    return await plain();
  } finally {
    await connection.query('ROLLBACK');
  }
}

/** ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION. */
const changesInReadOnly = '1792';

const callsFunction = (what: string): DynoError =>
  new DynoError(
    'unsupported',
    `The statement calls ${what}: EXPLAIN of MySQL and MariaDB may call it, too, so the server is not asked for the plan.`,
  );

/**
 * A function only declares that it changes nothing, so every stored function that the text names is refused.
 * @throws DynoError 'unsupported' for a text that names a stored function, or a view that calls one.
 */
export async function refuseFunctions(connection: MysqlConnection, text: string): Promise<void> {
  const named = await namesIn(
    connection,
    "SELECT routine_name, NULL FROM information_schema.routines WHERE routine_type = 'FUNCTION' AND routine_schema <> 'sys'",
  );
  if (named.length === 0) return;
  const views = await namesIn(
    connection,
    "SELECT table_name, view_definition FROM information_schema.views WHERE table_schema <> 'sys'",
  );
  const functions = named.map(({ name }) => name);
  const calls = (from: string): string | undefined => functions.find((name) => wordsIn(from).has(name));
  const found =
    calls(text) ??
    views.find(({ name, definition }) => wordsIn(text).has(name) && calls(definition) !== undefined)?.name;
  if (found === undefined) return;
  throw callsFunction(
    functions.includes(found) ? `the stored function ${found}` : `stored functions by the view ${found}`,
  );
}

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? []);

async function namesIn(connection: MysqlConnection, sql: string) {
  const { rows } = await connection.query(sql);
  return (rows ?? []).map(([name, definition]) => ({
    name: String(name).toLowerCase(),
    definition: String(definition ?? ''),
  }));
}

/** @throws DynoError 'unsupported' where EXPLAIN is answered by something else than the rows of a plan. */
export const proveMysqlPlans = (connection: MysqlConnection): Promise<void> =>
  provePlans(connection, 'MySQL', async () => {
    const { columns } = await connection.query('EXPLAIN SELECT 1');
    return columns.includes('select_type');
  });

interface Asked {
  readonly command: string;
  readonly executed: boolean;
  readonly steps: (answer: Json, text: string) => readonly PlanStep[];
  /** The text before the command. */
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
    const printed = String(rows?.[0]?.[0]);
    const found = steps(planJson(printed), text);
    if (found.length > 0) return { command, executed, steps: found, ...planTexts(text, printed) };
  } catch (error) {
    if (toError(error).kind !== 'syntax') throw error;
  }
  throw new DynoError('unsupported', 'The server has no plan for a statement of this kind.');
}

/**
 * The JSON of a plan. MariaDB writes names in double quotes if sql_mode has ANSI_QUOTES, and does not escape them
 * within its strings, which are one to a line. Pure.
 */
export function planJson(written: string): Json {
  try {
    return JSON.parse(written) as Json;
  } catch {
    const line = /^(\s*"\w+": ")(.*)(",?)$/gm;
    const escaped = written.replaceAll(line, (_, before: string, value: string, behind: string) =>
      [before, value.replaceAll(/(?<!\\)"/g, '\\"'), behind].join(''),
    );
    return JSON.parse(escaped) as Json;
  }
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
    const printed = String(rows?.[0]?.[0]);
    const steps = accessPathSteps(JSON.parse(printed) as Json);
    return steps.length > 0 ? { command, executed: true, steps, ...planTexts(text, printed) } : null;
  } catch (error) {
    const { kind } = toError(error);
    // Some statements have a plan, but none with rows.
    if (kind === 'syntax' || kind === 'unsupported') return null;
    throw error;
  } finally {
    await connection.query(
      `SET ${setting} = ${Number(before.rows?.[0]?.[0])}, @@SESSION.max_execution_time = @@GLOBAL.max_execution_time, ${into} = NULL`,
    );
  }
}
