import type { Operation } from '#engine-api/operation.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { counted, type SessionState } from '../connection/session-state.ts';
import { dictionaryName } from '../names.ts';
import { createBinder, type ParameterValue } from '../values/values.ts';

/**
 * Direct path load writes rows as blocks, without SQL. It locks the table, starts and ends a transaction of its own,
 * and checks the key only when it brings the index up to date at the end: duplicates leave the index unusable
 * (Utilities, "Direct Path Loads").
 */
export function prepareBulk(state: SessionState, table: TablePlan): Operation<ParameterValue[][]> {
  const { connection, dialect } = state;
  if (!state.thin) throw new DynoError('unsupported', 'The driver has direct path loads in Thin mode only.');
  if (dialect.emulator !== null)
    throw new DynoError('unsupported', `The emulator (${dialect.emulator}) has no direct path load; Oracle has.`);
  const binder = createBinder(
    table.columns.map(({ type }) => type),
    dialect,
  );
  const name = dictionaryName(table.name);
  const columns = table.columns.map((column) => dictionaryName(column.name));
  const order = columns.map((_, c) => c);
  return {
    encode: (batch) => binder.rows(batch, order),
    run: (data) =>
      counted(state, async () => {
        await connection.directPathLoad(dialect.owner, name, columns, data);
        return data.length;
      }),
  };
}
