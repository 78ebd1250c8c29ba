import type { Connection } from 'tedious';
import { type LoadArguments, sendBatches } from '../../shared/send-batches.ts';
import { collationOf } from '../connection/collation.ts';
import type { Server } from '../connection/server.ts';
import { bulkInsert } from '../statements/bulk.ts';
import { begin, commit, rollback } from '../wire/request.ts';

/**
 * Bulk load under a table lock, all batches in one transaction: what is there afterwards is all or nothing. The next
 * batch is made while the server works on the one before.
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
