import oracledb from 'oracledb';
import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { readValue } from '../../shared/read-value.ts';
import type { Place } from '../../shared/sql/statements.ts';
import { isSince23 } from '../connection/dialect.ts';
import { counted, type SessionState } from '../connection/session-state.ts';
import { descriptor } from '../descriptor.ts';
import { createBinder, refuseLongLiterals } from '../values/values.ts';
import { prepareArrayDml } from './array-dml.ts';
import { prepareBulk } from './bulk.ts';
import { prepareCollectionRead } from './collection-read.ts';
import { executeOptions, fetchLobsAsValues, isRead } from './fetching.ts';
import { preparePipelined } from './pipelined.ts';
import { type Planned, queryPlanOf } from './query-plan.ts';
import { prepareServerLoop } from './server-loop.ts';
import { positional, type Statements, statementsOf } from './statements.ts';

/** The arguments of connection.execute(), made in encode(), so that run() only hands them over. */
interface ExecuteCall {
  readonly text: string;
  readonly binds: oracledb.BindParameter[];
}

export async function prepareOperation(state: SessionState, plan: OperationPlan): Promise<Operation> {
  const { table, operation, method } = plan;
  supportOf(descriptor, operation, method);
  if (method === 'serverLoop') return prepareServerLoop(state, plan);
  if (method === 'bulk') return prepareBulk(state, table);
  if (operation === 'scan' && plan.settings.sortMemoryKb > 0) await setSortMemory(state, plan.settings.sortMemoryKb);
  const statements = statementsOf(table, operation, plan.settings, insertForm(state, plan));
  if (method === 'arrayBind' && operation === 'readByKey') return prepareCollectionRead(state, plan);
  const operate =
    method === 'arrayBind'
      ? prepareArrayDml(state, statements)
      : method === 'pipelined'
        ? preparePipelined(state, plan, statements)
        : prepareExecute(state, plan, statements);
  return { ...operate, queryPlan: (batch) => queryPlanOf(state, plannedCall(state, plan, statements, batch)) };
}

/** The statement of a call with its values; of a call with several statements, the first. */
function plannedCall(
  { dialect }: SessionState,
  { operation, method, settings }: OperationPlan,
  { types, order, one, many }: Statements,
  batch: Batch,
): Planned {
  const binder = createBinder(types, dialect, settings.nullBinding);
  const literals = binder.literals(batch);
  const place: Place = (row, column) => literals[row * types.length + column]!;
  const isOfAll = method === 'multiRow' && many !== null;
  const literal = () => (isOfAll ? many(batch.rows, place) : one(place));
  const read = isRead(operation);
  if (method === 'literal') return { text: literal(), binds: [], literal, isRead: read };
  const binds = binder.flat(batch, order);
  return {
    text: isOfAll ? many(batch.rows, positional()) : one(positional()),
    binds: isOfAll ? binds : binds.slice(0, order.length),
    literal,
    isRead: read,
  };
}

/** SORT_AREA_SIZE counts only if the server does not size work areas itself (Database Reference). */
async function setSortMemory({ connection }: SessionState, kb: number): Promise<void> {
  await connection.execute('ALTER SESSION SET workarea_size_policy = MANUAL');
  await connection.execute(`ALTER SESSION SET sort_area_size = ${kb * 1_024}`);
}

/** VALUES lists exist from 23ai on. */
function insertForm({ dialect }: SessionState, { table, operation, method }: OperationPlan): 'values' | 'insertAll' {
  const wished = table.options.multiRow ?? 'auto';
  if (wished === 'values' && !isSince23(dialect) && operation === 'insert' && method === 'multiRow')
    throw new DynoError('unsupported', `Version ${dialect.version} has no VALUES lists; 23ai has.`, {
      hint: 'Use oracle.multiRow: insertAll (or auto).',
    });
  return wished === 'insertAll' || !isSince23(dialect) ? 'insertAll' : 'values';
}

/** The most columns that all INTO clauses of an INSERT ALL may name together (ORA-24335). */
const longestInsertAll = 999;

function prepareExecute(state: SessionState, plan: OperationPlan, statements: Statements): Operation<ExecuteCall> {
  const { operation, method, settings } = plan;
  const { types, order, one, many } = statements;
  const binder = createBinder(types, state.dialect, settings.nullBinding);
  const options = executeOptions(plan);
  const run = operation === 'scan' ? runScan(state, options) : runExecute(state, options, isRead(operation));
  if (method === 'literal') {
    refuseLongLiterals(types);
    return {
      encode(batch) {
        const literals = binder.literals(batch);
        return { text: one((row, column) => literals[row * types.length + column]!), binds: [] };
      },
      run,
    };
  }
  if (method === 'multiRow') {
    if (many === null) throw new DynoError('internal', `${operation} has no form for several rows.`);
    // The last batch of a trial may be smaller; it has a statement of its own.
    const texts = new Map<number, string>();
    const textOf = (rows: number): string => {
      const known = texts.get(rows);
      if (known !== undefined) return known;
      const text = many(rows, positional());
      if (text.startsWith('INSERT ALL') && rows * types.length > longestInsertAll)
        throw new DynoError(
          'limit',
          `INSERT ALL takes ${longestInsertAll} values, and these are ${rows * types.length}.`,
          {
            hint: `Lower rowsPerCall to ${Math.floor(longestInsertAll / types.length)} at most.`,
          },
        );
      texts.set(rows, text);
      return text;
    };
    textOf(settings.rowsPerCall);
    return {
      encode: (batch) => ({ text: textOf(batch.rows), binds: binder.flat(batch, order) }),
      run,
    };
  }
  const text = one(positional());
  return {
    encode: (batch) => ({ text, binds: binder.flat(batch, order) }),
    run,
    ...(operation === 'scan' && { blocks: () => blocksOf(state, text, plan.table, options) }),
  };
}

function runExecute(state: SessionState, options: oracledb.ExecuteOptions, read: boolean) {
  const { connection } = state;
  if (read)
    return ({ text, binds }: ExecuteCall) =>
      counted(state, async () => (await connection.execute(text, binds, options)).rows?.length ?? 0);
  const alone = { ...options, autoCommit: true };
  return ({ text, binds }: ExecuteCall) =>
    counted(
      state,
      async () => (await connection.execute(text, binds, state.inTransaction ? options : alone)).rowsAffected ?? 0,
    );
}

/** Numbers are sent as text, which is exact. */
const fetchExact = (metadata: { readonly dbType?: unknown }) =>
  metadata.dbType === oracledb.DB_TYPE_NUMBER ? { type: oracledb.STRING } : fetchLobsAsValues(metadata);

async function* blocksOf(
  { connection }: SessionState,
  text: string,
  { columns }: TablePlan,
  options: oracledb.ExecuteOptions,
) {
  const fetching = { ...options, resultSet: true, fetchTypeHandler: fetchExact };
  const { resultSet } = await connection.execute(text, [], fetching);
  if (!resultSet) throw new DynoError('internal', 'The driver answered a SELECT without a result set.');
  const size = options.fetchArraySize ?? 100;
  for (;;) {
    const rows = (await resultSet.getRows(size)) as readonly (readonly unknown[])[];
    yield rows.map((row) => row.map((value, c) => readValue(value, columns[c]!.type)));
    if (rows.length < size) break;
  }
  await resultSet.close();
}

/** Rows are received and decoded, and not kept, because a table need not fit into the client's memory. */
function runScan(state: SessionState, options: oracledb.ExecuteOptions) {
  const { connection } = state;
  const streaming = { ...options, resultSet: true };
  const size = options.fetchArraySize ?? 100;
  return ({ text, binds }: ExecuteCall) =>
    counted(state, async () => {
      const { resultSet } = await connection.execute(text, binds, streaming);
      if (!resultSet) throw new DynoError('internal', 'The driver answered a SELECT without a result set.');
      let rows = 0;
      try {
        for (;;) {
          const { length } = await resultSet.getRows(size);
          rows += length;
          if (length < size) return rows;
        }
      } finally {
        await resultSet.close();
      }
    });
}
