import type pg from 'pg';
import { type LoadArguments, sendBatches } from '../../shared/send-batches.ts';
import { copyIn } from '../statements/operations.ts';

/**
 * Binary COPY, all batches in one transaction: what is there afterwards is all or nothing. The next batch is made while
 * the server works on the one before.
 */
export async function load(client: pg.Client, ...[table, batches, onRows, signal]: LoadArguments): Promise<void> {
  await client.query('BEGIN');
  try {
    await sendBatches(copyIn(client, table, 'binary'), batches, onRows, signal);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
