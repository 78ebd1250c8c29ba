import pg from 'pg';
import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import { convertsNull } from '#engine-api/support/converts-null.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { NullBinding } from '#model/settings/vocabulary.ts';
import { orderSql } from '../../shared/sql/order.ts';
import { descriptor } from '../descriptor.ts';
import { columnListSql, quote, tableSql } from '../schema/names.ts';
import { binaryArray, copyBinary, copyLayout } from '../values/binary.ts';
import { copyText } from '../values/copy-text.ts';
import { flatRows, literal, type ParameterValue, valueRead } from '../values/values.ts';
import { executeNamed, executeUnnamed, simpleQuery } from '../wire/messages.ts';
import {
  CopyInRequest,
  MessagesRequest,
  type NamedStatement,
  ParseRequest,
  send,
  setPipelining,
} from '../wire/requests.ts';
import { prepareServerLoop } from './server-loop.ts';
import { placeholders, statementsOf } from './statements.ts';

/** What goes over the wire, made in encode(). */
interface ReadyCall {
  readonly messages: Uint8Array;
  readonly statement: NamedStatement | null;
}

/** What client.query() gets where it makes the messages: portals and pipelines. */
interface QueryCall {
  readonly text: string;
  readonly name?: string;
  readonly values?: ParameterValue[];
  readonly rowMode: 'array';
  /** Rows per round trip through a portal. */
  readonly rows?: number;
  /** Types of the parameters, for Parse. */
  readonly types?: readonly number[];
}

export async function prepareOperation(client: pg.Client, plan: OperationPlan): Promise<Operation> {
  const { table, operation, method, settings } = plan;
  supportOf(descriptor, operation, method);
  if (method === 'serverLoop') return prepareServerLoop(client, table);
  if (operation === 'scan' && settings.sortMemoryKb > 0)
    await client.query(`SET work_mem = '${settings.sortMemoryKb}kB'`);
  if (method === 'bulk')
    return operation === 'scan' ? copyOut(client, plan) : copyIn(client, table, settings.bulkFormat);

  const { types, sql, arraySql } = statementsOf(table, operation, settings);
  const place = placeholders(types.length);
  // A range that fits into one fetch needs no portal, and saves the round trip that closes one.
  const portal = operation === 'scan' || (operation === 'readRange' && settings.fetchSize < settings.rangeRows);
  const fetch = portal ? { rows: settings.fetchSize } : {};
  const atOnce = sentBy(readyOf, runReady(client));
  const way =
    operation === 'scan' ? sentBy(unchanged, runScan(client)) : portal ? sentBy(unchanged, runPortal(client)) : atOnce;
  const declaredIn = (batch: Batch) => declaredTypes(batch, types, settings.nullBinding);

  switch (method) {
    case 'literal':
      return (operation === 'scan' ? way : atOnce)((batch) => {
        const values = flatRows(batch, types).map(literal);
        const text = sql(batch.rows, (row, column) => values[row * types.length + column]!);
        return { text, rowMode: 'array' };
      });
    case 'bind': {
      const text = sql(1, place);
      return way((batch) => ({
        text,
        values: flatRows(batch, types),
        rowMode: 'array',
        ...fetch,
        ...parsedWith(declaredIn(batch)),
      }));
    }
    case 'arrayBind': {
      if (arraySql === null) throw new DynoError('internal', `${operation} has no array form.`);
      const { name } = await parseStatement(client, arraySql);
      return way((batch) => {
        const values = batch.columns.map((column, c) => binaryArray(column, types[c]!, batch.rows));
        return { name, text: arraySql, values, rowMode: 'array' };
      });
    }
    case 'multiRow': {
      // The last batch of a trial may be smaller: it has a statement of its own, parsed with its first call.
      const names = new Map<number, { readonly name: string; readonly text: string }>();
      const full = sql(settings.rowsPerCall, place);
      names.set(settings.rowsPerCall, { name: (await parseStatement(client, full)).name, text: full });
      return way((batch) => {
        let statement = names.get(batch.rows);
        if (!statement) {
          statement = { name: nextName(client), text: sql(batch.rows, place) };
          names.set(batch.rows, statement);
        }
        return { ...statement, values: flatRows(batch, types), rowMode: 'array' };
      });
    }
    default: {
      // prepared and pipelined
      const text = sql(1, place);
      // Where nulls are declared, each combination is parsed with its first call; the one without before.
      const names = new Map([['', (await parseStatement(client, text)).name]]);
      const nameFor = (declared: readonly number[]): string => {
        const key = declared.join();
        const name = names.get(key) ?? nextName(client);
        names.set(key, name);
        return name;
      };
      const pipelined = method === 'pipelined';
      const prepared = (pipelined ? sentBy(unchanged, runPipelined(client)) : way)((batch) => {
        const declared = declaredIn(batch);
        return {
          name: nameFor(declared),
          text,
          values: flatRows(batch, types),
          rowMode: 'array',
          ...parsedWith(declared),
          ...(pipelined ? {} : fetch),
        };
      });
      return {
        ...prepared,
        ...(operation === 'scan' && { blocks: () => blocksOf(client, text, table, settings.fetchSize) }),
      };
    }
  }
}

/** `pg` hands these to Parse unchanged; its option to parse rows has no effect on an INSERT. */
const parsedWith = (types: readonly number[]): Pick<QueryCall, 'types'> => (types.length > 0 ? { types } : {});

const counters = new WeakMap<pg.Client, number>();
function nextName(client: pg.Client): string {
  const count = (counters.get(client) ?? 0) + 1;
  counters.set(client, count);
  return `dyno_${count}`;
}

/** Names it, and has the server parse it. */
export async function parseStatement(
  client: pg.Client,
  text: string,
): Promise<{ readonly name: string; readonly columns: readonly string[] }> {
  const request = new ParseRequest(nextName(client), text);
  await send(client, request);
  return request;
}

function readyOf({ text, name, values, types = [] }: QueryCall): ReadyCall {
  if (!values) return { messages: simpleQuery(text), statement: null };
  if (name === undefined) return { messages: executeUnnamed(text, values, types), statement: null };
  return { messages: executeNamed(name, values), statement: { name, text, types } };
}

/** How calls are sent, and what they are made into for that. */
const sentBy =
  <C>(made: (call: QueryCall) => C, run: Operation<C>['run']) =>
  (callFor: (batch: Batch) => QueryCall): Operation<C> => ({
    layout: null,
    encode: (batch) => made(callFor(batch)),
    run,
  });
const unchanged = (call: QueryCall): QueryCall => call;
/** See parsedWith: `types` says something else than in the driver's types. */
const inTypesOf = (call: QueryCall) => call as object as pg.QueryArrayConfig;

/** Rows as the command tag counts them. */
const runReady =
  (client: pg.Client) =>
  ({ messages, statement }: ReadyCall) =>
    send(client, new MessagesRequest(messages, statement));

/** `pg` keeps the order of several calls in flight. */
const runPipelined = (client: pg.Client) => async (call: QueryCall) => {
  setPipelining(client, true);
  return (await client.query(inTypesOf(call))).rowCount ?? 0;
};

/** A command tag counts the rows of the last fetch alone. */
const runPortal = (client: pg.Client) => async (call: QueryCall) => {
  setPipelining(client, false);
  return (await client.query(inTypesOf(call))).rows.length;
};

/** A scan's rows are received and decoded one by one, and not kept: a table need not fit into the client's memory. */
const runScan = (client: pg.Client) => (call: QueryCall) =>
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

/** COPY FROM STDIN of a whole table. */
export function copyIn(client: pg.Client, table: TablePlan, format: Settings['bulkFormat']): Operation<Uint8Array> {
  const binary = format === 'binary';
  const types = table.columns.map((column) => column.type);
  const text = `COPY ${tableSql(table)} (${columnListSql(table)}) FROM STDIN (FORMAT ${format})`;
  const toWire = (batch: Batch) => (binary ? (batch.laidOut ?? copyBinary(batch, types)) : copyText(batch, types));
  return {
    layout: binary ? copyLayout(table.columns) : null,
    encode: toWire,
    run: (data) => send(client, new CopyInRequest(text, data)),
  };
}

function copyOut(client: pg.Client, { table, settings }: OperationPlan): Operation<null> {
  const all = columnListSql(table);
  const order = orderSql(table, settings, quote);
  // COPY alone takes no partitioned table, and knows no order.
  const from =
    table.partitions || order !== ''
      ? `(SELECT ${all} FROM ${tableSql(table)}${order})`
      : `${tableSql(table)} (${all})`;
  const text = `COPY ${from} TO STDOUT (FORMAT ${settings.bulkFormat})`;
  const messages = simpleQuery(text);
  return {
    layout: null,
    encode: () => null,
    run: () => send(client, new MessagesRequest(messages)),
  };
}

/** pg_type.oid of what nulls are declared as. */
const oids = { asFloat: 701, asText: 25 } as const;
/** For the server to find out. */
const untyped = 0;
const none: readonly number[] = [];

/** The types that Parse names for the nulls of a batch's only row. Empty: the server infers all types. */
function declaredTypes(batch: Batch, types: readonly ColumnType[], nulls: NullBinding): readonly number[] {
  if (nulls !== 'asFloat' && nulls !== 'asText') return none;
  const form = descriptor.nullBindings![nulls]!;
  const declared = batch.columns.map(({ nulls: isNull }, c) =>
    isNull?.[0] === 1 && convertsNull(form, types[c]!) ? oids[nulls] : untyped,
  );
  return declared.some((oid) => oid !== untyped) ? declared : none;
}
