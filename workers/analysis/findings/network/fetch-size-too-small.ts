import { formatCount, formatNumber, formatPercent } from '#model/format/format.ts';
import { comparedPicture } from '../shared/cell-pictures.ts';
import { comparedAbove, helps, ratioEvidence } from '../shared/compare-cells.ts';
import { confirmBy, possibleLevels } from '../shared/confirm.ts';
import { number, share, time } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';
import { callsOf, roundTripTime, shareOfTrips } from './round-trips.ts';

/**
 * A third of a call is spent on round trips for further rows: with a single fetch, the call could be half as fast
 * again.
 */
const worthSaying = 1 / 3;

/** Rows arrive in portions so small that round trips take most of the time. */
export const fetchSizeTooSmall: Rule = {
  title: 'Fetch size too small',
  bottleneck: 'network round trips of small fetches',
  looksFor: 'results that are fetched in too many pieces',
  shownWhen: 'a third of a call is round trips for the next rows',
  find: eachCell(judge),
};

function judge(facts: RunFacts, cell: CellFacts): CellOutcome {
  const { settings, target, callTime, rows } = cell;
  const roundTripMs = cell.summary.roundTrip?.cheapestMs ?? null;
  const { operation, method, fetchSize } = settings;
  if (operation === 'copy')
    return cannotTell('Its calls read and insert rows; the time of reading is reported separately.');
  if (operation !== 'readRange' && operation !== 'scan') return notShown('Its results are not fetched in pieces.');
  if (!target.descriptor.support[operation]?.[method]?.uses?.includes('fetchSize'))
    return notShown(`The driver of ${target.descriptor.label} takes no fetch size for these calls.`);
  const [larger] = comparedAbove(cell, 'fetchSize');
  const faster = larger?.comparison.verdict === 'faster';
  const trips = callTime === null || callTime.calls === 0 ? null : callTime.roundTrips / callTime.calls;
  const calls = callsOf(cell);
  const roundTrip = calls === null || roundTripMs === null ? null : roundTripTime(facts, cell, calls, roundTripMs);
  const part =
    callTime === null || roundTrip === null || roundTrip.isBeyond
      ? null
      : shareOfTrips([callTime], callTime.roundTrips - callTime.calls, roundTrip.ms);
  if (trips !== null && trips < 2)
    return notShown(`A call took ${formatNumber(trips)} round trips: all of its rows came at once.`);
  if (part === null && larger === undefined)
    return cannotTell('Its round trips could not be counted, and no other variant fetches more at once.');
  if (!faster && (part === null || part < worthSaying))
    return notShown(
      larger
        ? `A fetch size of ${larger.level} rows was not shown to be faster.`
        : `The round trips after the first make up ${formatPercent(part!)} of a call.`,
    );
  const perCall = number(
    'Round trips per call',
    trips ?? Math.ceil(rows / Math.max(1, cell.calls) / fetchSize),
    'client-shares',
  );
  return shown({
    claim: `${cell.name} fetches ${formatCount(fetchSize)} ${fetchSize === 1 ? 'row' : 'rows'} at a time: ${perCall.text} round trips per call${part === null ? '' : `, of which those after the first make up ${formatPercent(part)} of its time`}.`,
    // The finding is certain if larger portions were faster. Otherwise the estimate is the cheapest round trip, a lower
    // bound, times the number of round trips, unless larger portions gained nothing.
    confidence: faster ? 'certain' : larger !== undefined && helps(larger) === false ? 'possible' : 'likely',
    explains: Math.max(part ?? 0, faster ? 1 - 1 / larger.comparison.ratio.value : 0),
    evidence: [
      number('Fetch size', fetchSize, null),
      perCall,
      roundTripMs !== null && time('Cheapest round trip', roundTripMs, 'client-shares'),
      part !== null && share('Round trips after the first', part, 'client-shares'),
      larger && ratioEvidence(larger),
    ],
    advice:
      'Increase the fetch size, as far as the client’s memory allows. There is no further gain once the rows of a fetch take much longer than its round trip.',
    confirm: confirmBy(facts, cell, {
      title: 'Larger fetch sizes',
      question: `At which fetch size does ${cell.target.name} stop becoming faster?`,
      vary: 'fetchSize',
      levels: possibleLevels(cell, 'fetchSize', [fetchSize, fetchSize * 10, fetchSize * 100]),
    }),
    picture: comparedPicture(facts, cell, larger),
  });
}
