import type oracledb from 'oracledb';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { unlessDenied } from '../../shared/error-table.ts';
import { toError } from '../errors.ts';
import { dictionaryName } from '../names.ts';

export const statisticsSql = (table: TablePlan): string =>
  `BEGIN DBMS_STATS.GATHER_TABLE_STATS(ownname => USER, tabname => '${dictionaryName(table.name)}', cascade => TRUE); END;`;
export const checkpointSql = 'ALTER SYSTEM CHECKPOINT';

export async function settle(connection: oracledb.Connection, table: TablePlan): Promise<void> {
  await connection.execute(statisticsSql(table));
  await unlessDenied(toError, () => connection.execute(checkpointSql));
}
