import type { Database } from '#engine-api/database.ts';
import type { Operation } from '#engine-api/operation.ts';
import type { StopSignal } from '#engine-api/stop-signal.ts';
import type { Batch } from '#model/batch/batch.ts';

/** The arguments of Database.load(). */
export type LoadArguments = Parameters<Database['load']>;

/**
 * Sends all batches of a load, one call after the other; the next one is encoded while the server works on the current
 * one. No call is in flight when it resolves or throws, so that the sent rows can be committed or taken back.
 */
export async function sendBatches(
  operation: Pick<Operation, 'encode' | 'run'>,
  batches: Iterable<Batch>,
  onRows: (rows: number) => void,
  signal: StopSignal,
): Promise<void> {
  let rows = 0;
  let running: Promise<unknown> = Promise.resolve();
  try {
    for (const batch of batches) {
      const call = operation.encode(batch);
      await running;
      signal.throwIfAborted();
      running = Promise.resolve(operation.run(call)).then((stored) => {
        rows += stored;
        onRows(rows);
      });
      running.catch(() => {}); // awaited in the next turn of the loop
    }
    await running;
  } catch (error) {
    await running.catch(() => {});
    throw error;
  }
}
