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
      return literalOperation(connection, statements, isRead);
    case 'arrayBind':
      return tableOperation(session, statements, isRead);
    case 'multiRow':
      return multiRowOperation(session, statements, settings.rowsPerCall, isRead);
    case 'bind':
      return bindOperation(session, statements, settings.nullBinding, isRead);
    default: {
      // A statement without values has no nulls to declare.
      if (settings.nullBinding !== 'asColumn' && statements.types.length > 0)
        return preparedByNulls(session, statements, settings.nullBinding, isRead);
      const prepared = await preparedOperation(session, statements, isRead);
      if (operation !== 'scan') return prepared;
      const call = prepared.encode({ rows: 0, columns: [] });
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

const sender = (connection: Connection, type: number) => (call: Buffer) => send(connection, type, call);

function literalOperation(connection: Connection, statements: Statements, isRead: boolean): Operation<Buffer> {
  const encode = (batch: Batch) => batchBody(literalSql(statements, batch));
  return {
    encode,
    run: sender(connection, sqlBatch),
    queryPlan(batch) {
      const literal = () => literalSql(statements, batch);
      return queryPlanOf(connection, { type: sqlBatch, body: encode(batch), cachedAs: literal(), literal, isRead });
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

/** The sent columns of a batch as parameters, with nulls in their declared types. */
const columnsOf = (
  batch: Batch,
  { sent, types }: Statements,
  collation: Collation,
  nulls: NullBinding = 'asColumn',
): readonly ParameterColumn[] =>
  sent.map((c, i) => {
    const type = types[i]!;
    const wire = wireType(type, collation);
    return { column: batch.columns[c]!, type, wire, nullWire: nullWireOf(type, wire, nulls, collation) };
  });

function bindOperation(
  { connection, collation }: SessionContext,
  statements: Statements,
  nulls: NullBinding,
  isRead: boolean,
): Operation<Buffer> {
  const patterns = patternsOf(statements, nulls);
  const heads = new Map<string, Buffer>();
  const encode = (batch: Batch): Buffer => {
    const pattern = patterns.of(batch);
    let head = heads.get(pattern);
    if (!head) {
      const { sql, declarations: declared } = patterns.statement(pattern);
      head = executeSqlHead(sql, declared, collation);
      heads.set(pattern, head);
    }
    return parameters(head, columnsOf(batch, statements, collation, nulls), 1);
  };
  return {
    encode,
    run: sender(connection, rpcRequest),
    queryPlan(batch) {
      const { sql, declarations: declared } = patterns.statement(patterns.of(batch));
      return queryPlanOf(connection, rpc(encode(batch), sql, declared, literalOf(statements, batch), isRead));
    },
  };
}

async function preparedOperation(
  session: SessionContext,
  statements: Statements,
  isRead: boolean,
): Promise<Operation<Buffer>> {
  const { connection, collation } = session;
  const sql = statements.sql(1, placeholders(statements.types.length));
  const declared = declarations(statements.types, 1);
  const head = executeHead(await session.prepared(sql, declared));
  const encode = (batch: Batch) => parameters(head, columnsOf(batch, statements, collation), 1);
  return {
    encode,
    run: sender(connection, rpcRequest),
    queryPlan: (batch) =>
      queryPlanOf(connection, rpc(encode(batch), sql, declared, literalOf(statements, batch), isRead)),
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
    body: parameters(none, columnsOf(batch, statements, collation, nulls), 1),
  });
  const whole = async ({ pattern, body }: CallByNulls): Promise<Buffer> =>
    Buffer.concat([executeHead(await handleFor(pattern)), body]);
  return {
    encode,
    run: async (call) => send(connection, rpcRequest, await whole(call)),
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
  const heads = new Map([[rowsPerCall, executeHead(handle)]]);
  const encode = (batch: Batch): Buffer => {
    const { rows } = batch;
    const head = heads.get(rows) ?? executeSqlHead(sql(rows, place), declarations(types, rows), collation);
    heads.set(rows, head);
    return parameters(head, columnsOf(batch, statements, collation), rows);
  };
  return {
    encode,
    run: sender(connection, rpcRequest),
    queryPlan(batch) {
      const { rows } = batch;
      const text = sql(rows, place);
      const declared = declarations(types, rows);
      return queryPlanOf(connection, rpc(encode(batch), text, declared, literalOf(statements, batch), isRead));
    },
  };
}

function tableOperation(
  { connection, collation, server }: SessionContext,
  statements: Statements,
  isRead: boolean,
): Operation<Buffer> {
  const { tableForm } = statements;
  if (tableForm === null) throw new DynoError('internal', 'There is no form with a table-valued parameter.');
  const rows = { ...statements, types: statements.types.map((type) => rowType(type, server)) };
  const type = tableSql({ name: tableForm.typeName });
  const declared = `@P0 ${type} READONLY`;
  const head = executeSqlHead(tableForm.sql, declared, collation);
  const encode = (batch: Batch) =>
    tableParameter(head, schemaName, tableForm.typeName, columnsOf(batch, rows, collation), batch.rows);
  return {
    encode,
    run: sender(connection, rpcRequest),
    // A table has no literal, so the statement is compiled with an empty variable.
    queryPlan: (batch) =>
      queryPlanOf(
        connection,
        rpc(encode(batch), tableForm.sql, declared, () => `DECLARE @P0 ${type}; ${tableForm.sql}`, isRead),
      ),
  };
}
