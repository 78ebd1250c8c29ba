import type { Database } from '#engine-api/database.ts';
import type { Operation } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import type { Options } from '#model/settings/options.ts';
import type { SessionSettings } from '#model/settings/session-settings.ts';
import type { Isolation } from '#model/settings/vocabulary.ts';
import { type CallTimes, sumOf } from '../timing/call-times.ts';
import { SessionCalls } from '../timing/session-calls.ts';
import type { SocketWatch } from '../timing/socket-watch.ts';
import { ClientConnection, type SocketObservation } from './client-connection.ts';
import { ClientSession } from './client-session.ts';
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
  // Several connections may open their next sessions at the same time, and then their sockets have no known owner.
  const seen = options.callsPerConnection === 0 || wanted === 1 ? Math.min(wanted, mostSeen) : 0;
  try {
    while (sockets !== null && connections.length < seen)
      connections.push(
        await openClientConnection(
          database,
          plan,
          connections.length,
          options,
          { calls: new SessionCalls(options.split), isTimed: true },
          sockets,
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
  sockets: SocketWatch | null = null,
): Promise<ClientConnection> {
  const observed = <T>(work: () => Promise<T>): Promise<T> =>
    observation && sockets ? sockets.opening(observation.calls, work) : work();
  const maker = {
    open: () => observed(() => database.openSession(plan.options, plan.isolation, plan.settings)),
    prepare: (session: Session) => observed(() => plan.prepare(session)),
  };
  const current = await ClientSession.open(maker, { ...options, inProcess: observation === null });
  return new ClientConnection(connection, current, options, observation);
}

/** Closes all sessions and ignores errors: if the server is gone, the trial has already failed. */
export async function closeClientConnections(connections: readonly ClientConnection[]): Promise<void> {
  await Promise.allSettled(connections.map((connection) => connection.close()));
}

/** Bytes on the wire of all sessions; null if a driver does not count them. */
export function wireBytes(
  connections: readonly ClientConnection[],
): { readonly sent: number; readonly received: number } | null {
  let sent = 0;
  let received = 0;
  for (const connection of connections) {
    const bytes = connection.wireBytes();
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
