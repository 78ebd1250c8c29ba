import type { EncodedRows, NullTypes, Statement, Value } from '#drda/index.ts';
import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import type { QueryPlan } from '#engine-api/query-plan.ts';
import { convertsNull } from '#engine-api/support/converts-null.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import type { NullBinding } from '#model/settings/vocabulary.ts';
import { readValue } from '../../shared/read-value.ts';
import { needTransactions, type SessionState } from '../connection/session-state.ts';
import { descriptor } from '../descriptor.ts';
import type { Dialect } from '../dialect.ts';
import { literal as literalOf, rowsOf } from '../values/values.ts';
import { type Blocks, blocksOf } from './blocks.ts';
import { type Encoded, type Execute, immediate, preparedAgain, preparedAnew, reader, writer } from './calls.ts';
import { literalSql, parametersOf } from './parameters.ts';
import { pipelinedReads } from './pipelined-reads.ts';
import { queryPlanOf } from './query-plan.ts';
import { marker, type Statements, statementsOf } from './statements.ts';

export async function prepareOperation(state: SessionState, plan: OperationPlan): Promise<Operation> {
  const { table, operation, method, settings } = plan;
  supportOf(descriptor, operation, method);
  // It is done here, because the first begin() is within the clock.
  if (settings.callsPerCommit > 1) await needTransactions(state);
  const statements = statementsOf(table, operation, settings);
  const isRead = operation === 'readByKey' || operation === 'readRange' || operation === 'scan';
  const execute = isRead ? reader(state, blocksOf(plan)) : writer(state);
  const { sql } = statements;
  const prepare = (rows: number) => state.connection.prepare(sql(rows, marker));
  const nullTypes = nullTypesOf(statements.types, settings.nullBinding);
  const encode = (statement: Statement, batch: Batch) =>
    encodeRows(statement, batch, statements, state.dialect, nullTypes);
  // The text is prepared anew; the server has its plan in its statement cache.
  const queryPlan = (batch: Batch): Promise<QueryPlan> => {
    const literal = () => literalSql(batch, statements, state.dialect);
    if (method === 'literal') return queryPlanOf(state, { text: literal(), values: [], literal, isRead });
    const rows = parametersOf(batch, statements, state.dialect);
    const isOfAll = method === 'multiRow';
    return queryPlanOf(state, {
      text: sql(isOfAll ? batch.rows : 1, marker),
      values: isOfAll ? rows.flat() : (rows[0] ?? []),
      literal: isOfAll ? () => sqlOfAll(batch) : literal,
      isRead,
    });
  };
  const sqlOfAll = (batch: Batch): string => {
    const rows = rowsOf(batch, statements.types, state.dialect);
    return sql(batch.rows, (row, column) => literalOf(rows[row]![column]!, statements.types[column]!));
  };

  switch (method) {
    case 'literal':
      return {
        encode: (batch) => literalSql(batch, statements, state.dialect),
        run: isRead ? preparedAnew(state, execute) : immediate(state),
        queryPlan,
      } satisfies Operation<string>;
    case 'bind': {
      const statement = await prepare(1);
      return {
        encode: (batch) => encode(statement, batch),
        run: preparedAgain(state, statement, execute),
        queryPlan,
      } satisfies Operation<Encoded>;
    }
    case 'multiRow':
      return {
        ...(await severalRows(prepare, execute, settings.rowsPerCall, nullTypes, (batch) => [
          parametersOf(batch, statements, state.dialect).flat(),
        ])),
        queryPlan,
      };
    default: {
      // prepared, pipelined and arrayBind
      if (method === 'pipelined' && isRead)
        return { ...(await pipelinedReads(() => prepare(1), execute, encode, settings.pipelineDepth)), queryPlan };
      const statement = await prepare(1);
      return {
        encode: (batch) => encode(statement, batch),
        run: (rows) => execute(statement, rows),
        queryPlan,
        ...(operation === 'scan' && { blocks: () => blocksRead(statement, blocksOf(plan), table) }),
      } satisfies Operation<Encoded>;
    }
  }
}

const nullTypes = { asDecimal: 'decimal', asFloat: 'double', asText: 'varchar' } as const;

/** The other type for the nulls of columns to which the server converts it. */
function nullTypesOf(types: readonly ColumnType[], nulls: NullBinding): NullTypes {
  const form = nulls === 'asColumn' ? undefined : descriptor.nullBindings![nulls];
  if (nulls === 'asColumn' || nulls === 'untyped' || !form) return [];
  return types.map((type) => (convertsNull(form, type) ? nullTypes[nulls] : null));
}

/** The statement stays open until its last row, or the session's end. */
async function* blocksRead(statement: Statement, { blockBytes }: Blocks, { columns }: TablePlan) {
  const cursor = await statement.open(null, { blockBytes });
  for (let block = await cursor.fetch(); block !== null; block = await cursor.fetch())
    yield block.map((row) => row.map((value, c) => readValue(value, columns[c]!.type)));
  await cursor.close();
}

const encodeRows = (
  statement: Statement,
  batch: Batch,
  statements: Statements,
  dialect: Dialect,
  nullTypes: NullTypes,
): Encoded =>
  statements.types.length === 0 ? null : statement.encode(parametersOf(batch, statements, dialect), nullTypes);

interface SeveralRows {
  readonly batchRows: number;
  readonly encoded: EncodedRows | null;
  readonly values: readonly (readonly Value[])[];
}

/** The last batch of a trial may be smaller. Its statement is prepared and encoded with its first call. */
async function severalRows(
  prepare: (rows: number) => Promise<Statement>,
  execute: Execute,
  rowsPerCall: number,
  nullTypes: NullTypes,
  parameters: (batch: Batch) => readonly (readonly Value[])[],
): Promise<Operation<SeveralRows>> {
  const full = await prepare(rowsPerCall);
  const encode = (statement: Statement, values: readonly (readonly Value[])[]) =>
    statement.encode(
      values,
      values[0]!.map((_, at) => nullTypes[at % nullTypes.length] ?? null),
    );
  const smaller = new Map<number, Statement>();
  return {
    encode(batch) {
      const values = parameters(batch);
      const known = batch.rows === rowsPerCall ? full : smaller.get(batch.rows);
      return { batchRows: batch.rows, encoded: known ? encode(known, values) : null, values: known ? [] : values };
    },
    async run({ batchRows, encoded, values }) {
      const statement = batchRows === rowsPerCall ? full : (smaller.get(batchRows) ?? (await prepare(batchRows)));
      if (statement !== full) smaller.set(batchRows, statement);
      return execute(statement, encoded ?? encode(statement, values));
    },
  };
}
