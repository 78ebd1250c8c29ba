import { Readable } from 'node:stream';
import type { Connection, Request } from 'tedious';
import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { type NullBinding, readOnlyOperations } from '#model/settings/vocabulary.ts';
import { rowType, type Server } from '../connection/server.ts';
import { descriptor } from '../descriptor.ts';
import { schemaName, tableSql } from '../names.ts';
import { valueRead } from '../values/values.ts';
import { batchedCalls, type Calls, driverCalls, leanCalls, type OperationCalls } from '../wire/calls.ts';
import type { LeanPath } from '../wire/lean-path.ts';
import { batchBody, rpcRequest, send, sqlBatch } from '../wire/request.ts';
import { executeHead, executeSqlHead, type ParameterColumn, parameters, tableParameter } from '../wire/rpc.ts';
import { type Collation, wireType } from '../wire/tds.ts';
import { bulkInsert } from './bulk.ts';
import { literalSql } from './literal-sql.ts';
import { nullWireOf, patternsOf } from './null-types.ts';
import { cachedText, queryPlanOf } from './query-plan.ts';
import { serverLoop } from './server-loop.ts';
import { declarations, placeholders, type Statements, statementsOf } from './statements.ts';

/** The parts of its session that an operation needs. */
export interface SessionContext {
  readonly connection: Connection;
  readonly collation: Collation;
  readonly server: Server;
  /** The path of calls, if they are not the driver's requests. */
  readonly lean: LeanPath | null;
  /** Parses a statement; the session frees the handle when it ends. */
  prepared(sql: string, declarations: string): Promise<number>;
}

export async function prepareOperation(session: SessionContext, plan: OperationPlan): Promise<Operation> {
  supportOf(descriptor, plan.operation, plan.method);
  const { table, operation, method, settings } = plan;
  const { connection, collation, server } = session;
  const { options } = table;
  if (method === 'serverLoop') return serverLoop(connection, table, collation);
  if (method === 'bulk')
    return bulkInsert(
      connection,
      table,
      {
        checkConstraints: options.checkConstraints !== false,
        tableLock: options.tableLock !== false,
        batchHint: options.batchHint !== false,
        server,
      },
      collation,
    );
  const statements = statementsOf(table, operation, settings);
  const isRead = readOnlyOperations.includes(operation);
  switch (method) {
    case 'literal':
      return literalOperation(session, statements, isRead);
    case 'arrayBind':
      return tableOperation(session, statements, isRead);
    case 'multiRow':
      return multiRowOperation(session, statements, settings.rowsPerCall, isRead);
    case 'bind':
      return bindOperation(session, statements, settings.nullBinding, isRead, callsOf(session, rpcRequest));
    case 'batch': {
      if (session.lean === null)
        throw new DynoError('unsupported', 'The driver sends each call as a message of its own.');
      const calls = batchedCalls(session.lean);
      return settings.nullBinding === 'asColumn'
        ? preparedOperation(session, statements, isRead, calls)
        : bindOperation(session, statements, settings.nullBinding, isRead, calls);
    }
    default: {
      // A statement without values has no nulls to declare.
      if (settings.nullBinding !== 'asColumn' && statements.types.length > 0)
        return preparedByNulls(session, statements, settings.nullBinding, isRead);
      const calls = callsOf(session, rpcRequest);
      const prepared = await preparedOperation(session, statements, isRead, calls);
      if (operation !== 'scan') return prepared;
      const call = calls.bodyOf(prepared.encode({ rows: 0, columns: [] }));
      return { ...prepared, blocks: () => blocksOf(connection, call, table, settings.fetchSize) };
    }
  }
}

/** The protocol has no fetch size: after `most` rows the socket is read no further. */
export async function* blocksOf(connection: Connection, call: Buffer, { columns }: TablePlan, most: number) {
  let request: Request | null = null;
  const rows = new Readable({ objectMode: true, highWaterMark: most, read: () => request?.resume() });
  const sent = send(connection, rpcRequest, call, (one) => {
    request = one;
    one.on('row', (row) => {
      if (!rows.push(row)) one.pause();
    });
  });
  sent.then(
    () => rows.push(null),
    (error) => rows.destroy(error as Error),
  );
  for await (const row of rows as AsyncIterable<readonly { readonly value: unknown }[]>)
    yield [row.map(({ value }, c) => valueRead(value, columns[c]!.type))];
}

/** The calls of a session that are messages of this type. */
export const callsOf = ({ connection, lean }: Pick<SessionContext, 'connection' | 'lean'>, type: number): Calls =>
  lean ? leanCalls(lean, type) : driverCalls(connection, type);

/** Sends calls that encode() has completed. */
const sentBy = ({ run, start, send }: OperationCalls) => ({ run, ...(start && { start }), ...(send && { send }) });

function literalOperation(session: SessionContext, statements: Statements, isRead: boolean): Operation<Buffer> {
  const calls = callsOf(session, sqlBatch);
  return {
    encode: (batch) => calls.call(calls.head(batchBody(literalSql(statements, batch)))),
    ...sentBy(calls),
    queryPlan(batch) {
      const literal = () => literalSql(statements, batch);
      const cachedAs = literal();
      const body = batchBody(cachedAs);
      return queryPlanOf(session.connection, { type: sqlBatch, body, cachedAs, literal, isRead });
    },
  };
}

const literalOf = (statements: Statements, batch: Batch) => (): string => literalSql(statements, batch);

/** A call of the server's own procedure (sp_executesql, sp_execute) whose plan is asked. */
const rpc = (body: Buffer, sql: string, declared: string, literal: () => string, isRead: boolean) => ({
  type: rpcRequest,
  body,
  cachedAs: cachedText(sql, declared),
  literal,
  isRead,
});

/** The function that makes parameters of the sent columns of a batch, with nulls in their declared types. */
function columnsOf(
  { sent, types }: Pick<Statements, 'sent' | 'types'>,
  collation: Collation,
  nulls: NullBinding = 'asColumn',
): (batch: Batch) => readonly ParameterColumn[] {
  const parts = sent.map((c, i) => {
    const type = types[i]!;
    const wire = wireType(type, collation);
    return { c, type, wire, nullWire: nullWireOf(type, wire, nulls, collation) };
  });
  return ({ columns }) => parts.map(({ c, type, wire, nullWire }) => ({ column: columns[c]!, type, wire, nullWire }));
}

function bindOperation(
  session: SessionContext,
  statements: Statements,
  nulls: NullBinding,
  isRead: boolean,
  calls: OperationCalls,
): Operation<Buffer> {
  const { connection, collation } = session;
  const columns = columnsOf(statements, collation, nulls);
  const patterns = patternsOf(statements, nulls);
  const heads = new Map<string, Buffer>();
  const encode = (batch: Batch): Buffer => {
    const pattern = patterns.of(batch);
    let head = heads.get(pattern);
    if (!head) {
      const { sql, declarations: declared } = patterns.statement(pattern);
      head = calls.head(executeSqlHead(sql, declared, collation));
      heads.set(pattern, head);
    }
    return calls.call(parameters(head, columns(batch), 1));
  };
  return {
    encode,
    ...sentBy(calls),
    queryPlan(batch) {
      const { sql, declarations: declared } = patterns.statement(patterns.of(batch));
      const body = calls.bodyOf(encode(batch));
      return queryPlanOf(connection, rpc(body, sql, declared, literalOf(statements, batch), isRead));
    },
  };
}

async function preparedOperation(
  session: SessionContext,
  statements: Statements,
  isRead: boolean,
  calls: OperationCalls,
): Promise<Operation<Buffer>> {
  const { connection, collation } = session;
  const sql = statements.sql(1, placeholders(statements.types.length));
  const declared = declarations(statements.types, 1);
  const columns = columnsOf(statements, collation);
  const head = calls.head(executeHead(await session.prepared(sql, declared)));
  const encode = (batch: Batch) => calls.call(parameters(head, columns(batch), 1));
  return {
    encode,
    ...sentBy(calls),
    queryPlan: (batch) =>
      queryPlanOf(connection, rpc(calls.bodyOf(encode(batch)), sql, declared, literalOf(statements, batch), isRead)),
  };
}

interface CallByNulls {
  readonly pattern: string;
  readonly body: Buffer;
}

/**
 * Each combination of nulls is a statement of its own, as with drivers that prepare anew when a parameter changes its
 * type: with one handle for all the server would convert each null on its way in, instead of within the plan. A
 * combination is prepared with its first call; the one without nulls before.
 */
async function preparedByNulls(
  session: SessionContext,
  statements: Statements,
  nulls: NullBinding,
  isRead: boolean,
): Promise<Operation<CallByNulls>> {
  const { connection, collation } = session;
  const calls = callsOf(session, rpcRequest);
  const columns = columnsOf(statements, collation, nulls);
  const patterns = patternsOf(statements, nulls);
  const handles = new Map<string, Promise<number>>();
  const handleFor = (pattern: string): Promise<number> => {
    let handle = handles.get(pattern);
    if (!handle) {
      const { sql, declarations: own } = patterns.statement(pattern);
      handle = session.prepared(sql, own);
      handles.set(pattern, handle);
    }
    return handle;
  };
  await handleFor(patterns.withoutNulls);
  const none = Buffer.alloc(0);
  const encode = (batch: Batch): CallByNulls => ({
    pattern: patterns.of(batch),
    body: parameters(none, columns(batch), 1),
  });
  const whole = async ({ pattern, body }: CallByNulls): Promise<Buffer> =>
    Buffer.concat([executeHead(await handleFor(pattern)), body]);
  return {
    encode,
    run: async (call) => {
      const { head, call: complete } = calls;
      return calls.run(complete(head(await whole(call))));
    },
    async queryPlan(batch) {
      const call = encode(batch);
      const { sql, declarations: declared } = patterns.statement(call.pattern);
      return queryPlanOf(connection, rpc(await whole(call), sql, declared, literalOf(statements, batch), isRead));
    },
  };
}

/** The last batch of a trial may be smaller; its statement goes through sp_executesql. */
async function multiRowOperation(
  session: SessionContext,
  statements: Statements,
  rowsPerCall: number,
  isRead: boolean,
): Promise<Operation<Buffer>> {
  const { connection, collation } = session;
  const { types, sql } = statements;
  const place = placeholders(types.length);
  const handle = await session.prepared(sql(rowsPerCall, place), declarations(types, rowsPerCall));
  const calls = callsOf(session, rpcRequest);
  const columns = columnsOf(statements, collation);
  const heads = new Map([[rowsPerCall, calls.head(executeHead(handle))]]);
  const encode = (batch: Batch): Buffer => {
    const { rows } = batch;
    const head = heads.get(rows) ?? calls.head(executeSqlHead(sql(rows, place), declarations(types, rows), collation));
    heads.set(rows, head);
    return calls.call(parameters(head, columns(batch), rows));
  };
  return {
    encode,
    ...sentBy(calls),
    queryPlan(batch) {
      const { rows } = batch;
      const text = sql(rows, place);
      const declared = declarations(types, rows);
      const body = calls.bodyOf(encode(batch));
      return queryPlanOf(connection, rpc(body, text, declared, literalOf(statements, batch), isRead));
    },
  };
}

function tableOperation(session: SessionContext, statements: Statements, isRead: boolean): Operation<Buffer> {
  const { connection, collation, server } = session;
  const { tableForm } = statements;
  if (tableForm === null) throw new DynoError('internal', 'There is no form with a table-valued parameter.');
  const calls = callsOf(session, rpcRequest);
  const types = statements.types.map((one) => rowType(one, server));
  const columns = columnsOf({ ...statements, types }, collation);
  const type = tableSql({ name: tableForm.typeName });
  const declared = `@P0 ${type} READONLY`;
  const head = calls.head(executeSqlHead(tableForm.sql, declared, collation));
  const encode = (batch: Batch) =>
    calls.call(tableParameter(head, schemaName, tableForm.typeName, columns(batch), batch.rows));
  return {
    encode,
    ...sentBy(calls),
    // A table has no literal, so the statement is compiled with an empty variable.
    queryPlan: (batch) =>
      queryPlanOf(
        connection,
        rpc(
          calls.bodyOf(encode(batch)),
          tableForm.sql,
          declared,
          () => `DECLARE @P0 ${type}; ${tableForm.sql}`,
          isRead,
        ),
      ),
  };
}
