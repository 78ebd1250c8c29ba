import type { AnsweredRows, CustomStatement, KeptAnswer, StatementPlan } from '#engine-api/statement.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { ParameterType } from '#model/dataset/dataset.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import type { UserTable } from '#model/statements/statements.ts';
import { shownRows, shownText, templateOf } from '../../shared/custom-statement.ts';
import { doubleSql, numberSql } from '../../shared/sql/numbers.ts';
import { groupTables, mostOwnColumns } from '../../shared/user-tables.ts';
import {
  fitting,
  type MysqlConnection,
  type PreparedCall,
  type QueryResult,
  type TextCall,
} from '../connection/connection.ts';
import { tableSql } from '../names.ts';
import { answerType, exactRows, inexactColumns } from '../values/answer-types.ts';
import { type Parameters, senderOf, valuesOf } from '../values/parameters.ts';
import { flatRows, literal, type ParameterValue } from '../values/values.ts';
import { proveMysqlPlans, queryPlanOf, refuseFunctions } from './query-plan.ts';

interface Bound {
  readonly batch: Batch;
  /** The argument of the prepared statement's run(), or the values of a statement that is prepared for each call. */
  readonly ready: PreparedCall;
}

/** A text with its values in it. */
interface Literal {
  readonly text: string;
  readonly ready: TextCall;
}

/** A statement of the user's own: `:name` becomes `?`. Dyno's own tables are named with their database. */
export async function prepareCustomStatement(
  connection: MysqlConnection,
  database: string,
  plan: StatementPlan,
  language: StatementLanguage,
  stop: () => Promise<unknown>,
): Promise<CustomStatement<Bound | Literal>> {
  const template = templateOf(plan, language, (table) => tableSql(database, table));
  const types = plan.parameters.map(({ type }) => ({ type, uuidText: plan.options.uuid === 'text' }));
  const text = template.render((parameter) => connection.exact.place(types[parameter]!.type));
  const prepared = plan.method === 'prepared' ? await connection.prepare(text) : null;
  const parameters: Parameters = { types, order: template.places, sent: senderOf(types, connection.exact, null) };
  const withValues = (batch: Batch): string => {
    const values = flatRows(batch, types);
    return template.render((parameter) => literalOfType(values[parameter]!, types[parameter]!.type));
  };
  const literalOf = (call: Bound | Literal): string => ('text' in call ? call.text : withValues(call.batch));
  const readyOf =
    prepared?.encoder(parameters) ?? ((batch: Batch) => fitting(valuesOf(parameters, batch), connection.packetLimit));
  const answer = async (call: Bound | Literal, most: number): Promise<KeptAnswer> => {
    if ('text' in call) return kept(await connection.queryExactly(call.text), most, !binaryValues);
    const values = valuesOf(parameters, call.batch);
    return kept(await (prepared ? prepared.answer(values) : connection.answerOnce(text, values)), most, binaryValues);
  };
  const show = async (call: Bound | Literal, most: number): Promise<AnsweredRows> => {
    const limit = { most: most + 1, stop };
    const some = (answer: QueryResult, isBinary: boolean): AnsweredRows => {
      const isCut = (answer.rows?.length ?? 0) > most;
      return { ...shown(answer, most, isBinary), ...(isCut && { count: most, hasMore: true }) };
    };
    if ('text' in call) return some(await connection.some(call.text, limit), !binaryValues);
    const values = valuesOf(parameters, call.batch);
    const answer = prepared ? prepared.some(values, limit) : connection.someOnce(text, values, limit);
    return some(await answer, binaryValues);
  };
  return {
    encode(batch) {
      if (plan.method !== 'literal') return { batch, ready: readyOf(batch) };
      const written = withValues(batch);
      return { text: written, ready: connection.encode(written) };
    },
    run(call) {
      if ('text' in call) return connection.run(call.ready);
      return prepared ? prepared.run(call.ready) : connection.runOnce(text, call.ready as ParameterValue[]);
    },
    ...(connection.start &&
      plan.method !== 'bind' && { start: (call, caller) => connection.start!(call.ready as Uint8Array, caller) }),
    answer,
    show,
    queryPlan: (call) => queryPlanOf(connection, literalOf(call), plan.isRead),
    async explain(call) {
      await proveMysqlPlans(connection);
      await refuseFunctions(connection, literalOf(call));
      const { rows, columns } =
        'text' in call
          ? await connection.query(`EXPLAIN ${call.text}`)
          : await connection.answerOnce(`EXPLAIN ${text}`, valuesOf(parameters, call.batch));
      return (rows ?? []).map((row) => step(columns, row)).join('\n');
    },
    notUndoneText: () => notUndoneText(connection, plan.text),
  };
}

/** The server reads a quoted number as a double, and 0.1 as a decimal. */
function literalOfType(value: ParameterValue, { kind }: ParameterType): string {
  if (value === null) return 'NULL';
  if (kind === 'decimal') return numberSql(String(value));
  return kind === 'float' ? doubleSql(Number(value)) : literal(value);
}

/** The answer of a statement with parameters: every value has all its digits. */
const binaryValues = true;

function shown({ rows, affectedRows, columns, described }: QueryResult, most: number, isBinary: boolean): AnsweredRows {
  const inexact = inexactColumns(described, !isBinary);
  const first = (rows ?? []).slice(0, most).map((row) => row.map(withoutArrays));
  return {
    ...shownRows(columns, first, most, rows?.length ?? affectedRows),
    ...(inexact && { inexact }),
    exact: exactRows(first, described),
    types: described.map(answerType),
  };
}

const kept = (answer: QueryResult, most: number, isBinary: boolean): KeptAnswer => ({
  count: answer.rows?.length ?? answer.affectedRows,
  read: () => shown(answer, most, isBinary),
});

/** One of the drivers makes an array of a SET's value. */
const withoutArrays = (value: unknown): unknown => (Array.isArray(value) ? value.join(',') : value);

/**
 * A line for each table that is read: "id: 1, select_type: SIMPLE, table: item, type: ref, key: item_name, rows: 3".
 */
const step = (columns: readonly string[], row: readonly unknown[]): string =>
  row
    .map((value, c) => [columns[c] ?? '', shownText(value)] as const)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');

/** Storage engines without transactions (MyISAM, Aria, MEMORY) keep the changes of a rollback. */
async function notUndoneText(connection: MysqlConnection, text: string): Promise<string | null> {
  const { rows } = await connection.query(
    `SELECT t.table_schema, t.table_name, t.engine FROM information_schema.tables t
       JOIN information_schema.engines e ON e.engine = t.engine
      WHERE t.table_type = 'BASE TABLE' AND COALESCE(e.transactions, 'NO') <> 'YES'
        AND t.table_schema NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')`,
  );
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? []);
  const found = (rows ?? []).find(([, name]) =>
    (
      String(name)
        .toLowerCase()
        .match(/[\p{L}\p{N}_$]+/gu) ?? []
    ).every((word) => words.has(word)),
  );
  return found
    ? `${found[0]}.${found[1]} is a table of ${found[2]}, which has no transactions: a rollback undoes nothing there.`
    : null;
}

/** Lists tables and views of the databases that the user may see. */
export async function userTables(connection: MysqlConnection, database: string): Promise<readonly UserTable[]> {
  const { rows } = await connection.query(
    `SELECT table_schema, table_name, column_name FROM information_schema.columns
      WHERE table_schema NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')
        AND NOT (table_schema = ${literal(database)} AND table_name LIKE 'dyno|_%' ESCAPE '|')
      ORDER BY table_schema, table_name, ordinal_position LIMIT ${mostOwnColumns}`,
  );
  return groupTables(rows ?? []);
}
