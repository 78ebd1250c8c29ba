import { formatMs, formatPercent } from '#model/format/format.ts';
import { type Compared, comparedAbove, comparedBy, ratioEvidence } from '../shared/compare-cells.ts';
import { confirmBy, possibleLevels } from '../shared/confirm.ts';
import { linkTo, number, share, time } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Confirm, Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';
import { shareOfTrips, spentMs } from './round-trips.ts';

/** With half of a call spent on the network, no improvement of the server makes the call twice as fast. */
const mostOfCall = 0.5;
/**
 * A neighbour with more rows per call that is faster by this factor leaves no other reading: its server did the same
 * work.
 */
const settles = 1.5;

/**
 * Calls spend their time on network round trips: as many as were counted at the sockets, each as long as that of the
 * cheapest statement over one idle connection, which was timed before the run and is a lower bound.
 */
export const roundTripBound: Rule = {
  title: 'Bound by round trips',
  looksFor: 'calls that spend their time on network round trips',
  shownWhen: 'half of a call is on the network; a variant with more rows per call that is 1.5 times as fast settles it',
  find: eachCell(judge),
};

function judge(facts: RunFacts, cell: CellFacts): CellOutcome {
  const { callTime, transactionTime, roundTripMs, calls } = cell;
  if (cell.inProcess) return notShown(`${cell.target.name} works inside the client process: there is no round trip.`);
  if (roundTripMs === null) return cannotTell('The round trip to this target was not calibrated before the run.');
  if (callTime === null || calls === 0)
    return cannotTell('What its calls spend their time on could not be seen at the sockets.');
  const both = [callTime, ...(transactionTime === null ? [] : [transactionTime])];
  const trips = both.reduce((sum, { roundTrips }) => sum + roundTrips, 0);
  const callMs = spentMs(both) / callTime.calls;
  const part = shareOfTrips(both, trips, roundTripMs);
  if (part < mostOfCall)
    return notShown(
      `Round trips (${formatMs(roundTripMs)} for the cheapest statement) make up ${formatPercent(part)} of a call, which takes ${formatMs(callMs)}.`,
    );
  const fewer = fewerTrips(cell);
  const settled = fewer.find(({ comparison }) => comparison.verdict === 'faster' && comparison.ratio.value >= settles);
  const perCall = number('Round trips per call', trips / callTime.calls, 'client-shares');
  return shown({
    claim: `${cell.name} is bound by network round trips: ${formatPercent(part)} of a call, which takes ${formatMs(callMs)}, is ${perCall.text} ${perCall.value > 1.05 ? 'round trips' : 'round trip'} as long as that of the cheapest statement (${formatMs(roundTripMs)}).`,
    confidence: settled ? 'certain' : cell.summary.clientSaturated ? 'possible' : 'likely',
    explains: part,
    evidence: [
      time('A call', callMs, 'latency-percentiles'),
      time('Cheapest round trip', roundTripMs, linkTo('calibration')),
      perCall,
      share('Round trips’ part of a call', part, 'client-shares'),
      settled && ratioEvidence(settled),
    ],
    advice:
      'Send more with each round trip (more rows per call, a pipeline, array binds), use more connections at once, or bring client and server closer together. A faster server would change little.',
    confirm: confirmFewer(facts, cell),
  });
}

/** Neighbours whose calls carry more, or do not wait for each other. */
const fewerTrips = (cell: CellFacts): readonly Compared[] => [
  ...comparedAbove(cell, 'rowsPerCall'),
  ...comparedBy(cell, 'method').filter(({ level }) =>
    ['pipelined', 'multiRow', 'arrayBind', 'bulk'].includes(String(level)),
  ),
];

function confirmFewer(facts: RunFacts, cell: CellFacts): Confirm | null {
  const { rowsPerCall, connections, method } = cell.settings;
  const question = `Is it the round trip that limits ${cell.name}?`;
  const rows = possibleLevels(facts, cell, 'rowsPerCall', [rowsPerCall, rowsPerCall * 10, rowsPerCall * 100]);
  if (rows.length > 1)
    return confirmBy(facts, cell, { title: 'More rows per call', question, vary: 'rowsPerCall', levels: rows });
  const methods = possibleLevels(facts, cell, 'method', [method, 'pipelined', 'multiRow'] as const);
  if (methods.length > 1 && new Set(methods).size > 1)
    return confirmBy(facts, cell, {
      title: 'Fewer waits per row',
      question,
      vary: 'method',
      levels: [...new Set(methods)],
    });
  const loads = possibleLevels(facts, cell, 'connections', [connections, connections * 2, connections * 4]);
  return confirmBy(facts, cell, { title: 'More connections at once', question, vary: 'connections', levels: loads });
}
