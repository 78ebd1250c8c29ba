import type { Column, DrdaConnection, EncodedRows, Statement, Value } from '#drda/index.ts';
import type { AnsweredRows, CustomStatement, StatementPlan } from '#engine-api/statement.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import { DynoError } from '#model/error.ts';
import type { AnswerType, UserTable } from '#model/statements/statements.ts';
import { countsRows, firstRows, firstWord, shownRows, templateOf, withoutRows } from '../../shared/custom-statement.ts';
import { groupTables, mostOwnColumns } from '../../shared/user-tables.ts';
import { query, readAll } from '../connection/query.ts';
import { inServerWords, withServerWords } from '../connection/server-words.ts';
import type { SessionState } from '../connection/session-state.ts';
import { descriptor, statementLanguage } from '../descriptor.ts';
import { schemaName, tableSql } from '../names.ts';
import { literal, rowsOf } from '../values/values.ts';
import { committed, immediate, preparedAnew, reader, writer } from './calls.ts';
import { changesHaveNoPlans, queryPlanOf, withRuntimeStatistics } from './query-plan.ts';
import { vet } from './vetting.ts';

interface Call {
  readonly values: readonly Value[];
  /** The text with the values in it. Null: they are sent beside it. */
  readonly text: string | null;
}

/** JDBC's drivers ask for blocks of this size. */
const blocks = { blockBytes: 32_767, whole: false };
const queries = ['select', 'values', 'with'];

/** A statement of the user's own. `:name` becomes `?`, whose type the server derives from its place. */
export async function prepareCustomStatement(state: SessionState, plan: StatementPlan): Promise<CustomStatement<Call>> {
  supportOf(descriptor, 'statement', plan.method);
  vet(plan.text);
  const { connection, dialect } = state;
  const template = templateOf(plan, statementLanguage, tableSql);
  const types = plan.parameters.map(({ type }) => type);
  const isQuery = queries.includes(firstWord(plan.text, statementLanguage));
  const execute = isQuery ? reader(state, blocks) : writer(state);
  const runText = isQuery ? preparedAnew(state, execute) : immediate(state);
  const statement =
    plan.method === 'literal'
      ? null
      : await withServerWords(state, () => connection.prepare(template.render(() => '?')));
  const encoded = (own: Statement, values: readonly Value[]) =>
    own.parameters.length === 0 ? null : own.encode([values]);
  let lastPlan: string | null = null;
  const withLiterals = (values: readonly Value[]) =>
    template.render((parameter) => literal(values[parameter]!, types[parameter]!));
  /** The statement of a call with its values in it. */
  const literalText = (text: string | null, values: readonly Value[]): string =>
    text ?? template.render((_, nth) => literal(values[nth]!, types[template.places[nth]!]!));
  /** Gives `use` the statement of a call, which is prepared for the call alone if its values are in its text. */
  const withStatement = async <T>(
    { values, text }: Call,
    use: (own: Statement, row: () => EncodedRows | null) => Promise<T>,
  ): Promise<T> =>
    withServerWords(state, async () => {
      const own = statement ?? (await connection.prepare(text ?? ''));
      try {
        return await use(own, () => encoded(own, values));
      } finally {
        if (statement === null && connection.isAlive) await own.close();
      }
    });
  /** Gives `use` the statement and commits as a timed call does: shown rows hold no lock, and changes stay. */
  const committedStatement: typeof withStatement = (call, use) => committed(state, () => withStatement(call, use));
  const isCounted = isQuery || countsRows(plan.text, statementLanguage);
  const counted = (rows: number): number | null => (isCounted ? rows : null);
  const run = async ({ values, text }: Call): Promise<number | null> => {
    try {
      if (statement === null || text !== null) return counted(await runText(text ?? ''));
      if (plan.method === 'bind') await statement.prepareAgain();
      return counted(await execute(statement, encoded(statement, values)));
    } catch (thrown) {
      throw await inServerWords(state, thrown);
    }
  };
  return {
    encode(batch) {
      const values = rowsOf(batch, types, dialect)[0] ?? [];
      return statement === null
        ? { values, text: withLiterals(values) }
        : {
            values: template.places.map((parameter, nth) => numberIn(values[parameter]!, statement.parameters[nth])),
            text: null,
          };
    },
    run,
    async answer(call, most) {
      if (!isQuery) return withoutRows(await run(call));
      return withStatement(call, async (own, row) => {
        if (plan.method === 'bind') await own.prepareAgain();
        const kept: (readonly Value[])[] = [];
        const keep = (block: readonly (readonly Value[])[]) => {
          if (kept.length < most) kept.push(...block.slice(0, most - kept.length));
        };
        const count = await reader(state, blocks, keep)(own, row());
        const { columns } = own;
        const types = columns.map(answerType);
        return { count, read: () => ({ ...shownRows(namesOf({ columns }), kept, most, count), types }) };
      });
    },
    show: (call, most) =>
      committedStatement(call, async (own, row) => {
        const answer = async (): Promise<AnsweredRows> =>
          isQuery
            ? {
                ...firstRows(namesOf(own), await someRows(own, row(), most + 1), most),
                types: own.columns.map(answerType),
              }
            : shownRows([], [], most, counted(await own.execute(row())));
        if (dialect.id !== 'derby') return answer();
        const { result, text } = await withRuntimeStatistics(connection, answer);
        lastPlan = text;
        return result;
      }),
    queryPlan: ({ text, values }) =>
      queryPlanOf(state, {
        text: text ?? template.render(() => '?'),
        values: text === null ? values : [],
        literal: () => literalText(text, values),
        isRead: plan.isRead && isQuery,
      }),
    async explain({ text, values }) {
      if (dialect.id === 'derby') {
        if (lastPlan === null)
          throw new DynoError('unsupported', 'Derby tells the plan of what has been run, and nothing has.');
        return lastPlan;
      }
      // The row store's EXPLAIN executes the statement, in addition to the try itself.
      if (!isQuery) throw changesHaveNoPlans();
      return explained(connection, literalText(text, values));
    },
  };
}

const namesOf = ({ columns }: Pick<Statement, 'columns'>): readonly string[] => columns.map(({ name }) => name);

/**
 * A number as text, which JDBC's setString() converts too. A text that is no number stays as it is, and the server
 * refuses it.
 */
function numberIn(value: Value, parameter: Column | undefined): Value {
  if (typeof value !== 'string') return value;
  switch (parameter?.type) {
    case 'smallint':
    case 'integer':
    case 'bigint':
      return /^-?\d{1,19}$/.test(value) ? BigInt(value) : value;
    case 'real':
    case 'double':
      return /^-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(value) ? Number(value) : value;
    default:
      return value;
  }
}

/** The type of a column's values as parameters. */
function answerType({ type }: Column): AnswerType {
  switch (type) {
    case 'smallint':
    case 'integer':
    case 'bigint':
      return 'integer';
    case 'decimal':
      return 'decimal';
    case 'real':
    case 'double':
      return 'float';
    case 'timestamp':
      return 'timestamp';
    case 'boolean':
      return 'boolean';
    case 'bytes':
    case 'varBytes':
    case 'longVarBytes':
    case 'blob':
      return 'bytes';
    default:
      return 'text';
  }
}

/** Fetches blocks until there are `most` rows, then closes the cursor. */
async function someRows(
  statement: Statement,
  row: EncodedRows | null,
  most: number,
): Promise<readonly (readonly Value[])[]> {
  const cursor = await statement.open(row, { blockBytes: blocks.blockBytes });
  const rows: (readonly Value[])[] = [];
  for (let block = await cursor.fetch(); block !== null; block = await cursor.fetch()) {
    rows.push(...block);
    if (rows.length >= most) break;
  }
  await cursor.close();
  return rows;
}

/** The plan of a statement in lines, as SQLFire's family writes it. */
async function explained(connection: DrdaConnection, text: string): Promise<string> {
  const rows = await readAll(connection, `EXPLAIN ${text}`);
  const lines = rows.map((row) => row.map((value) => String(value ?? '')).join(' '));
  const told = lines.join('\n').trim();
  if (told === '') throw new DynoError('unsupported', 'The row store tells no plan of a statement of this kind.');
  return told;
}

/** Lists the tables of users from Derby's catalog, which both products have. */
export async function userTables(connection: DrdaConnection): Promise<readonly UserTable[]> {
  const rows = await query(
    connection,
    `SELECT s.SCHEMANAME, t.TABLENAME, c.COLUMNNAME FROM SYS.SYSTABLES t
       JOIN SYS.SYSSCHEMAS s ON s.SCHEMAID = t.SCHEMAID JOIN SYS.SYSCOLUMNS c ON c.REFERENCEID = t.TABLEID
      WHERE s.SCHEMANAME NOT LIKE 'SYS%' AND s.SCHEMANAME <> '${schemaName}'
      ORDER BY s.SCHEMANAME, t.TABLENAME, c.COLUMNNUMBER`,
  );
  return groupTables(rows.slice(0, mostOwnColumns));
}
