import type oracledb from 'oracledb';
import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { ColumnType } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { keyOf } from '../../shared/sql/statements.ts';
import { counted, type SessionState } from '../connection/session-state.ts';
import { columnListSql, quote, tableSql } from '../names.ts';
import { toValues } from '../values/values.ts';
import { executeOptions } from './fetching.ts';
import { queryPlanOf } from './query-plan.ts';

/** Collection types of every database that every user may use: VARRAY(32767). */
function collectionOf(type: ColumnType): string {
  switch (type.kind) {
    case 'bigint':
    case 'decimal':
      return 'SYS.ODCINUMBERLIST';
    case 'text':
      return 'SYS.ODCIVARCHAR2LIST';
    case 'uuid':
    case 'bytes':
      return 'SYS.ODCIRAWLIST';
    default:
      throw new DynoError('unsupported', `No collection type for keys of the type ${type.kind}.`);
  }
}

export function collectionReadSql({ table }: Pick<OperationPlan, 'table'>): string {
  const key = quote(keyOf(table, 'readByKey').name);
  return `SELECT ${columnListSql(table)} FROM ${tableSql(table)} WHERE ${key} IN (SELECT column_value FROM TABLE(:1))`;
}

/** Prepares a read with all keys in one bind, whose type is looked up here, once. */
export async function prepareCollectionRead(
  state: SessionState,
  plan: OperationPlan,
): Promise<Operation<oracledb.BindParameter[]>> {
  const { connection, dialect } = state;
  const { type } = keyOf(plan.table, plan.operation);
  const Keys = await connection.getDbObjectClass(collectionOf(type));
  const text = collectionReadSql(plan);
  const options = executeOptions(plan);
  // The driver's types do not accept a class as the type of a bind.
  const encode = (batch: Batch): oracledb.BindParameter[] => [
    { type: Keys as never, val: new Keys(toValues(batch.columns[0]!, type, batch.rows, dialect) as never) },
  ];
  return {
    encode,
    queryPlan: (batch) =>
      // EXPLAIN PLAN takes the text without the values of binds.
      queryPlanOf(state, { text, binds: encode(batch), literal: () => text, isRead: true }),
    run: (binds) =>
      counted(state, async () => {
        return (await connection.execute(text, binds, options)).rows?.length ?? 0;
      }),
  };
}
