import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { LoadArguments } from '../shared/send-batches.ts';
import { quote } from './tables.ts';
import { flatRows } from './values.ts';

/**
 * The least rows of a commit: a commit for each batch would measure the disk, and a single one would let the WAL grow
 * without end.
 */
const rowsPerLoadCommit = 100_000;

export async function load(control: DatabaseSync, ...[table, batches, onRows, signal]: LoadArguments): Promise<void> {
  const types = table.columns.map((column) => column.type);
  const insert = control.prepare(`INSERT INTO ${quote(table.name)} VALUES (${types.map(() => '?').join(', ')})`);
  let rows = 0;
  let pending = 0;
  control.exec('BEGIN IMMEDIATE');
  try {
    for (const batch of batches) {
      signal.throwIfAborted();
      const values = flatRows(batch, types);
      for (let at = 0; at < values.length; at += types.length) insert.run(...values.slice(at, at + types.length));
      rows += batch.rows;
      pending += batch.rows;
      if (pending >= rowsPerLoadCommit) {
        control.exec('COMMIT');
        control.exec('BEGIN IMMEDIATE');
        pending = 0;
      }
      onRows(rows);
      await setImmediate(); // inserts are synchronous, so without this wait no abort could arrive
    }
    control.exec('COMMIT');
  } catch (error) {
    if (control.isTransaction) control.exec('ROLLBACK');
    throw error;
  }
}
