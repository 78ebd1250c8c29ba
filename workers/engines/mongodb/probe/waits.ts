import type { MongoClient } from 'mongodb';
import type { WaitTotal } from '#engine-api/waits.ts';
import { isMapping } from '#model/is-mapping.ts';
import { isLost, Refusals } from '../../shared/refusals.ts';
import { toError } from '../errors.ts';
import { numberAt, without } from './probe-info.ts';

/** Waits with a count and a time in serverStatus (manual, "serverStatus"); versions lack some of them. */
const counted: readonly (readonly [name: string, of: string, count: string, us: string])[] = [
  ...(['read', 'write'] as const).flatMap((what) =>
    (['normalPriority', 'lowPriority'] as const).map((priority) => {
      const path = `queues.execution.${what}.${priority}`;
      return [`${what} ticket, ${priority}`, 'Queue', `${path}.addedToQueue`, `${path}.totalTimeQueuedMicros`] as const;
    }),
  ),
  ['log sync', 'Journal', 'wiredTiger.log.log sync operations', 'wiredTiger.log.log sync time duration (usecs)'],
  ...(['read from disk to cache', 'write from cache to disk'] as const).map((what) => {
    const path = `wiredTiger.cache.application threads page ${what}`;
    return [`page ${what}`, 'Cache', `${path} count`, `${path} time (usecs)`] as const;
  }),
];
const writeConcern = 'metrics.getLastError.wtime';

/** Reads the server's waits. The probe lists the role that is missing. */
export function createWaits(client: MongoClient): () => Promise<readonly WaitTotal[] | null> {
  const refusals = new Refusals<string>(toError, (kind) => !isLost(kind));
  return async () => {
    const status = await refusals.ask(
      'serverStatus',
      () => client.db('admin').command({ serverStatus: 1, ...without }),
      ({ message }) => message,
    );
    return status && waitTotals(status);
  };
}

/** The waits in an answer of serverStatus; the server has no longest ones. */
export function waitTotals(status: unknown): readonly WaitTotal[] {
  const at = (path: string) => numberAt(status, path.split('.'));
  const total = (name: string, of: string, count: number | null, us: number | null): readonly WaitTotal[] =>
    count === null || us === null ? [] : [{ name, class: of, count, totalUs: us, longestUs: null }];
  const concernMs = at(`${writeConcern}.totalMillis`);
  return [
    ...lockWaits(status),
    ...counted.flatMap(([name, of, count, us]) => total(name, of, at(count), at(us))),
    ...total('write concern', 'WriteConcern', at(`${writeConcern}.num`), concernMs === null ? null : concernMs * 1_000),
  ];
}

/** Waits for locks by resource and mode: r and w are intents, R and W whole (manual, "FAQ: Concurrency"). */
function lockWaits(status: unknown): readonly WaitTotal[] {
  const locks = isMapping(status) && isMapping(status.locks) ? status.locks : {};
  return Object.entries(locks).flatMap(([resource, counts]) => {
    const times = isMapping(counts) && isMapping(counts.timeAcquiringMicros) ? counts.timeAcquiringMicros : {};
    return Object.keys(times).flatMap((mode): readonly WaitTotal[] => {
      const count = numberAt(counts, ['acquireWaitCount', mode]);
      const totalUs = numberAt(times, [mode]);
      if (count === null || totalUs === null) return [];
      return [{ name: `${resource}, mode ${mode}`, class: 'Lock', count, totalUs, longestUs: null }];
    });
  });
}
