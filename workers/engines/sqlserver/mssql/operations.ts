import sql from 'mssql';
import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { Column, ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import type { NullBinding } from '#model/settings/vocabulary.ts';
import { rowType, type Server } from '../connection/server.ts';
import { descriptor } from '../descriptor.ts';
import { sentColumns, tableSql } from '../names.ts';
import { literalSql } from '../statements/literal-sql.ts';
import { anyDecimal, type Guess, patternsOf } from '../statements/null-types.ts';
import { serverLoopSql } from '../statements/server-loop.ts';
import { placeholders, type Statements, statementsOf } from '../statements/statements.ts';
import { maxWideCharacters } from '../values/values.ts';
import { type MssqlParameter, type MssqlValue, mssqlValues, sqlType } from './values.ts';

/** A statement with its declared parameters; the same statement is always the same object. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly MssqlParameter[];
}

/** The parts of a session that operations need: the connection of the next request. */
export interface Requests {
  readonly server: Server;
  /** Makes a request on the pool, or in the open transaction. */
  request(): Promise<sql.Request>;
  /**
   * The prepared statement. It keeps the only connection until another request or the end of a transaction takes it
   * away (sp_unprepare), and is then prepared anew, as the documentation of `mssql` describes.
   */
  prepared(statement: Statement): Promise<sql.PreparedStatement>;
}

/** Each method as users of `mssql` write it: values are made before the clock, requests and messages within it. */
export async function prepareOperation(requests: Requests, plan: OperationPlan): Promise<Operation> {
  supportOf(descriptor, plan.operation, plan.method);
  const { table, operation, method, settings } = plan;
  if (method === 'serverLoop') return serverLoop(requests, table);
  if (method === 'bulk') return bulk(requests, table);

  const statements = statementsOf(table, operation, settings);
  const streams = operation === 'scan' || operation === 'readRange';
  const { nullBinding: nulls } = settings;
  switch (method) {
    case 'literal':
      return {
        encode: (batch) => literalSql(statements, batch),
        run: async (text) => touched(await requests.request(), streams, 'batch', text),
      } satisfies Operation<string>;
    case 'arrayBind':
      return tableValued(requests, statements);
    case 'multiRow':
      return multiRow(requests, statements);
    case 'batch':
      throw new DynoError('unsupported', 'mssql sends each call as a message of its own.', {
        hint: descriptor.unsupportedReasons.batch ?? null,
      });
    case 'bind':
      return bind(requests, statements, nulls, streams);
    default:
      return prepared(requests, statements, nulls, streams);
  }
}

interface Result {
  readonly rowsAffected: readonly number[];
}

const sum = ({ rowsAffected }: Result): number => rowsAffected.reduce((total, rows) => total + rows, 0);

/** Rows returned or affected. `streams`: rows come one by one and are not kept. */
async function touched(request: sql.Request, streams: boolean, how: 'query' | 'batch', text: string): Promise<number> {
  if (!streams) return sum(await request[how](text));
  request.stream = true;
  return streamed(request, (done) => request[how](text, done));
}

/** Counts the rows of a request that streams. The driver then says errors by events, and calls back without them. */
const streamed = (request: sql.Request, start: (done: () => void) => void): Promise<number> =>
  new Promise((resolve, reject) => {
    let rows = 0;
    let failure: Error | null = null;
    request.on('row', () => {
      rows++;
    });
    request.on('error', (error: Error) => {
      failure ??= error;
    });
    start(() => (failure ? reject(failure) : resolve(rows)));
  });

interface Call {
  readonly statement: Statement;
  /** The values in the order of the parameters. */
  readonly values: readonly MssqlValue[];
}

function withInputs(request: sql.Request, { statement, values }: Call): sql.Request {
  for (const [index, { name, type }] of statement.parameters.entries()) request.input(name, type, values[index]);
  return request;
}

/** @P0 → P0 */
const bare = (name: string): string => name.slice(1);

/** The sent columns of a batch. */
type Sent = Pick<Statements, 'sent' | 'types'>;
const columnsOf = (batch: Batch, { sent, types }: Sent): readonly MssqlValue[][] =>
  sent.map((c, i) => mssqlValues(batch.columns[c]!, types[i]!, batch.rows));

const rowsOf = (batch: Batch, statements: Sent): MssqlValue[][] => {
  const columns = columnsOf(batch, statements);
  return Array.from({ length: batch.rows }, (_, row) => columns.map((values) => values[row]!));
};

function typeOf(type: ColumnType, guess: Guess | null) {
  switch (guess) {
    case null:
      return sqlType(type);
    case 'asDecimal':
      return sqlType(anyDecimal);
    case 'asFloat':
      return sql.Float();
    case 'asText':
      return sql.NVarChar(maxWideCharacters);
  }
}

function bind(requests: Requests, statements: Statements, nulls: NullBinding, streams: boolean): Operation<Call> {
  const patterns = patternsOf(statements, nulls);
  const forms = new Map<string, { readonly statement: Statement; readonly columns: readonly number[] }>();
  const formOf = (pattern: string) => {
    let form = forms.get(pattern);
    if (!form) {
      const { sql: text, parameters } = patterns.statement(pattern);
      form = {
        statement: {
          text,
          parameters: parameters.map(({ name, column, guess }) => ({
            name: bare(name),
            type: typeOf(statements.types[column]!, guess),
          })),
        },
        columns: parameters.map(({ column }) => column),
      };
      forms.set(pattern, form);
    }
    return form;
  };
  return {
    encode(batch) {
      const { statement, columns } = formOf(patterns.of(batch));
      const values = columnsOf(batch, statements);
      return { statement, values: columns.map((column) => values[column]![0]!) };
    },
    async run(call) {
      const request = withInputs(await requests.request(), call);
      return touched(request, streams, 'query', call.statement.text);
    },
  };
}

const parametersFor = ({ types }: Statements, rows: number): MssqlParameter[] => {
  const place = placeholders(types.length);
  return Array.from({ length: rows }, (_, row) =>
    types.map((type, c) => ({ name: bare(place(row, c)), type: sqlType(type) })),
  ).flat();
};

function statementFor(statements: Statements, rows: number): Statement {
  return {
    text: statements.sql(rows, placeholders(statements.types.length)),
    parameters: parametersFor(statements, rows),
  };
}

/** If no transaction is open, it is parsed before the clock. */
async function prepared(
  requests: Requests,
  statements: Statements,
  nulls: NullBinding,
  streams: boolean,
): Promise<Operation<object>> {
  if (nulls !== 'asColumn')
    throw new DynoError('unsupported', `mssql cannot declare nulls of a prepared statement as ${nulls}.`, {
      hint: 'A PreparedStatement declares its parameters once. Use nullBinding: asColumn, method: bind, or sqlserver.driver: tedious.',
    });
  const statement = statementFor(statements, 1);
  await requests.prepared(statement);
  return {
    encode(batch) {
      const values = columnsOf(batch, statements);
      return Object.fromEntries(statement.parameters.map(({ name }, c) => [name, values[c]![0]]));
    },
    async run(values) {
      const one = await requests.prepared(statement);
      if (!streams) return sum(await one.execute(values));
      one.stream = true;
      return new Promise<number>((resolve, reject) => {
        let done = () => {};
        const request = one.execute(values, () => done());
        streamed(request, (ended) => {
          done = ended;
        }).then(resolve, reject);
      });
    },
  };
}

/** Sends several rows as parameters through sp_executesql: programs hardly ever prepare a statement with so many. */
function multiRow(requests: Requests, statements: Statements): Operation<Call> {
  const made = new Map<number, Statement>();
  const madeFor = (rows: number): Statement => {
    const statement = made.get(rows) ?? statementFor(statements, rows);
    made.set(rows, statement);
    return statement;
  };
  return {
    encode: (batch) => ({ statement: madeFor(batch.rows), values: rowsOf(batch, statements).flat() }),
    async run(call) {
      return sum(await withInputs(await requests.request(), call).query(call.statement.text));
    },
  };
}

/** A table of the driver's own, for bulk loads and table-valued parameters. */
function tableOf(name: string, columns: readonly Column[], rows: MssqlValue[][], server: Server): sql.Table {
  const table = new sql.Table(name);
  for (const { name: column, type, nullable } of columns)
    table.columns.add(column, sqlType(rowType(type, server)), { nullable });
  for (const row of rows) table.rows.push(row);
  return table;
}

function tableValued(requests: Requests, statements: Statements): Operation<sql.Table> {
  const { tableForm, types } = statements;
  if (tableForm === null) throw new DynoError('internal', 'There is no form with a table-valued parameter.');
  // The server identifies the columns by their order.
  const columns = types.map((type, c) => ({ name: `c${c}`, type, nullable: true }));
  const name = tableSql({ name: tableForm.typeName });
  return {
    encode: (batch) => tableOf(name, columns, rowsOf(batch, statements), requests.server),
    run: async (table) => sum(await (await requests.request()).input('P0', sql.TVP, table).query(tableForm.sql)),
  };
}

function bulk(requests: Requests, plan: TablePlan): Operation<sql.Table> {
  const sent = sentColumns(plan);
  const columns = sent.map((c) => plan.columns[c]!);
  const types = columns.map(({ type }) => type);
  // The types call it tableLock, its former name, which the driver ignores.
  const options = {
    checkConstraints: plan.options.checkConstraints !== false && plan.foreignKeys !== undefined,
    lockTable: plan.options.tableLock !== false,
  } as sql.IBulkOptions;
  return {
    encode: (batch) => tableOf(tableSql(plan), columns, rowsOf(batch, { sent, types }), requests.server),
    run: async (table) => (await (await requests.request()).bulk(table, options)).rowsAffected,
  };
}

function serverLoop(requests: Requests, table: TablePlan): Operation<number> {
  const text = serverLoopSql(table);
  return {
    encode: ({ rows }) => rows,
    async run(rows) {
      const request = (await requests.request()).input('P0', sql.BigInt, rows);
      const { recordset } = await request.query<{ readonly turns: string }>(text);
      return Number(recordset[0]?.turns);
    },
  };
}
