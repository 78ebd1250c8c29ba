import type { Database, OperationPlan } from '#contract/engine.ts';
import { type LoopOptions, VirtualUser } from './virtual-user.ts';

/** Connections opened at a time: more than one for speed, not all for the server's sake. */
const atATime = 8;

/** One virtual user a connection, its operation prepared. If one fails, those that were opened are closed again. */
export async function openUsers(
  database: Database,
  plan: OperationPlan,
  connections: number,
  options: LoopOptions,
): Promise<readonly VirtualUser[]> {
  const users: VirtualUser[] = [];
  try {
    while (users.length < connections) {
      const count = Math.min(atATime, connections - users.length);
      const first = users.length;
      const opened = await Promise.allSettled(
        Array.from({ length: count }, async (_, i) => {
          const session = await database.openSession(plan.table.options);
          try {
            return new VirtualUser(first + i, session, await session.prepare(plan), options);
          } catch (thrown) {
            await session[Symbol.asyncDispose]();
            throw thrown;
          }
        }),
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
