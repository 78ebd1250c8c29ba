import type { DrdaConnection, EncodedRows } from '#drda/index.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { type LoadArguments, sendBatches } from '../../shared/send-batches.ts';
import { one, run } from '../connection/query.ts';
import { setIsolation } from '../connection/session-state.ts';
import type { Dialect } from '../dialect.ts';
import { tableSql } from '../names.ts';
import { parametersOf } from '../statements/parameters.ts';
import { marker, statementsOf } from '../statements/statements.ts';

/**
 * Loads by chained INSERTs; the next batch is made while the server works on the current one. All rows are stored, or
 * none: they go in one transaction, under one lock of the table. If the server would keep a transaction in memory row
 * by row and the table was empty, there is no transaction, and a failure empties the table.
 */
export async function load(
  connection: DrdaConnection,
  dialect: Dialect,
  ...[table, batches, onRows, signal]: LoadArguments
): Promise<void> {
  const insertAll = async () => {
    const statements = statementsOf(table, 'insert', defaultSettings);
    const statement = await connection.prepare(statements.sql(1, marker));
    try {
      const insert = {
        encode: (batch: Batch) => statement.encode(parametersOf(batch, statements, dialect)),
        run: (rows: EncodedRows) => statement.execute(rows),
      };
      await sendBatches(insert, batches, onRows, signal);
    } finally {
      await statement.close();
    }
  };
  const session = { connection, current: dialect.defaultIsolation };
  if (dialect.loadsInTransaction || (await hasRows(connection, table))) {
    if (session.current === 'NONE') await setIsolation(session, 'CS');
    try {
      await connection.execute(`LOCK TABLE ${tableSql(table)} IN EXCLUSIVE MODE`);
      await insertAll();
      await connection.commit();
    } catch (error) {
      if (connection.isAlive) await connection.rollback().catch(() => {});
      throw error;
    } finally {
      if (connection.isAlive) await setIsolation(session, dialect.defaultIsolation);
    }
    return;
  }
  try {
    await insertAll();
    await connection.commit();
  } catch (error) {
    if (connection.isAlive) await run(connection, `DELETE FROM ${tableSql(table)}`).catch(() => {});
    throw error;
  }
}

const hasRows = async (connection: DrdaConnection, table: TablePlan): Promise<boolean> =>
  (await one(connection, `SELECT 1 FROM ${tableSql(table)} FETCH FIRST 1 ROWS ONLY`)) !== null;
