import { formatCount, formatMs, formatPercent } from '#model/format/format.ts';
import { number, share, time } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';

/** Least share of the connections' time: a smaller share changes no decision. */
const leastShare = 0.05;
/** A single sample may have seen a lock that was released immediately. */
const leastSamples = 2;

/**
 * Sessions of the run that wait for a lock of a session outside the run, as the server reports in each sample. The
 * share of time is an estimate from samples (average active sessions, see server-time.ts).
 */
export const foreignLock: Rule = {
  title: 'Blocked by a session outside the run',
  bottleneck: 'locks of a session outside the run',
  looksFor: 'sessions outside the run that hold locks for which its sessions wait',
  shownWhen: 'waits for such locks take 5 % of the connections’ time, in at least 2 samples',
  find: eachCell(outcomeOf),
};

function outcomeOf(_: RunFacts, cell: CellFacts): CellOutcome {
  if (cell.inProcess)
    return cannotTell('Inside the client process, nothing reports which program holds the lock of the file.');
  const { lockObservations } = cell.server;
  const { samples, named, holders } = cell.server.foreignLocks;
  if (lockObservations === null)
    return cannotTell(cell.server.noTimeText ?? 'This server does not report what its sessions wait for.');
  if (samples < leastSamples)
    return cannotTell(
      'The server was sampled less than twice in the measured phases. A longer phase has more samples.',
    );
  if (lockObservations > 0 && named === 0)
    return cannotTell('Sessions waited for locks, but the server did not name the sessions that held them.');
  const most = holders.find((one) => one.samples >= leastSamples) ?? holders[0];
  const blocked = blockedShare(cell);
  if (most === undefined || !isBlockedByOthers(cell))
    return notShown(
      most === undefined
        ? `In ${formatCount(samples)} samples no session of the run waited for a lock of another program.`
        : `Locks of other programs took ${formatPercent(blocked)} of the connections’ time; less than ${formatPercent(leastShare)} is not reported.`,
    );
  const { holder, heldMs } = most;
  const age = heldMs === null ? '' : `, whose transaction was open for at least ${formatMs(heldMs)}`;
  const others = holders.length === 1 ? '' : ` (and ${formatCount(holders.length - 1)} more)`;
  return shown({
    claim: `Sessions of ${cell.name} waited for a lock that ${holder}${others} held${age}: in ${formatCount(most.samples)} of ${formatCount(samples)} samples, for ${formatPercent(blocked)} of the connections’ time. That session is not of this run.`,
    confidence: 'certain',
    explains: blocked,
    evidence: [
      share('Connections’ time in waits for its locks', blocked, 'server-time'),
      number('Samples in which it blocked a session', most.samples, 'server-time'),
      number('Samples taken', samples, 'server-time'),
      heldMs !== null && time('Its transaction was open', heldMs, null),
    ],
    advice:
      'End or commit that transaction, or wait until its program no longer uses these tables. Then run the experiment again, because these numbers include the waits.',
    confirm: null,
  });
}

/** True if sessions outside the run blocked the run's own for long enough to make a finding. */
export const isBlockedByOthers = (cell: CellFacts): boolean => {
  const { samples, holders } = cell.server.foreignLocks;
  return (
    !cell.inProcess &&
    cell.server.lockObservations !== null &&
    samples >= leastSamples &&
    holders.some((one) => one.samples >= leastSamples) &&
    blockedShare(cell) >= leastShare
  );
};

/**
 * Sampled share (0…1) of the time of a cell's connections in waits for locks of sessions outside the run; 0 if none was
 * seen.
 */
const blockedShare = ({ server, settings }: CellFacts): number => {
  const { samples, holders } = server.foreignLocks;
  const waiting = holders.reduce((sum, one) => sum + one.waiting, 0);
  return samples === 0 ? 0 : Math.min(1, waiting / (samples * settings.connections));
};
