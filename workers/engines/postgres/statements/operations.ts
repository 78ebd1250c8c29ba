import pg from 'pg';
import type { Caller, Operation, OperationPlan } from '#engine-api/operation.ts';
import { convertsNull } from '#engine-api/support/converts-null.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import type { Settings } from '#model/settings/settings.ts';
import { type NullBinding, readOnlyOperations } from '#model/settings/vocabulary.ts';
import { commitsTurns } from '../../shared/loop-commit.ts';
import { promised } from '../../shared/promised.ts';
import { orderSql } from '../../shared/sql/order.ts';
import type { Connected } from '../connection/connect.ts';
import { refuseNames } from '../connection/pooler.ts';
import { descriptor } from '../descriptor.ts';
import { columnListSql, quote, tableSql } from '../names.ts';
import { binaryArray, copyBinary, copyLayout } from '../values/binary.ts';
import { copyText } from '../values/copy-text.ts';
import { flatRows, literal, type ParameterValue, valueRead } from '../values/values.ts';
import { bindRows } from '../wire/bind-rows.ts';
import { CallRequest, type NamedStatement } from '../wire/call-request.ts';
import type { LeanPath } from '../wire/lean-path.ts';
import { type Binder, executeNamed, executeUnnamed, simpleQuery } from '../wire/messages.ts';
import { CopyInRequest, ParseRequest, send, setPipelining } from '../wire/requests.ts';
import { type BatchedCall, batchedCalls } from './batched-calls.ts';
import { queryPlanOf } from './query-plan.ts';
import { prepareServerLoop } from './server-loop.ts';
import { placeholders, statementsOf } from './statements.ts';

/** The bytes of a call on the lean path, made in encode(). They include the statement if it may have to be parsed. */
type ReadyCall = Uint8Array | { readonly messages: Uint8Array; readonly statement: NamedStatement };

/**
 * The input of client.query() without the values: for all calls on the driver's path, and for scans and portals on
 * both.
 */
interface Query {
  readonly text: string;
  readonly name?: string;
  readonly rowMode: 'array';
  /** Rows per round trip through a portal. */
  readonly rows?: number;
  /** Types of the parameters, for Parse. */
  readonly types?: readonly number[];
  /** The parts of a named statement for the lean path. */
  readonly statement?: LeanStatement;
}

/** A call of a query. */
interface QueryCall {
  readonly query: Query;
  /** Null: the values are in the text. */
  readonly values: (() => ParameterValue[]) | null;
  /** The rows of the values. Absent: the values belong to no rows. */
  readonly batch?: Batch;
}

interface LeanStatement extends NamedStatement {
  /** The server has the statement, and no call brings it. */
  readonly isParsed: boolean;
  /** Binds a call, from the rows of a batch or from values. */
  readonly bindRows: (batch: Batch) => Buffer;
  readonly bind: Binder;
}

export async function prepareOperation({ client, lean, own }: Connected, plan: OperationPlan): Promise<Operation> {
  const { table, operation, method, settings } = plan;
  supportOf(descriptor, operation, method);
  if (method === 'serverLoop') {
    if (own?.isNeeded && commitsTurns(table.options))
      throw new DynoError(
        'unsupported',
        'Behind a pooler the settings of a session are made in a transaction around each call, in which no procedure can commit.',
        { hint: 'Connect to the server itself, or leave isolation and session settings as they are.' },
      );
    return prepareServerLoop(client, table);
  }
  if (operation === 'scan' && settings.sortMemoryKb > 0) {
    const memory = `${settings.sortMemoryKb}kB`;
    if (own) own.set('work_mem', memory);
    else await client.query(`SET work_mem = '${memory}'`);
  }
  if (method === 'bulk')
    return operation === 'scan' ? copyOut(client, lean, plan) : copyIn(client, table, settings.bulkFormat);

  const { types, sql, arraySql } = statementsOf(table, operation, settings);
  const place = placeholders(types.length);
  // A range that fits into one fetch needs no portal, and saves the round trip that closes one.
  const portal = operation === 'scan' || (operation === 'readRange' && settings.fetchSize < settings.rangeRows);
  const fetch = portal ? { rows: settings.fetchSize } : {};
  const isRead = readOnlyOperations.includes(operation);
  /** Adds the query plan of a call to operations that run it. */
  const planned =
    <C>(operationOf: (callFor: (batch: Batch) => QueryCall) => Operation<C>) =>
    (callFor: (batch: Batch) => QueryCall): Operation<C> => ({
      ...operationOf(callFor),
      queryPlan: (batch) => queryPlanOf(client, { ...asked(callFor(batch)), isRead }),
    });
  const pipelines = method === 'pipelined';
  const atOnce = lean
    ? planned(sentBy(readyOf, readyCalls(lean, pipelines)))
    : planned(sentBy(asked, { run: runQuery(client, pipelines) }));
  const way =
    operation === 'scan'
      ? planned(sentBy(asked, { run: runScan(client) }))
      : portal
        ? planned(sentBy(asked, { run: runPortal(client) }))
        : atOnce;
  const declaredIn = (batch: Batch) => declaredTypes(batch, types, settings.nullBinding);

  switch (method) {
    case 'literal':
      return (operation === 'scan' ? way : atOnce)((batch) => {
        const values = flatRows(batch, types).map(literal);
        const text = sql(batch.rows, (row, column) => values[row * types.length + column]!);
        return { query: { text, rowMode: 'array' }, values: null };
      });
    case 'bind': {
      const text = sql(1, place);
      return way((batch) => ({
        query: { text, rowMode: 'array', ...fetch, ...parsedWith(declaredIn(batch)) },
        values: () => flatRows(batch, types),
      }));
    }
    case 'batch': {
      if (!lean) throw new DynoError('unsupported', 'The driver sends each call as a message of its own.');
      if (own?.isNeeded)
        throw new DynoError(
          'unsupported',
          'Behind a pooler the settings of a session are made in a transaction around each call, which ends its message.',
          { hint: 'Connect to the server itself, or leave isolation and session settings as they are.' },
        );
      const statement = await parsed(client, sql(1, place), types);
      return planned(sentBy(batchedCall, batchedCalls(lean, statement.statement!)))((batch) => ({
        query: { ...statement, ...parsedWith(declaredIn(batch)) },
        values: () => flatRows(batch, types),
        batch,
      }));
    }
    case 'arrayBind': {
      if (arraySql === null) throw new DynoError('internal', `${operation} has no array form.`);
      const statement = await parsed(client, arraySql, types);
      return way(({ columns, rows }) => ({
        query: statement,
        values: () => columns.map((column, c) => binaryArray(column, types[c]!, rows)),
      }));
    }
    case 'multiRow': {
      const statementOf = await parsedForRows(client, settings.rowsPerCall, (rows) => sql(rows, place), types);
      return way((batch) => ({ query: statementOf(batch.rows), values: () => flatRows(batch, types), batch }));
    }
    default: {
      // prepared and pipelined
      const text = sql(1, place);
      const statementOf = await parsedForTypes(client, text, pipelines ? {} : fetch, types);
      const prepared = (pipelines ? atOnce : way)((batch) => ({
        query: statementOf(declaredIn(batch)),
        values: () => flatRows(batch, types),
        batch,
      }));
      return {
        ...prepared,
        ...(operation === 'scan' && { blocks: () => blocksOf(client, text, table, settings.fetchSize) }),
      };
    }
  }
}

/** `pg` passes these on to Parse unchanged; its option to parse rows has no effect on an INSERT. */
const parsedWith = (types: readonly number[]): Pick<Query, 'types'> => (types.length > 0 ? { types } : {});

/**
 * A call of a named statement without its values. `columns`: types of the rows that it binds; `types`: those that its
 * first call declares in Parse.
 */
const named = (name: string, text: string, isParsed: boolean, columns: readonly ColumnType[], types = none): Query => ({
  name,
  text,
  rowMode: 'array',
  statement: { name, text, types, isParsed, bindRows: bindRows(name, columns), bind: executeNamed(name) },
  ...parsedWith(types),
});

/** A call of a named statement that is parsed now. */
const parsed = async (client: pg.Client, text: string, columns: readonly ColumnType[]): Promise<Query> =>
  named((await parseStatement(client, text)).name, text, true, columns);

/**
 * A statement for each number of rows. The statement of full calls is parsed now, and the statement of a smaller last
 * batch with its first call.
 */
async function parsedForRows(
  client: pg.Client,
  full: number,
  textOf: (rows: number) => string,
  columns: readonly ColumnType[],
) {
  const statements = new Map([[full, await parsed(client, textOf(full), columns)]]);
  return (rows: number): Query => {
    const statement = statements.get(rows) ?? named(nextName(client), textOf(rows), false, columns);
    statements.set(rows, statement);
    return statement;
  };
}

/**
 * A statement for each combination of types that nulls are declared with. The statement without declared types is
 * parsed now, the others with their first call. `more`: the way in which its rows are fetched.
 */
async function parsedForTypes(
  client: pg.Client,
  text: string,
  more: Pick<Query, 'rows'>,
  columns: readonly ColumnType[],
) {
  const usual = { ...(await parsed(client, text, columns)), ...more };
  const statements = new Map<string, Query>();
  return (declared: readonly number[]): Query => {
    if (declared.length === 0) return usual;
    const key = declared.join();
    const statement = statements.get(key) ?? { ...named(nextName(client), text, false, columns, declared), ...more };
    statements.set(key, statement);
    return statement;
  };
}

const counters = new WeakMap<pg.Client, number>();
function nextName(client: pg.Client): string {
  const count = (counters.get(client) ?? 0) + 1;
  counters.set(client, count);
  return `dyno_${count}`;
}

/** Names the statement, and has the server parse it. */
export async function parseStatement(client: pg.Client, text: string): Promise<Pick<ParseRequest, 'name' | 'columns'>> {
  refuseNames(client);
  const request = new ParseRequest(nextName(client), text);
  await send(client, request);
  return request;
}

function readyOf({ query: { text, types = none, statement }, values, batch }: QueryCall): ReadyCall {
  if (!values) return simpleQuery(text);
  if (!statement) return executeUnnamed(text, values(), types);
  const messages = batch ? statement.bindRows(batch) : statement.bind(values());
  return statement.isParsed ? messages : { messages, statement };
}

/** Makes operations: `made` makes their calls and `sent` sends them. */
const sentBy =
  <C>(made: (call: QueryCall) => C, sent: Pick<Operation<C>, 'run' | 'start' | 'send'>) =>
  (callFor: (batch: Batch) => QueryCall): Operation<C> => ({
    encode: (batch) => made(callFor(batch)),
    ...sent,
  });
/** The input of client.query(). */
type Asked = Query & { readonly values?: ParameterValue[] };
const asked = ({ query, values }: QueryCall): Asked => (values ? { ...query, values: values() } : query);
/** See parsedWith: `types` has another meaning in the driver's types. */
const inTypesOf = (call: Asked) => call as object as pg.QueryArrayConfig;

/** The number of rows in the command tag; the command tags of all operations have one. */
function readyCalls(lean: LeanPath, pipelines: boolean): Pick<Operation<ReadyCall>, 'run' | 'start'> {
  const requestOf = (call: ReadyCall, caller: Caller) => {
    const counting = caller as Caller<number | null>;
    return call instanceof Uint8Array
      ? new CallRequest(call, counting)
      : new CallRequest(call.messages, counting, call.statement);
  };
  const start = pipelines
    ? (call: ReadyCall, caller: Caller) => lean.pipeline(requestOf(call, caller))
    : (call: ReadyCall, caller: Caller) => lean.send(requestOf(call, caller));
  return { start, run: promised(start) };
}

const batchedCall = ({ query, batch }: QueryCall): BatchedCall => ({
  messages: query.statement!.bindRows(batch!),
  types: query.types ?? none,
});

/** COPY's command tag has a number. */
const counted = (touched: Promise<number | null>) => touched as Promise<number>;

/** `pg` keeps the order of calls in flight. */
const runQuery = (client: pg.Client, pipelines: boolean) => async (call: Asked) => {
  setPipelining(client, pipelines);
  return (await client.query(inTypesOf(call))).rowCount ?? 0;
};

/** A command tag counts only the rows of the last fetch. */
const runPortal = (client: pg.Client) => async (call: Asked) => {
  setPipelining(client, false);
  return (await client.query(inTypesOf(call))).rows.length;
};

/**
 * A scan's rows are received and decoded one by one, and not kept, because a table need not fit into the client's
 * memory.
 */
const runScan = (client: pg.Client) => (call: Asked) =>
  new Promise<number>((resolve, reject) => {
    let rows = 0;
    const query = new pg.Query(inTypesOf(call));
    query.on('row', () => {
      rows++;
    });
    query.on('end', () => resolve(rows));
    query.on('error', reject);
    setPipelining(client, false);
    client.query(query);
  });

/** A cursor of SQL, in a transaction that ends with its last row or the session. */
async function* blocksOf(client: pg.Client, text: string, { columns }: TablePlan, fetchSize: number) {
  await client.query("BEGIN; SET LOCAL TimeZone = 'UTC'; SET LOCAL bytea_output = hex");
  await client.query(`DECLARE dyno_rows NO SCROLL CURSOR FOR ${text}`);
  for (;;) {
    const { rows } = await client.query<(string | null)[]>({
      text: `FETCH ${fetchSize} FROM dyno_rows`,
      rowMode: 'array',
    });
    if (rows.length === 0) break;
    yield rows.map((row) => row.map((value, c) => valueRead(value, columns[c]!.type)));
  }
  await client.query('COMMIT');
}

/** Sends a whole table by COPY FROM STDIN. */
export function copyIn(client: pg.Client, table: TablePlan, format: Settings['bulkFormat']): Operation<Uint8Array> {
  const binary = format === 'binary';
  const types = table.columns.map((column) => column.type);
  const text = `COPY ${tableSql(table)} (${columnListSql(table)}) FROM STDIN (FORMAT ${format})`;
  const toWire = (batch: Batch) => (binary ? (batch.laidOut ?? copyBinary(batch, types)) : copyText(batch, types));
  return {
    layout: binary ? copyLayout(table.columns) : null,
    encode: toWire,
    run: (data) => counted(send(client, new CopyInRequest(text, data))),
  };
}

function copyOut(client: pg.Client, lean: LeanPath | null, { table, settings }: OperationPlan): Operation<null> {
  const all = columnListSql(table);
  const order = orderSql(table, settings, quote);
  // COPY of a table, instead of a query, accepts no partitioned table and no ORDER BY.
  const from =
    table.partitions || order !== ''
      ? `(SELECT ${all} FROM ${tableSql(table)}${order})`
      : `${tableSql(table)} (${all})`;
  const text = `COPY ${from} TO STDOUT (FORMAT ${settings.bulkFormat})`;
  const messages = simpleQuery(text);
  if (lean) {
    const start = (_: null, caller: Caller) => lean.send(new CallRequest(messages, caller as Caller<number | null>));
    return { encode: () => null, start, run: promised(start) };
  }
  const query = runQuery(client, false);
  return { encode: () => null, run: () => query({ text, rowMode: 'array' }) };
}

/** pg_type.oid of the types with which nulls are declared. */
const oids = { asFloat: 701, asText: 25 } as const;
/** The oid with which the server itself finds out the type. */
const untyped = 0;
const none: readonly number[] = [];

/** The types that Parse declares for the nulls of a batch's only row. Empty: the server infers all types. */
function declaredTypes(batch: Batch, types: readonly ColumnType[], nulls: NullBinding): readonly number[] {
  if (nulls !== 'asFloat' && nulls !== 'asText') return none;
  const form = descriptor.nullBindings![nulls]!;
  const declared = batch.columns.map(({ nulls: isNull }, c) =>
    isNull?.[0] === 1 && convertsNull(form, types[c]!) ? oids[nulls] : untyped,
  );
  return declared.some((oid) => oid !== untyped) ? declared : none;
}
