import type oracledb from 'oracledb';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { toError } from '../errors.ts';
import { dictionaryName } from './names.ts';

export const statisticsSql = (table: TablePlan): string =>
  `BEGIN DBMS_STATS.GATHER_TABLE_STATS(ownname => USER, tabname => '${dictionaryName(table.name)}', cascade => TRUE); END;`;
export const checkpointSql = 'ALTER SYSTEM CHECKPOINT';

export async function settle(connection: oracledb.Connection, table: TablePlan): Promise<void> {
  await connection.execute(statisticsSql(table));
  try {
    await connection.execute(checkpointSql);
  } catch (error) {
    // The fingerprint lists it as unavailable.
    if (toError(error).kind !== 'permission') throw error;
  }
}
