import { formatCount, formatPercent } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { isShareAtLeast } from '#stats/intervals/share-interval.ts';
import { serverTimePicture } from '../shared/cell-pictures.ts';
import { confirmBy } from '../shared/confirm.ts';
import { linkTo, share } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';
import { effectiveObservations } from '../shared/server-facts.ts';
import { isBlockedByOthers } from './foreign-lock.ts';

const classes = ['lock', 'latch'] as const;
type Class = (typeof classes)[number];

/** Below this share of the server's own time, other causes matter more. */
const leastShare = 0.1;
/** With fewer sessions at work (one sample per second, a handful of sessions), shares are mostly chance. */
const leastObservations = 20;
/** Lower bound of a sampled share with 95 % confidence: chance alone seldom doubles a share. */
const surelyAbove = leastShare / 2;
/** Standard errors above which a difference of sampled shares is significant (99 %). */
const leastErrors = 2.58;

/**
 * If sessions outside the run block this share of the waiting sessions, the rest is too small to judge the run's own
 * locks.
 */
const mostForeign = 0.2;

const words: Readonly<Record<Class, { readonly title: string; readonly advice: string }>> = {
  lock: {
    title: 'locks of rows or tables',
    advice:
      'Shorten transactions, touch rows in the same order everywhere, spread frequent writes over more rows (counters per shard, inserts instead of updates).',
  },
  latch: {
    title: 'latches of the server’s own structures',
    advice:
      'Spread the writes of all sessions: use partitions or hash keys where one page at the end of an index is hot, fewer indexes, or more rows per call, so that each page is visited less often.',
  },
};

/**
 * Server time in locks or latches that rises with the number of connections: sessions wait for each other. Certain if
 * the server timed it and it is larger with more connections; likely if its sessions were sampled; possible with a
 * single number of connections.
 */
export const contention: Rule = {
  title: 'Lock contention',
  bottleneck: 'lock contention',
  looksFor: 'sessions that wait for locks or latches which other sessions hold',
  shownWhen:
    'locks or latches take 10 % of the server’s own time; sampled shares need 20 observations, and a lower limit (95 %) above 5 %',
  find: eachCell(outcomeOf),
};

function outcomeOf(facts: RunFacts, cell: CellFacts): CellOutcome {
  const { server, settings } = cell;
  if (settings.connections === 1) return notShown('It has one connection, which waits for no other connection.');
  if (cell.inProcess)
    return cannotTell('Inside the client process, connections take turns, and nothing reports what they wait for.');
  if (server.noTimeText !== null) return cannotTell(server.noTimeText);
  if (server.method === 'sampled' && server.observations < leastObservations)
    return cannotTell(
      `Sessions were observed at work ${server.observations} times; shares need at least ${leastObservations} observations. A longer measured phase has more.`,
    );
  if (server.unclockedLocks >= leastShare)
    return cannotTell(
      `Sessions were observed in waits for locks that the server’s timing leaves out, for about ${formatPercent(server.unclockedLocks)} of its own time: the holders of these locks are not known.`,
    );
  const [most] = classes.map((one) => ({ one, part: server.ownShare[one] ?? 0 })).toSorted((a, b) => b.part - a.part);
  const { one, part } = most!;
  if (part < leastShare)
    return notShown(
      `${formatPercent(part)} of the server’s own time is in ${words[one].title}; less than ${formatPercent(leastShare)} is not reported.`,
    );
  if (server.method === 'sampled' && !isShareAtLeast(surelyAbove, part, effectiveObservations(server, one)))
    return cannotTell(
      `${formatPercent(part)} of ${formatCount(server.observations)} observations are in ${words[one].title}, which may be chance, because they are few or in few of the samples. A longer measured phase has more.`,
    );
  const foreign = one === 'lock' ? foreignPart(cell) : 0;
  if (foreign >= mostForeign)
    return cannotTell(
      `${formatPercent(foreign)} of the waits for locks that were sampled were for a session outside the run${isBlockedByOthers(cell) ? ' (see “Blocked by a session outside the run”)' : ''}: what the run’s own sessions cost each other is not known.`,
    );
  const fewer = withFewest(cell);
  const rises = fewer === null ? null : isMore(cell, fewer, one);
  if (fewer !== null && rises === false)
    return notShown(
      `${words[one].title} take ${formatPercent(part)} of the server’s own time, and no less with ${connectionsIn(fewer)}: sessions do not wait for each other.`,
    );
  const link = 'server-time';
  const parts = server.parts.filter((each) => each.class === one).slice(0, 2);
  const less = fewer === null ? null : (fewer.server.ownShare[one] ?? 0);
  const evidence = [
    share(`Server’s own time in ${words[one].title}`, part, link),
    less !== null &&
      rises !== null &&
      share(`… with ${connectionsIn(fewer!)}`, less, linkTo('server-time', fewer!.cell)),
    ...parts.map(({ label, ms }) => share(label, ms / totalOf(cell, one), link)),
  ];
  const mostly = parts[0] === undefined ? '' : `, most of it in ${parts[0].label}`;
  const seen = server.method === 'sampled' ? ' (of sessions sampled at work)' : '';
  return shown({
    claim: `Sessions of ${cell.name} wait for each other: ${formatPercent(part)} of the server’s own time${seen} is in ${words[one].title}${mostly}${less === null || rises === null ? '' : `; with ${connectionsIn(fewer!)} it is ${formatPercent(less)}`}.`,
    confidence: rises === null ? 'possible' : server.method === 'timed' ? 'certain' : 'likely',
    explains: part,
    evidence,
    advice: words[one].advice,
    confirm: confirmBy(facts, cell, {
      title: 'Connections',
      question: `From how many connections on do sessions of ${cell.target.name} wait for each other?`,
      vary: 'connections',
      levels: [1, 2, 4, 8, 16],
    }),
    picture: serverTimePicture(cell),
  });
}

const connectionsIn = ({ settings }: CellFacts): string => many(settings.connections, 'connection');

/** Share (0…1) of the sampled lock waits that sessions outside the run caused; 0 if none was seen. */
function foreignPart({ server: { foreignLocks, lockObservations } }: CellFacts): number {
  const waiting = foreignLocks.holders.reduce((sum, one) => sum + one.waiting, 0);
  return waiting === 0 ? 0 : Math.min(1, waiting / Math.max(waiting, lockObservations ?? 0));
}

/** The neighbour with the fewest connections and with the same kind of server figures. */
function withFewest(cell: CellFacts): CellFacts | null {
  const [first] = cell
    .neighbours()
    .filter(({ factor, own, level }) => factor === 'connections' && Number(level) < Number(own))
    .map(({ cell: other }) => other)
    .filter(({ server }) => server.method === cell.server.method)
    .toSorted((a, b) => a.settings.connections - b.settings.connections);
  return first ?? null;
}

/** Null: the neighbour has too few samples for a comparison. */
function isMore(cell: CellFacts, fewer: CellFacts, one: Class): boolean | null {
  const [here, there] = [cell.server.ownShare[one] ?? 0, fewer.server.ownShare[one] ?? 0];
  if (cell.server.method === 'timed') return here - there >= leastShare / 2;
  const [n, m] = [effectiveObservations(cell.server, one), effectiveObservations(fewer.server, one)];
  if (m === 0) return null;
  // Test of two proportions with a pooled variance.
  const pooled = (here * n + there * m) / (n + m);
  return here - there >= leastErrors * Math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m));
}

const totalOf = ({ server }: CellFacts, one: Class): number =>
  Object.values(server.classMs).length === 0 ? 1 : Math.max(server.classMs[one] ?? 0, Number.MIN_VALUE);
