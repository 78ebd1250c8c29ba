import type { Database } from '#engine-api/database.ts';
import type { Operation } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import type { Options } from '#model/settings/options.ts';
import type { SessionSettings } from '#model/settings/session-settings.ts';
import type { Isolation } from '#model/settings/vocabulary.ts';
import { type CallTimes, sumOf } from '../timing/call-times.ts';
import type { SocketWatch } from '../timing/socket-watch.ts';
import { ClientConnection, type SocketObservation } from './client-connection.ts';
import type { LoopOptions } from './lane.ts';

/** Number of connections that are opened at a time: more than one for speed, and few enough for the server. */
const atATime = 8;
/**
 * Number of sessions of a worker whose calls are timed one by one. Sessions are alike, so the first ones represent all.
 */
const mostSeen = 8;

/** The plan for opening and preparing the connections of a worker. */
interface SessionPlan {
  readonly options: Options;
  readonly isolation: Isolation;
  /** Absent: none. */
  readonly settings?: SessionSettings | undefined;
  prepare(session: Session): Promise<Operation>;
}

/** Opens and prepares connections; if one fails, closes the others. `sockets`: null for an engine in this process. */
export async function openClientConnections(
  database: Database,
  plan: SessionPlan,
  wanted: number,
  options: LoopOptions,
  sockets: SocketWatch | null,
): Promise<readonly ClientConnection[]> {
  const connections: ClientConnection[] = [];
  const others = sockets && { calls: sockets.others, isTimed: false };
  try {
    while (sockets !== null && connections.length < Math.min(wanted, mostSeen))
      connections.push(
        await sockets.opening((calls) =>
          openClientConnection(database, plan, connections.length, options, { calls, isTimed: true }),
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
  const session = await database.openSession(plan.options, plan.isolation, plan.settings);
  try {
    return new ClientConnection(connection, session, await plan.prepare(session), options, observation);
  } catch (thrown) {
    await session[Symbol.asyncDispose]();
    throw thrown;
  }
}

/** Closes all sessions and ignores errors: if the server is gone, the trial has already failed. */
export async function closeClientConnections(connections: readonly ClientConnection[]): Promise<void> {
  await Promise.allSettled(connections.map(async ({ session }) => session[Symbol.asyncDispose]()));
}

/** Bytes on the wire of all sessions; null if a driver does not count them. */
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

/**
 * Time of calls by activity, estimated from the timed sessions; null without timed sessions. `counts`: counts of all
 * calls.
 */
export function callTimes(
  connections: readonly ClientConnection[],
  counts: { readonly calls: number; readonly transactions: number },
): { readonly calls: CallTimes; readonly transactions: CallTimes } | null {
  const timed = connections.flatMap(({ observation }) => (observation?.isTimed ? [observation.calls] : []));
  if (timed.length === 0) return null;
  return {
    calls: sumOf(
      timed.map(({ calls }) => calls),
      counts.calls,
    ),
    transactions: sumOf(
      timed.map(({ transactions }) => transactions),
      counts.transactions,
    ),
  };
}
