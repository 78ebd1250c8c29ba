import type { Caller, Operation, OperationPlan } from '#engine-api/operation.ts';
import { planTexts } from '#engine-api/query-plan.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { type MethodName, readOnlyOperations } from '#model/settings/vocabulary.ts';
import { promised } from '../../shared/promised.ts';
import { readValue } from '../../shared/read-value.ts';
import type { DriverName } from '../connection/connect.ts';
import {
  type Flavour,
  fitting,
  type MysqlConnection,
  type PreparedCall,
  sentBy,
  type TextCall,
} from '../connection/connection.ts';
import { descriptor } from '../descriptor.ts';
import { nullParameter } from '../values/null-parameter.ts';
import { type ExactNumbers, type Parameters, senderOf, valuesOf } from '../values/parameters.ts';
import { flatRows, literal, type ParameterValue, toParameters } from '../values/values.ts';
import { prepareLoad } from './bulk.ts';
import { queryPlanOf } from './query-plan.ts';
import { prepareServerLoop, type SessionState } from './server-loop.ts';
import { type Parameterised, parameterised, type Statements, statementsOf } from './statements.ts';

/** The connection that a method needs with the mariadb connector. */
export const flavourOf = (method: MethodName, driver: DriverName): Flavour =>
  method === 'bulk'
    ? 'localFiles'
    : method === 'batch'
      ? 'severalStatements'
      : method === 'bind' && driver === 'mariadb'
        ? 'unprepared'
        : 'usual';

/** Refuses cells that the descriptor lacks, or has only with other options. */
export function checkSupport({ operation, method }: OperationPlan, driver: string): void {
  const { needs } = supportOf(descriptor, operation, method);
  if (needs?.driver !== undefined && needs.driver !== driver)
    throw new DynoError('unsupported', `${driver} cannot do ${operation} by ${method}.`, {
      hint: descriptor.unsupportedReasons[`${operation}.${method}`] ?? descriptor.unsupportedReasons[method] ?? null,
    });
}

export async function prepareOperation(
  connection: MysqlConnection,
  database: string,
  plan: OperationPlan,
  state: SessionState,
): Promise<Operation> {
  const { table, operation, method, settings } = plan;
  if (method === 'serverLoop') return prepareServerLoop(connection, database, table, state);
  if (method === 'bulk') return prepareLoad(connection, database, table);

  if (operation === 'scan' && settings.sortMemoryKb > 0) await setSortMemory(connection, settings.sortMemoryKb);
  const statements = statementsOf(database, table, operation, settings);
  const streams = operation === 'scan';
  const nulls = nullParameter(settings.nullBinding);
  const isRead = readOnlyOperations.includes(operation);
  const planned = {
    queryPlan: async (batch: Batch) => {
      const plan = await queryPlanOf(connection, literalSql(statements, batch), isRead);
      if (method === 'literal') return plan;
      return { ...plan, ...planTexts(parameterised(statements, batch.rows).text, plan.printed) };
    },
  };
  switch (method) {
    case 'literal': {
      const text = (batch: Batch) => literalSql(statements, batch);
      if (streams)
        return { ...planned, encode: text, run: (sql) => connection.stream(sql) } satisfies Operation<string>;
      return {
        ...planned,
        encode: (batch) => connection.encode(text(batch)),
        ...sentBy(connection, (call) => connection.run(call)),
      } satisfies Operation<TextCall>;
    }
    case 'bind': {
      const one = parameterised(statements, 1);
      const { text } = one;
      const parameters = parametersOf(statements, one, connection.exact, nulls);
      return {
        encode: (batch) => fitting(valuesOf(parameters, batch), connection.packetLimit),
        run: streams ? (values) => connection.streamOnce(text, values) : (values) => connection.runOnce(text, values),
        ...planned,
      } satisfies Operation<ParameterValue[]>;
    }
    case 'batch':
      return { ...batched(connection, statements), ...planned };
    case 'multiRow':
      return { ...(await multiRow(connection, statements, settings.rowsPerCall, nulls)), ...planned };
    case 'arrayBind':
      return arrayBind(connection, statements);
    default: {
      // prepared and pipelined
      const one = parameterised(statements, 1);
      const statement = await connection.prepare(one.text);
      const parameters = parametersOf(statements, one, connection.exact, nulls);
      if (streams)
        return {
          ...planned,
          encode: (batch) => valuesOf(parameters, batch),
          run: (call) => statement.stream(call),
          ...(statement.rows && { blocks: () => blocksOf(statement.rows!(settings.fetchSize), table) }),
        } satisfies Operation<ParameterValue[]>;
      return {
        ...planned,
        encode: statement.encoder(parameters),
        ...sentBy(connection, (call) => statement.run(call)),
      } satisfies Operation<PreparedCall>;
    }
  }
}

/** The stream hands the rows out one by one. */
async function* blocksOf(rows: AsyncIterable<readonly unknown[]>, { columns }: TablePlan) {
  for await (const row of rows) yield [row.map((value, c) => readValue(value, columns[c]!.type))];
}

function literalSql({ types, sql }: Statements, batch: Batch): string {
  const values = flatRows(batch, types).map(literal);
  return sql(batch.rows, (row, column) => values[row * types.length + column]!);
}

/**
 * `nulls`: the value that is sent for nulls. A decimal of a column of Dyno's is sent as text, which the column converts
 * exactly.
 */
const parametersOf = (
  { types }: Statements,
  { order }: Parameterised,
  exact: ExactNumbers,
  nulls: ParameterValue,
): Parameters => ({ types, order, sent: senderOf(types, { ...exact, decimal: (text) => text }, nulls) });

interface ManyRows {
  readonly batch: Batch;
  /** Null: the statement has not been prepared yet. */
  readonly call: PreparedCall | null;
}

interface PreparedForRows {
  readonly encode: (batch: Batch) => PreparedCall;
  readonly run: (call: PreparedCall) => Promise<number>;
}

async function multiRow(
  connection: MysqlConnection,
  statements: Statements,
  rowsPerCall: number,
  nulls: ParameterValue,
): Promise<Operation<ManyRows>> {
  const prepared = new Map<number, PreparedForRows>();
  const prepareFor = async (rows: number): Promise<PreparedForRows> => {
    const text = parameterised(statements, rows);
    const statement = await connection.prepare(text.text);
    const { run } = statement;
    const ready = { encode: statement.encoder(parametersOf(statements, text, connection.exact, nulls)), run };
    prepared.set(rows, ready);
    return ready;
  };
  await prepareFor(rowsPerCall);
  return {
    encode: (batch) => ({ batch, call: prepared.get(batch.rows)?.encode(batch) ?? null }),
    async run({ batch, call }) {
      // The last batch of a trial may be smaller. Its statement is prepared with its first call.
      const statement = prepared.get(batch.rows) ?? (await prepareFor(batch.rows));
      return statement.run(call ?? statement.encode(batch));
    },
  };
}

/** The calls of a batch are the statements of one text, with their values as literals. */
function batched(connection: MysqlConnection, statements: Statements): Operation<Uint8Array> {
  const { startTogether } = connection;
  if (!startTogether)
    throw new DynoError('unsupported', 'The driver sends each call as a message of its own.', {
      hint: descriptor.unsupportedReasons.batch ?? null,
    });
  let held: { readonly texts: Uint8Array[]; readonly callers: Caller[] } = { texts: [], callers: [] };
  const start = (text: Uint8Array, caller: Caller) => {
    held.texts.push(text);
    held.callers.push(caller);
  };
  const send = () => {
    const { texts, callers } = held;
    held = { texts: [], callers: [] };
    if (callers.length > 0) startTogether(texts, callers);
  };
  return {
    encode: (batch) => Buffer.from(literalSql(statements, batch)),
    start,
    send,
    run: promised((text: Uint8Array, caller: Caller) => {
      start(text, caller);
      send();
    }),
  };
}

async function arrayBind(connection: MysqlConnection, statements: Statements): Promise<Operation<ParameterValue[][]>> {
  const { batch: send, mariadb } = connection;
  if (!send || (mariadb ?? 0) < firstWithBulk)
    throw new DynoError('unsupported', 'This server has no array binding.', {
      hint: descriptor.unsupportedReasons.arrayBind ?? null,
    });
  const { types } = statements;
  const { text, order } = parameterised(statements, 1);
  // The connector keeps the statement by its text, so no call prepares it again.
  await connection.prepare(text);
  return {
    encode(batch) {
      const columns = batch.columns.map((column, c) => toParameters(column, types[c]!, batch.rows, true));
      const width = columns.length;
      return Array.from({ length: batch.rows }, (_, r) =>
        Array.from({ length: width }, (_value, at) => columns[order[at]!]![r]!),
      );
    },
    run: (rows) => send(text, rows),
  };
}

/** COM_STMT_BULK_EXECUTE exists from 10.2 on. */
const firstWithBulk = 1_002;

/** Sets the memory for sorts of this session. Servers cut values beyond their bounds, and only warn. */
async function setSortMemory(connection: MysqlConnection, kb: number): Promise<void> {
  const bytes = kb * 1_024;
  await connection.query(`SET SESSION sort_buffer_size = ${bytes}`);
  const { rows } = await connection.query('SELECT @@SESSION.sort_buffer_size');
  const found = Number(rows?.[0]?.[0]);
  if (found !== bytes)
    throw new DynoError('unsupported', `sortMemoryKb: ${kb} — the server made a sort_buffer_size of ${found} of it.`);
}
