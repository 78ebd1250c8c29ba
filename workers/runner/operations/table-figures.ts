import type { Database } from '#engine-api/database.ts';
import type { PlanStep } from '#engine-api/query-plan.ts';
import type { Session } from '#engine-api/session.ts';
import type { StopSignal } from '#engine-api/stop-signal.ts';
import type { StatisticsValue } from '#engine-api/table-facts.ts';
import type { QueriedColumn, QueriedTable, RowQuery, TableQueries } from '#engine-api/table-queries.ts';
import { DynoError, type ErrorData } from '#model/error.ts';
import type {
  AnsweredQuery,
  AskedCondition,
  AskedRowQuery,
  CountedColumn,
  FiguresRequest,
  TableFigures,
} from '#protocol/table-figures.ts';
import { askPlan } from './ask-plans.ts';
import { beginOr } from './reading.ts';

/** The time for one question. */
const questionMs = 10_000;

interface Asking {
  readonly session: Session;
  readonly texts: TableQueries;
  readonly request: FiguresRequest;
  readonly toError: (thrown: unknown) => ErrorData;
  readonly stop: StopSignal;
}

/** Counts rows and values of tables, and asks for the rows and plans of queries. Each question has a time limit. */
export async function tableFigures(
  database: Database,
  request: FiguresRequest,
  toError: (thrown: unknown) => ErrorData,
  stop: StopSignal,
): Promise<TableFigures> {
  const { tableQueries: texts } = database;
  if (!texts) throw new DynoError('unsupported', 'This engine has no texts that compare tables.');
  await using session = await database.openSession(request.options);
  const asking: Asking = { session, texts, request, toError, stop };
  const counted: (number | null)[] = [];
  for (const table of request.counted) counted.push(await rowsOf(asking, { table, where: [] }).catch(() => null));
  const columns: (CountedColumn | null)[] = [];
  for (const { table, column } of request.columns) columns.push(await countsOf(asking, table, column));
  const queries: AnsweredQuery[] = [];
  for (const query of request.queries) queries.push(await answerOf(asking, query));
  return { counted, columns, queries };
}

/** The first rows of a text that only reads. */
async function asked({ session, request, stop, toError }: Asking, text: string, most: number) {
  stop.throwIfAborted();
  const { tables, options } = request;
  const statement = await session.prepareStatement!({
    ...{ text, tables, options, parameters: [], method: 'bind', isRead: true },
  });
  // A statement of the user's rights may call nothing that changes, and a rollback ends its snapshot.
  const cannot = await beginOr(() => (session.beginReading ? session.beginReading() : session.begin()), toError);
  const late = setTimeout(() => void session.cancel().catch(() => {}), questionMs);
  try {
    return (await statement.show(statement.encode({ rows: 1, columns: [] }), most)).rows;
  } finally {
    clearTimeout(late);
    if (cannot === null) await (async () => session.rollback())().catch(() => {});
  }
}

/** Documents of a count that finds none are no document. */
const rowsOf = async (asking: Asking, query: RowQuery): Promise<number> =>
  Number((await asked(asking, asking.texts.count(query), 1))[0]?.[0] ?? 0);

async function countsOf(asking: Asking, table: QueriedTable, column: QueriedColumn): Promise<CountedColumn | null> {
  try {
    const [row = []] = await asked(asking, asking.texts.figures(table, column), 1);
    const [different, most, present, mean] = row.map((cell) => (cell === null ? null : Number(cell)));
    return { different: different ?? 0, most: most ?? 0, present: present ?? 0, meanLength: mean ?? null };
  } catch {
    // Some types of columns have no order and no equality.
    return null;
  }
}

async function answerOf(asking: Asking, given: AskedRowQuery): Promise<AnsweredQuery> {
  const { session, texts, request, toError } = asking;
  const none = { estimated: null, rows: null, plan: null };
  try {
    const query = await filled(asking, given);
    const text = texts.rows(query);
    const { tables, options, mayRun } = request;
    const statement = await session.prepareStatement!({
      ...{ text, tables, options, parameters: [], method: 'bind', isRead: mayRun },
    });
    const { queryPlan } = statement;
    const call = statement.encode({ rows: 1, columns: [] });
    const { plan, reason } = await askPlan(
      null,
      queryPlan && (() => queryPlan.call(statement, call)),
      'The engine gives no plan.',
      { toError, cancel: () => session.cancel() },
    );
    const found = { ...none, plan, estimated: plan && expectedRows(plan.steps) };
    if (!mayRun) return { ...found, why: reason };
    try {
      return { ...found, rows: await rowsOf(asking, query), why: reason };
    } catch (thrown) {
      return { ...found, why: toError(thrown).message };
    }
  } catch (thrown) {
    return { ...none, why: toError(thrown).message };
  }
}

/** The query with the values that the server looks up. */
async function filled(asking: Asking, { where, joined, ...query }: AskedRowQuery): Promise<RowQuery> {
  const each = async (table: QueriedTable, conditions: readonly AskedCondition[]) => {
    const own: RowQuery['where'][number][] = [];
    for (const one of conditions) own.push({ ...one, value: await foundValue(asking, table, one) });
    return own;
  };
  return {
    ...query,
    where: await each(query.table, where),
    ...(joined && { joined: { ...joined, where: await each(joined.table, joined.where) } }),
  };
}

async function foundValue(
  asking: Asking,
  table: QueriedTable,
  { column, value }: AskedCondition,
): Promise<StatisticsValue | null> {
  if (typeof value !== 'object' || value === null) return value;
  if (!asking.request.mayRun) throw new DynoError('unsupported', 'The value is not in the server’s statistics.');
  const rows = await asked(asking, asking.texts.frequent(table, column), value.rank);
  const cell = rows.at(-1)?.[0];
  if (cell === undefined || cell === null) throw new DynoError('other', 'The column has no value.');
  return column.isText === true || !/^-?\d+(\.\d+)?$/.test(cell) ? cell : Number(cell);
}

/**
 * The rows that the optimizer expects of a query. A plan without a figure at its root has those of the steps that read
 * tables, each for a row of the one before.
 */
function expectedRows(steps: readonly PlanStep[]): number | null {
  const [root] = steps;
  if (root?.estimatedRows !== null && root?.estimatedRows !== undefined && root.table === null)
    return root.estimatedRows;
  const reads = steps.filter(({ table }) => table !== null);
  if (reads.length === 0 || reads.some(({ estimatedRows }) => estimatedRows === null)) return null;
  const [first] = reads;
  return reads.length === 1 ? first!.estimatedRows : reads.reduce((rows, one) => rows * one.estimatedRows!, 1);
}
