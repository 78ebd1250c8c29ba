import type pg from 'pg';
import { type LoadArguments, sendBatches } from '../../shared/send-batches.ts';
import { copyIn } from '../statements/operations.ts';

/**
 * Loads by binary COPY, with all batches in one transaction: all rows are stored, or none. The next batch is made while
 * the server works on the current one.
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
