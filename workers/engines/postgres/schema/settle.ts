import type pg from 'pg';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { toError } from '../errors.ts';
import { tableSql } from './names.ts';

export async function settle(client: pg.Client, table: TablePlan): Promise<void> {
  await client.query(`VACUUM (ANALYZE) ${tableSql(table)}`);
  try {
    await client.query('CHECKPOINT');
  } catch (error) {
    // The fingerprint lists it as unavailable.
    if (toError(error).kind !== 'permission') throw error;
  }
}
