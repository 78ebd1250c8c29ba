import { formatMs, formatPercent } from '#model/format/format.ts';
import { tunnelWords } from '#model/tunnel.ts';
import { starvedFrom } from '../../client/machine.ts';
import { type Compared, comparedAbove, comparedBy, ratioEvidence } from '../shared/compare-cells.ts';
import { confirmBy, possibleLevels } from '../shared/confirm.ts';
import { number, share, time } from '../shared/evidence.ts';
import { type CellFacts, noProcessorShare, type RunFacts } from '../shared/facts.ts';
import type { Confirm, Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';
import { partsOf } from '../shared/picture.ts';
import { callsOf, roundTripTime, shareOfTrips, takeAllWaiting, waitedShare } from './round-trips.ts';

/** If a call spends half of its time on the network, no improvement of the server makes the call twice as fast. */
const mostOfCall = 0.5;
/**
 * If a neighbour with more rows per call is faster by this factor, round trips are the only explanation: its server did
 * the same work.
 */
const settles = 1.5;

/** If waits for a processor are this share of a round trip, the network is not its cause. */
const starvesTrip = 0.5;

/**
 * Calls spend their time on round trips. The number of round trips is counted at the sockets, and the length of each is
 * the time of the cheapest statement beside the trials. The network accounts for the time of a TCP handshake, or for
 * the delay of a network emulator; the rest is the overhead of driver and server for any request.
 */
export const roundTripBound: Rule = {
  title: 'Bound by round trips',
  bottleneck: 'round trips',
  looksFor: 'calls that spend their time on round trips: on the network, or on the fixed cost of a request',
  shownWhen:
    'the round trips of a call, each as long as that of the cheapest statement, take at least half of its time; certain where a variant with more rows per call is 1.5 times as fast',
  find: eachCell(judge),
};

function judge(facts: RunFacts, cell: CellFacts): CellOutcome {
  const timed = cell.summary.roundTrip;
  if (cell.inProcess) return notShown(`${cell.target.name} works inside the client process: there is no round trip.`);
  if (timed === null) return cannotTell('The cheapest statement was not timed beside the trials.');
  const calls = callsOf(cell);
  if (calls === null)
    return cannotTell('The times of its calls could not be measured at the sockets, or do not add up.');
  const { times, trips, callMs } = calls;
  const { cheapestMs, network, sameMachine, tunnel } = timed;
  const perCall = number('Round trips per call', calls.tripsPerCall, 'client-shares');
  const tripsText = `${perCall.text} ${perCall.value > 1.05 ? 'round trips' : 'round trip'}`;
  const roundTrip = roundTripTime(facts, cell, calls, cheapestMs);
  const { shorter } = roundTrip;
  const part = shareOfTrips(times, trips, roundTrip.ms);
  const ofShorter =
    shorter && `a whole call of ${shorter.cell.name}, with as many, takes ${formatMs(shorter.callMs)} at most`;
  if (shorter && part < mostOfCall)
    return notShown(
      `${tripsText} would be ${formatPercent(part)} of a call at most, which takes ${formatMs(callMs)}: ${ofShorter}.`,
    );
  if (roundTrip.isBeyond)
    return cannotTell(
      `The cheapest statement took ${formatMs(cheapestMs)} beside the trials, and ${ofShorter ?? `a whole call of ${tripsText} ${formatMs(callMs)}`}: it says nothing about these calls.`,
    );
  if (part < mostOfCall)
    return notShown(
      `${tripsText}, each as long as the cheapest statement (${formatMs(cheapestMs)}), would be ${formatPercent(part)} of a call, which takes ${formatMs(callMs)}.`,
    );
  const [leastPart, mostPart] =
    network === null
      ? []
      : [network.leastMs, network.mostMs].map((ms) => shareOfTrips(times, trips, Math.min(ms, roundTrip.ms)));
  const onNetwork = leastPart !== undefined && leastPart >= mostOfCall;
  const waited = noProcessorShare(cell);
  const starvedMs = (waited * cell.elapsedMs * cell.settings.processes) / trips;
  if (!onNetwork && waited >= starvedFrom && starvedMs >= cheapestMs * starvesTrip)
    return cannotTell(
      `The cheapest statement took ${formatMs(cheapestMs)}, but the machine was short of processors: for each round trip a client process waited ${formatMs(starvedMs)} for one. What a round trip takes by itself is not known.`,
    );
  const where = onNetwork
    ? ` At least ${formatPercent(leastPart)} is the network’s: its round trip takes ${formatMs(network!.leastMs)} or more.`
    : sameMachine
      ? ' The connections end on this machine: driver and server, or a tunnel between them, need this time for any request, and no network is involved.'
      : tunnel
        ? ` The connections go through ${tunnelWords[tunnel]}: how much of it is the network’s, and how much its own, cannot be told.`
        : mostPart === undefined || mostPart >= mostOfCall
          ? ' How much of it is the network’s cannot be told.'
          : ` No more than ${formatPercent(mostPart)} is the network’s (${formatMs(network!.mostMs)} a round trip): driver and server need the rest for any request.`;
  const ofCall = shorter
    ? `a call takes ${formatMs(callMs)}, ${formatPercent(part)} of it at most ${tripsText}: the cheapest statement takes ${formatMs(cheapestMs)} by itself, and ${ofShorter}`
    : takeAllWaiting(times, trips, cheapestMs)
      ? `a call takes ${formatMs(callMs)}, ${formatPercent(part)} of it waiting for ${tripsText}, and the cheapest statement takes no less by itself (${formatMs(cheapestMs)} a round trip)`
      : `${formatPercent(part)} of a call, which takes ${formatMs(callMs)}, is ${tripsText} as long as that of the cheapest statement (${formatMs(cheapestMs)})`;
  const fewer = fewerTrips(cell);
  const ofWaiting = waitedShare(times);
  const settled = fewer.find(({ comparison }) => comparison.verdict === 'faster' && comparison.ratio.value >= settles);
  return shown({
    claim: `${cell.name} is bound by round trips: ${ofCall}.${where}`,
    confidence: settled ? 'certain' : cell.summary.clientSaturated ? 'possible' : 'likely',
    explains: part,
    evidence: [
      time('A call', callMs, 'latency-percentiles'),
      time('Cheapest round trip', cheapestMs, 'client-shares'),
      shorter && time(`A call of ${shorter.cell.name} at most`, shorter.callMs, 'latency-percentiles'),
      network !== null && time('Part of it on the network, at most', network.mostMs, 'client-shares'),
      perCall,
      share('Share of a call in round trips', part, 'client-shares'),
      settled && ratioEvidence(settled),
    ],
    advice: `Send more with each round trip (more rows per call, a pipeline, batches of calls, array binds), ${onNetwork ? 'use more connections at once, or bring client and server closer together. A faster server would change little.' : 'or use more connections at once.'}${mostPart !== undefined && mostPart < mostOfCall ? ' A shorter network would change little.' : ''}`,
    confirm: confirmFewer(facts, cell),
    picture: partsOf(`A call, ${formatMs(callMs)}`, [
      ['round trips', part, { part: 'wait' }],
      ['server', ofWaiting - part, { class: 'cpu' }],
      ['send and receive', 1 - ofWaiting, { part: 'encode' }],
    ]),
  });
}

/** Neighbours with more rows per call, or with pipelined or batched calls. */
const fewerTrips = (cell: CellFacts): readonly Compared[] => [
  ...comparedAbove(cell, 'rowsPerCall'),
  ...comparedBy(cell, 'method').filter(({ level }) =>
    ['pipelined', 'batch', 'multiRow', 'arrayBind', 'bulk'].includes(String(level)),
  ),
];

function confirmFewer(facts: RunFacts, cell: CellFacts): Confirm | null {
  const { rowsPerCall, connections, method } = cell.settings;
  const question = `Is it the round trip that limits ${cell.name}?`;
  const rows = possibleLevels(cell, 'rowsPerCall', [rowsPerCall, rowsPerCall * 10, rowsPerCall * 100]);
  if (rows.length > 1)
    return confirmBy(facts, cell, { title: 'More rows per call', question, vary: 'rowsPerCall', levels: rows });
  const methods = possibleLevels(cell, 'method', [method, 'pipelined', 'batch', 'multiRow'] as const);
  if (methods.length > 1 && new Set(methods).size > 1)
    return confirmBy(facts, cell, {
      title: 'Fewer waits per row',
      question,
      vary: 'method',
      levels: [...new Set(methods)],
    });
  const loads = possibleLevels(cell, 'connections', [connections, connections * 2, connections * 4]);
  return confirmBy(facts, cell, { title: 'More connections at once', question, vary: 'connections', levels: loads });
}
