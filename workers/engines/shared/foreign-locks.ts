import type { ForeignLock, ProbeInfo, ProbeSample } from '#engine-api/probe.ts';
import { probeInfoOf } from '#engine-api/probe-info.ts';

/**
 * One session that waits for a lock, and one that holds it or queues for it ahead; both by the server's own numbers.
 */
export interface LockWait {
  readonly waiter: string | number;
  readonly holder: string | number;
  /** True if the waiter is a session of the run. */
  readonly ownWaiter: boolean;
  readonly ownHolder: boolean;
  /** The server's facts about the holder. */
  readonly program: string | null;
  readonly user: string | null;
  readonly host: string | null;
  /** The age of the holder's transaction. Null: the server does not report it, or the holder has none. */
  readonly heldMs: number | null;
}

/**
 * The sessions of others at which the waits of the run end, each with the number of the run's sessions that wait for
 * it, directly or behind others. Chains are followed through every session that waits itself: a session that only
 * queues, of the run or not, blocks nobody.
 */
export function foreignLocks(waits: readonly LockWait[]): readonly ForeignLock[] {
  const ahead = Map.groupBy(waits, ({ waiter }) => waiter);
  const found = new Map<string | number, { readonly last: LockWait; waiting: number }>();
  for (const [waiter, [first]] of ahead) {
    if (!first!.ownWaiter) continue;
    const seen = new Set([waiter]);
    const open = [waiter];
    for (let session = open.pop(); session !== undefined; session = open.pop())
      for (const wait of ahead.get(session) ?? []) {
        const { holder } = wait;
        if (seen.has(holder)) continue;
        seen.add(holder);
        const known = found.get(holder);
        if (ahead.has(holder)) open.push(holder);
        else if (known !== undefined) known.waiting++;
        else if (!wait.ownHolder) found.set(holder, { last: wait, waiting: 1 });
      }
  }
  return [...found.values()].map(({ last, waiting }) => ({
    holder: holderText(last),
    waiting,
    heldMs: last.heldMs === null ? null : Math.max(0, last.heldMs),
  }));
}

/** "psql · user alice · from 10.0.0.7 · session 4711", with the parts that the server reports. */
export const holderText = ({
  program,
  user,
  host,
  holder,
}: Pick<LockWait, 'program' | 'user' | 'host' | 'holder'>): string =>
  [program, user && `user ${user}`, host && `from ${host}`, `session ${holder}`].filter(Boolean).join(' · ');

/**
 * Reads who holds the locks for which the run's sessions wait, as a part of a sample. The server is asked only if its
 * gauges show sessions that wait for a lock, because this query costs it more than the gauges do.
 */
export async function withForeignLocks(
  gauges: ProbeSample['gauges'],
  infos: Readonly<Record<string, ProbeInfo>>,
  ask: () => Promise<readonly ForeignLock[] | null>,
): Promise<Pick<ProbeSample, 'foreignLocks'>> {
  const isBlocked = Object.entries(gauges).some(
    ([name, sessions]) => sessions > 0 && probeInfoOf(infos, name)?.class === 'lock',
  );
  const found = isBlocked ? await ask() : null;
  return found === null ? {} : { foreignLocks: found };
}
