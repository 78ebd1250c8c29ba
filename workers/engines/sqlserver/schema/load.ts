import type { Connection } from 'tedious';
import { type LoadArguments, sendBatches } from '../../shared/send-batches.ts';
import { collationOf } from '../connection/collation.ts';
import type { Server } from '../connection/server.ts';
import { bulkInsert } from '../statements/bulk.ts';
import { begin, commit, rollback } from '../wire/request.ts';

/**
 * Loads by bulk load under a table lock, with all batches in one transaction: all rows are stored, or none. The next
 * batch is made while the server works on the current one.
 */
export async function load(
  connection: Connection,
  server: Server,
  ...[table, batches, onRows, signal]: LoadArguments
): Promise<void> {
  const bulk = bulkInsert(
    connection,
    table,
    { checkConstraints: true, tableLock: true, batchHint: true, server },
    collationOf(connection),
  );
  await begin(connection);
  try {
    await sendBatches(bulk, batches, onRows, signal);
    await commit(connection);
  } catch (error) {
    await rollback(connection).catch(() => {});
    throw error;
  }
}
