import type { Database, Operation, Session } from '#contract/engine.ts';
import type { Isolation, Options } from '#contract/settings.ts';
import { type CallTimes, sumOf } from '../timing/call-times.ts';
import type { SocketWatch } from '../timing/socket-watch.ts';
import { ClientConnection, type LoopOptions, type SocketObservation } from './client-connection.ts';

/** Connections opened at a time: more than one for speed, not all for the server's sake. */
const atATime = 8;
/** Sessions of a worker whose calls are taken apart; sessions are alike, and these have to be opened one by one. */
const mostSeen = 8;

/** What every connection of a worker is opened and prepared for. */
interface SessionPlan {
  readonly options: Options;
  readonly isolation: Isolation;
  prepare(session: Session): Promise<Operation>;
}

/**
 * So many connections, their operations prepared. If one fails, those that were opened are closed again. `sockets`: null where the
 * engine has none.
 */
export async function openClientConnections(
  database: Database,
  plan: SessionPlan,
  wanted: number,
  options: LoopOptions,
  sockets: SocketWatch | null,
): Promise<readonly ClientConnection[]> {
  const connections: ClientConnection[] = [];
  const others = sockets && { calls: sockets.others, seen: false };
  try {
    while (sockets !== null && connections.length < Math.min(wanted, mostSeen))
      connections.push(
        await sockets.opening((calls) =>
          openClientConnection(database, plan, connections.length, options, { calls, seen: true }),
        ),
      );
    while (connections.length < wanted) {
      const count = Math.min(atATime, wanted - connections.length);
      const first = connections.length;
      const opened = await Promise.allSettled(
        Array.from({ length: count }, (_, i) => openClientConnection(database, plan, first + i, options, others)),
      );
      for (const one of opened) if (one.status === 'fulfilled') connections.push(one.value);
      for (const one of opened) if (one.status === 'rejected') throw one.reason;
    }
    return connections;
  } catch (thrown) {
    await closeClientConnections(connections);
    throw thrown;
  }
}

async function openClientConnection(
  database: Database,
  plan: SessionPlan,
  connection: number,
  options: LoopOptions,
  observation: SocketObservation | null,
): Promise<ClientConnection> {
  const session = await database.openSession(plan.options, plan.isolation);
  try {
    return new ClientConnection(connection, session, await plan.prepare(session), options, observation);
  } catch (thrown) {
    await session[Symbol.asyncDispose]();
    throw thrown;
  }
}

/** A session whose server is gone cannot be closed politely; that is no news by then. */
export async function closeClientConnections(connections: readonly ClientConnection[]): Promise<void> {
  await Promise.allSettled(connections.map(async ({ session }) => session[Symbol.asyncDispose]()));
}

/** Bytes on the wire of all sessions; null where one cannot tell. */
export function wireBytes(
  connections: readonly ClientConnection[],
): { readonly sent: number; readonly received: number } | null {
  let sent = 0;
  let received = 0;
  for (const { session } of connections) {
    const bytes = session.wireBytes();
    if (bytes === null) return null;
    sent += bytes.sent;
    received += bytes.received;
  }
  return { sent, received };
}

/** What calls spent their time on, by the sessions where that is seen; null where there is none. `counts`: calls that there were in all. */
export function callTimes(
  connections: readonly ClientConnection[],
  counts: { readonly calls: number; readonly transactions: number },
): { readonly calls: CallTimes; readonly transactions: CallTimes } | null {
  const seen = connections.flatMap(({ observation }) => (observation?.seen ? [observation.calls] : []));
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
