import type { Database, Operation, Session } from '#contract/engine.ts';
import type { Options } from '#contract/settings.ts';
import { type CallTimes, sumOf } from './call-times.ts';
import type { SocketWatch } from './socket-watch.ts';
import { type LoopOptions, type Sight, VirtualUser } from './virtual-user.ts';

/** Connections opened at a time: more than one for speed, not all for the server's sake. */
const atATime = 8;
/** Sessions of a worker whose calls are taken apart; sessions are alike, and these have to be opened one by one. */
const mostSeen = 8;

/** What every connection of a worker is opened and prepared for. */
export interface SessionPlan {
  readonly options: Options;
  prepare(session: Session): Promise<Operation>;
}

/**
 * One virtual user a connection, its operation prepared. If one fails, those that were opened are closed again. `sockets`: null where the
 * engine has none.
 */
export async function openUsers(
  database: Database,
  plan: SessionPlan,
  connections: number,
  options: LoopOptions,
  sockets: SocketWatch | null,
): Promise<readonly VirtualUser[]> {
  const users: VirtualUser[] = [];
  const others = sockets && { calls: sockets.others, seen: false };
  try {
    while (sockets !== null && users.length < Math.min(connections, mostSeen))
      users.push(
        await sockets.opening((calls) => openUser(database, plan, users.length, options, { calls, seen: true })),
      );
    while (users.length < connections) {
      const count = Math.min(atATime, connections - users.length);
      const first = users.length;
      const opened = await Promise.allSettled(
        Array.from({ length: count }, (_, i) => openUser(database, plan, first + i, options, others)),
      );
      for (const one of opened) if (one.status === 'fulfilled') users.push(one.value);
      for (const one of opened) if (one.status === 'rejected') throw one.reason;
    }
    return users;
  } catch (thrown) {
    await closeUsers(users);
    throw thrown;
  }
}

async function openUser(
  database: Database,
  plan: SessionPlan,
  connection: number,
  options: LoopOptions,
  sight: Sight | null,
): Promise<VirtualUser> {
  const session = await database.openSession(plan.options);
  try {
    return new VirtualUser(connection, session, await plan.prepare(session), options, sight);
  } catch (thrown) {
    await session[Symbol.asyncDispose]();
    throw thrown;
  }
}

/** A session whose server is gone cannot be closed politely; that is no news by then. */
export async function closeUsers(users: readonly VirtualUser[]): Promise<void> {
  await Promise.allSettled(users.map(async ({ session }) => session[Symbol.asyncDispose]()));
}

/** Bytes on the wire of all sessions; null where one cannot tell. */
export function wireBytes(users: readonly VirtualUser[]): { readonly sent: number; readonly received: number } | null {
  let sent = 0;
  let received = 0;
  for (const { session } of users) {
    const bytes = session.wireBytes();
    if (bytes === null) return null;
    sent += bytes.sent;
    received += bytes.received;
  }
  return { sent, received };
}

/** What calls spent their time on, by the sessions where that is seen; null where there is none. `counts`: calls that there were in all. */
export function callTimes(
  users: readonly VirtualUser[],
  counts: { readonly calls: number; readonly transactions: number },
): { readonly calls: CallTimes; readonly transactions: CallTimes } | null {
  const seen = users.flatMap(({ sight }) => (sight?.seen ? [sight.calls] : []));
  if (seen.length === 0) return null;
  return {
    calls: sumOf(
      seen.map(({ calls }) => calls),
      counts.calls,
    ),
    transactions: sumOf(
      seen.map(({ transactions }) => transactions),
      counts.transactions,
    ),
  };
}
