import type { Operation } from '#engine-api/operation.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { type LoadArguments, sendBatches } from '../../shared/send-batches.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { localFilesAllowed, prepareLoad } from '../statements/bulk.ts';
import { parameterised, statementsOf } from '../statements/statements.ts';
import { flatRows, type ParameterValue } from '../values/values.ts';

/**
 * Loads by LOAD DATA LOCAL, with all batches in one transaction: all rows are stored, or none. The next batch is made
 * while the server works on the current one. A server that refuses LOAD DATA LOCAL gets INSERTs of many rows.
 */
export async function load(
  connection: MysqlConnection,
  database: string,
  ...[table, batches, onRows, signal]: LoadArguments
): Promise<void> {
  const fill = (await localFilesAllowed(connection))
    ? await prepareLoad(connection, database, table)
    : insertMany(connection, database, table);
  await connection.query('START TRANSACTION');
  try {
    await sendBatches(fill, batches, onRows, signal);
    await connection.query('COMMIT');
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** A statement of this many rows stays below the smallest max_allowed_packet and the limit of placeholders. */
const rowsPerInsert = 500;

function insertMany(
  connection: MysqlConnection,
  database: string,
  table: TablePlan,
): Pick<Operation<ParameterValue[]>, 'encode' | 'run'> {
  const statements = statementsOf(database, table, 'insert', { rangeRows: 0 });
  const width = statements.types.length;
  const most = Math.min(rowsPerInsert, Math.floor(65_535 / width));
  const full = connection.prepare(parameterised(statements, most).text);
  full.catch(() => {}); // awaited where it is used
  return {
    encode: (batch) => flatRows(batch, statements.types),
    async run(values) {
      let rows = 0;
      for (let at = 0; at < values.length; at += most * width) {
        const some = values.slice(at, at + most * width);
        const count = some.length / width;
        rows +=
          count === most
            ? (await (await full).answer(some)).affectedRows
            : await connection.runOnce(parameterised(statements, count).text, some);
      }
      return rows;
    },
  };
}
