import type { MongoClient } from 'mongodb';
import type { ProbeSample } from '#engine-api/probe.ts';
import { toError } from '../errors.ts';
import { foreignLocks } from './foreign-locks.ts';
import { createLogWait, readStatus, without } from './probe-info.ts';

const sum = (counts: readonly (readonly [string, number])[]) => counts.reduce((total, [, count]) => total + count, 0);

const nothing: ReturnType<typeof readStatus> = { counters: {}, gauges: {} };

/**
 * A probe of one server. What may not be read is listed as unavailable and not asked again. Counters are the server's,
 * of all clients; every user may list the run's own operations.
 */
export function createProbe(client: MongoClient, tag: string): () => Promise<ProbeSample> {
  const admin = client.db('admin');
  const unavailable: string[] = [];
  const logWait = createLogWait();
  let mayMonitor = true;
  return async () => {
    const status = mayMonitor
      ? await admin.command({ serverStatus: 1, ...without }).catch((thrown: unknown) => {
          const { kind, message } = toError(thrown);
          if (kind !== 'permission') throw thrown;
          mayMonitor = false;
          unavailable.push(
            `Server counters (serverStatus): ${message}. Needs the role clusterMonitor on admin (dyno grants TARGET).`,
          );
          return null;
        })
      : null;
    const { counters, gauges } = status === null ? nothing : readStatus(status);
    const own = new RegExp(`^${tag.replaceAll(/[^\w]/g, '\\$&')}`);
    const operations = await sampleOperations(client, own, mayMonitor);
    const waiting = sum(Object.entries(operations).filter(([name]) => name.startsWith('wait:Lock:')));
    const mayAsk = mayMonitor && waiting > 0;
    return {
      counters: { ...counters, ...logWait(counters) },
      gauges: { ...gauges, ...operations },
      ...(mayAsk && { foreignLocks: await foreignLocks(client, own, waiting) }),
      unavailable,
    };
  };
}

/**
 * The run's sessions by what they do or wait for ("wait:Lock:Collection"), without this probe's own. Idle connections
 * are left out: they have no user, only monitors may see them, and the connection by which the driver watches the
 * server looks the same.
 */
async function sampleOperations(
  client: MongoClient,
  own: RegExp,
  mayMonitor: boolean,
): Promise<Record<string, number>> {
  const operations = await client
    .db('admin')
    .aggregate<Operation>([
      { $currentOp: { allUsers: mayMonitor, idleConnections: mayMonitor } },
      {
        $match: {
          type: 'op',
          appName: own,
          'command.aggregate': { $ne: 1 }, // this session itself
          'command.hello': { $exists: false },
        },
      },
      { $project: Object.fromEntries(shown.map((name) => [name, 1])) },
    ])
    .toArray();
  const gauges: Record<string, number> = { active: 0, ...(mayMonitor && { sessions: operations.length }) };
  for (const operation of operations) {
    if (operation.active !== true) continue;
    gauges.active! += 1;
    const name = waitOf(operation);
    gauges[name] = (gauges[name] ?? 0) + 1;
  }
  return gauges;
}

/** An operation as $currentOp tells it; manual, "$currentOp", Output Fields. */
interface Operation {
  readonly active?: boolean;
  readonly waitingForLock?: boolean;
  readonly waitingForFlowControl?: boolean;
  /** The ticket for which it waits (8.0 and later). */
  readonly currentQueue?: { readonly name?: string } | null;
  /** The resources that it holds or waits for. */
  readonly locks?: Readonly<Record<string, string>>;
  /** The attempts that met another session's change; such an operation sleeps between them. */
  readonly writeConflicts?: number;
  /** Present after the operation has written, while it waits for the journal or for other members. */
  readonly waitForWriteConcernDurationMillis?: number;
}

const shown = [
  'active',
  'waitingForLock',
  'waitingForFlowControl',
  'currentQueue',
  'locks',
  'writeConflicts',
  'waitForWriteConcernDurationMillis',
] as const satisfies readonly (keyof Operation)[];

export function waitOf(operation: Operation): string {
  const { waitingForLock, waitingForFlowControl, currentQueue, locks, writeConflicts = 0 } = operation;
  if (waitingForLock) return `wait:Lock:${Object.keys(locks ?? {}).at(-1) ?? 'any'}`;
  if (waitingForFlowControl) return 'wait:FlowControl:ticket';
  if (currentQueue?.name) return `wait:Queue:${currentQueue.name}`;
  if (operation.waitForWriteConcernDurationMillis !== undefined) return 'wait:WriteConcern:acknowledgement';
  return writeConflicts > 0 ? 'wait:WriteConflict:document' : 'running';
}
