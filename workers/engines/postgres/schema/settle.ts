import type pg from 'pg';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { unlessDenied } from '../../shared/error-table.ts';
import { toError } from '../errors.ts';
import { tableSql } from '../names.ts';

export async function settle(client: pg.Client, table: TablePlan): Promise<void> {
  await client.query(`VACUUM (ANALYZE) ${tableSql(table)}`);
  await unlessDenied(toError, () => client.query('CHECKPOINT'));
}
