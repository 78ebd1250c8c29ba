import type { Batch } from '#contract/batch.ts';
import type { Operation, OperationPlan } from '#contract/engine.ts';
import { supportOf } from '#contract/support-of.ts';
import type { EncodedRows, Statement, Value } from '../../drda/index.ts';
import { blocksOf } from './blocks.ts';
import { type Encoded, type Execute, immediate, preparedAgain, preparedAnew, reader, writer } from './calls.ts';
import { descriptor } from './descriptor.ts';
import type { Dialect } from './dialect.ts';
import { literalSql, parametersOf } from './parameters.ts';
import { pipelinedReads } from './pipelined-reads.ts';
import { needTransactions, type SessionState } from './session-state.ts';
import { marker, type Statements, statementsOf } from './statements.ts';

export async function prepareOperation(state: SessionState, plan: OperationPlan): Promise<Operation> {
  const { table, operation, method, settings } = plan;
  supportOf(descriptor, operation, method);
  // Here rather than with the first begin(): that one is within the clock.
  if (settings.callsPerCommit > 1) await needTransactions(state);
  const statements = statementsOf(table, operation, settings);
  const isRead = operation === 'readByKey' || operation === 'readRange' || operation === 'scan';
  const execute = isRead ? reader(state, blocksOf(plan)) : writer(state);
  const { sql } = statements;
  const prepare = (rows: number) => state.connection.prepare(sql(rows, marker));
  const encode = (statement: Statement, batch: Batch) => encodeRows(statement, batch, statements, state.dialect);

  switch (method) {
    case 'literal':
      return {
        layout: null,
        encode: (batch) => literalSql(batch, statements, state.dialect),
        run: isRead ? preparedAnew(state, execute) : immediate(state),
      };
    case 'bind': {
      const statement = await prepare(1);
      return {
        layout: null,
        encode: (batch) => encode(statement, batch),
        run: preparedAgain(state, statement, execute),
      };
    }
    case 'multiRow':
      return severalRows(prepare, execute, settings.rowsPerCall, (batch) => [
        parametersOf(batch, statements, state.dialect).flat(),
      ]);
    default: {
      // prepared, pipelined and arrayBind
      if (method === 'pipelined' && isRead)
        return pipelinedReads(() => prepare(1), execute, encode, settings.pipelineDepth);
      const statement = await prepare(1);
      return {
        layout: null,
        encode: (batch) => encode(statement, batch),
        run: (call) => execute(statement, call as Encoded),
      };
    }
  }
}

const encodeRows = (statement: Statement, batch: Batch, statements: Statements, dialect: Dialect): Encoded =>
  statements.types.length === 0 ? null : statement.encode(parametersOf(batch, statements, dialect));

/** The last batch of a trial may be smaller: it has a statement of its own, prepared and encoded with its first call. */
async function severalRows(
  prepare: (rows: number) => Promise<Statement>,
  execute: Execute,
  rowsPerCall: number,
  parameters: (batch: Batch) => readonly (readonly Value[])[],
): Promise<Operation> {
  const full = await prepare(rowsPerCall);
  const smaller = new Map<number, Statement>();
  interface Call {
    readonly batchRows: number;
    readonly encoded: EncodedRows | null;
    readonly values: readonly (readonly Value[])[];
  }
  return {
    layout: null,
    encode(batch): Call {
      const values = parameters(batch);
      const known = batch.rows === rowsPerCall ? full : smaller.get(batch.rows);
      return { batchRows: batch.rows, encoded: known?.encode(values) ?? null, values: known ? [] : values };
    },
    async run(call) {
      const { batchRows, encoded, values } = call as Call;
      const statement = batchRows === rowsPerCall ? full : (smaller.get(batchRows) ?? (await prepare(batchRows)));
      if (statement !== full) smaller.set(batchRows, statement);
      return execute(statement, encoded ?? statement.encode(values));
    },
  };
}
