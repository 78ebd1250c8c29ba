import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '#engine-api/session.ts';

/** A session of one level, which reads and deletes the rows 0 and 1 of a table. */
export interface Actor {
  readonly session: Session;
  /** Returns how many of these rows the session finds. */
  read(...rows: readonly number[]): Promise<number>;
  remove(row: number): Promise<number>;
}

/**
 * The ms that a check waits for a call. If readers and writers block each other by locks, one of them has to go on
 * first.
 */
const aWhile = 300;
const orAWhile = (work: Promise<unknown>): Promise<unknown> => Promise.race([work.catch(() => {}), sleep(aWhile)]);

/**
 * True if the reader sees rows that the writer has deleted and not committed. A reader that waits for a lock does not.
 */
export async function seesUncommitted(reader: Actor, writer: Actor): Promise<boolean> {
  await writer.session.begin();
  await writer.remove(0);
  const reading = reader.read(0);
  await orAWhile(reading);
  await writer.session.rollback();
  return (await reading) === 0;
}

/**
 * True if a row that a transaction has read is gone for it after another session has deleted it. `waits`: true to wait
 * until the deletion is committed; otherwise the deletion itself may wait for the transaction's end, or be refused.
 */
export async function rereadsOtherwise(reader: Actor, writer: Actor, waits: boolean): Promise<boolean> {
  await reader.session.begin();
  const before = await reader.read(0);
  const deleting = writer.remove(0);
  await (waits ? deleting : orAWhile(deleting));
  const after = await reader.read(0);
  await reader.session.rollback();
  await deleting.catch(() => {});
  return before === 1 && after === 0;
}

/**
 * True if two transactions that have both read two rows and deleted one each can both commit, which no serial order
 * allows. `waits`: true if each waits until both have read; otherwise one may have to wait for the other's end.
 */
export async function skewsWrites(actors: readonly [Actor, Actor], waits: boolean): Promise<boolean> {
  const bothRead = Promise.withResolvers<void>();
  let readers = 0;
  const transaction = async ({ session, read, remove }: Actor, own: number): Promise<boolean> => {
    try {
      await session.begin();
      const found = await read(0, 1);
      if (++readers === 2) bothRead.resolve();
      await (waits ? bothRead.promise : orAWhile(bothRead.promise));
      await remove(own);
      await session.commit();
      return found === 2;
    } catch {
      await session.rollback();
      return false;
    }
  };
  const outcomes = await Promise.all(actors.map(transaction));
  return outcomes.every((outcome) => outcome);
}
