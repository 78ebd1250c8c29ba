import type { Connection } from 'tedious';
import type { Session } from '#engine-api/session.ts';
import { promised } from '../../shared/promised.ts';
import type { LeanPath } from './lean-path.ts';
import { messageHead } from './packets.ts';
import { begin, commit, rollback, transactionManager } from './request.ts';

/** Requests without a name (2.2.6.9): the number of the request, then no change of the isolation level, or no flag. */
const bodies = { begin: Buffer.from([5, 0, 0, 0]), commit: Buffer.from([7, 0, 0, 0]) } as const;

const nothing = () => null;

/** The transactions of a session, on the path of its calls. A rollback is always the driver's request. */
export function transactionsOf(
  connection: Connection,
  lean: LeanPath | null,
): Pick<Session, 'begin' | 'commit' | 'rollback' | 'transact'> {
  const undo = () => rollback(connection);
  if (lean === null) return { begin: () => begin(connection), commit: () => commit(connection), rollback: undo };
  const transact: NonNullable<Session['transact']> = (step, caller) => {
    if (step === 'rollback') undo().then(() => caller.answered(null), caller.failed);
    else lean.send(lean.packets(messageHead(transactionManager, bodies[step])), caller, nothing);
  };
  const step = promised(transact);
  return {
    begin: async () => void (await step('begin')),
    commit: async () => void (await step('commit')),
    rollback: undo,
    transact,
  };
}
