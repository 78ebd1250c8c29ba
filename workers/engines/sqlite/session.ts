import type { DatabaseSync } from 'node:sqlite';
import type { Session } from '#engine-api/session.ts';
import type { CustomStatement } from '#engine-api/statement.ts';
import { readOnlyOperations } from '#model/settings/vocabulary.ts';
import { withTextUuids } from '../shared/text-uuids.ts';
import { prepareCustomStatement } from './custom-statement.ts';
import { statementLanguage } from './descriptor.ts';
import { prepareOperation } from './operations.ts';
import { pragma } from './tables.ts';
import type { WriteLock } from './write-lock.ts';

/**
 * Every session is a connection of its own to the same file. Calls are synchronous, so there is never one to cancel.
 */
export function openSession(database: DatabaseSync, lock: WriteLock, isReadOnly: boolean): Session {
  const me = {};
  const commit = database.prepare('COMMIT');
  const begin = database.prepare('BEGIN');
  // The write lock is taken at once: a transaction could otherwise fail half-way, when it turns from reader to writer.
  const beginWrite = database.prepare('BEGIN IMMEDIATE');
  let writes = !isReadOnly;
  return {
    async prepare(plan) {
      writes = !readOnlyOperations.includes(plan.operation);
      const operation = prepareOperation(database, plan);
      if (!writes) return operation;
      return { ...operation, run: (call) => lock.enter(me, () => operation.run(call) as number) };
    },
    async prepareStatement(plan) {
      // A later step of a transaction may write, so the lock is taken at once; a read-only session is refused it.
      writes = !isReadOnly;
      const own: CustomStatement = await withTextUuids(plan, statementLanguage, (one) =>
        prepareCustomStatement(database, one),
      );
      if (plan.isRead) return own;
      return { ...own, run: (call) => lock.enter(me, () => own.run(call) as number | null) };
    },
    begin() {
      if (!writes) return void begin.run();
      return lock.enter(me, () => {
        beginWrite.run();
        lock.hold(me);
      });
    },
    commit() {
      commit.run();
      lock.release(me);
    },
    rollback() {
      if (database.isTransaction) database.exec('ROLLBACK');
      lock.release(me);
    },
    readSettings: async (names) =>
      Object.fromEntries(
        names.map((name) => {
          const value = pragma(database, name);
          return [name, value == null ? null : String(value)];
        }),
      ),
    inTransaction: () => database.isTransaction,
    cancel: async () => {},
    wireBytes: () => null,
    [Symbol.asyncDispose]: async () => {
      if (database.isOpen) database.close();
      lock.release(me);
    },
  };
}
