import { formatCount, formatMs, formatPercent } from '#model/format/format.ts';
import { number, share, time } from '../shared/evidence.ts';
import type { CellFacts } from '../shared/facts.ts';
import type { Confidence, Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';
import type { Mark, Picture } from '../shared/picture.ts';

/** A tail below this multiple of the median needs no explanation. */
const longTail = 3;
/** Share of the slowest calls that pauses delayed. */
const mostCalls = 0.5;
/** With so few pauses, slow calls may coincide with them by chance. */
const fewPauses = 3;

/**
 * The slowest calls spent most of their time while their own process collected garbage, which is timed call by call.
 * Calls that are slow for another reason also meet pauses, for the share g of their time. By Markov's inequality, at
 * most 2 g of them then spend half of their time in pauses. A lack of processors delays pauses as it delays all other
 * work, so its share is subtracted.
 */
export const gcInTail: Rule = {
  title: 'Garbage collection in tail latency',
  looksFor: 'slowest calls that waited while the client collected garbage',
  shownWhen:
    'p99 is at least 3 times the median, and at least half of the slowest calls spent most of their time in the client’s garbage collection, which is more than chance explains',
  find: eachCell((_, cell) => judge(cell)),
};

function judge(cell: CellFacts): CellOutcome {
  const { p50, p99 } = cell.summary.latencyMs;
  if (p50 === null || p99 === null) return cannotTell('There are too few calls for a 99th percentile.');
  if (p99 < longTail * p50)
    return notShown(`The slowest calls are not far from the others: p99 ${formatMs(p99)}, median ${formatMs(p50)}.`);
  const { slowest, pauses, processTime } = cell;
  if (slowest === null || pauses === null || processTime === null)
    return cannotTell('The times of the client’s pauses and of its slowest calls do not add up.');
  const { calls, delayedByPauses, pauses: delayingPauses } = slowest;
  const delayedShare = delayedByPauses / calls;
  const found = `${formatCount(delayedByPauses)} of the ${formatCount(calls)} slowest calls spent most of their time while the client collected garbage`;
  if (delayedShare < mostCalls) return notShown(`${found}.`);
  const { gcMs } = cell.health;
  const pausedShare = gcMs / processTime.wallMs;
  if (delayedShare <= 2 * pausedShare)
    return notShown(
      `${found}, which is no more than chance explains: the client collected garbage for ${formatPercent(pausedShare)} of the time.`,
    );
  const { noProcessorMs } = pauses;
  const outweighed = noProcessorMs !== null && noProcessorMs > gcMs / 2;
  const ofWork = gcMs / (processTime.wallMs - processTime.waitMs - processTime.idleMs);
  if (outweighed && delayedShare <= ofWork)
    return cannotTell(
      `${found}, but garbage collection is ${formatPercent(ofWork)} of the client’s work, and the client waited for a processor for ${formatMs(noProcessorMs)}. Either explains the slow calls: a machine with a processor to spare would show which.`,
    );
  const health = 'client-health';
  const latency = 'latency-percentiles';
  return shown({
    claim: `The slowest calls of ${cell.name} (p99 ${formatMs(p99)}, median ${formatMs(p50)}) are slowed by the client: ${found}, in ${formatCount(delayingPauses)} pauses of up to ${formatMs(pauses.gcLongestMs)}.${outweighed ? ' The client also waited for a processor, which makes pauses longer.' : ''}`,
    confidence: confidenceOf(delayingPauses, noProcessorMs === null || outweighed),
    explains: Math.min(1, pausedShare),
    evidence: [
      number('Slowest calls', calls, latency),
      number('Delayed by pauses', delayedByPauses, latency),
      number('Pauses that delayed them', delayingPauses, health),
      share('Share of their time in pauses', Math.min(1, slowest.pausedMs / slowest.ms), latency),
      share('Share of all time in pauses', Math.min(1, pausedShare), health),
      time('Longest pause', pauses.gcLongestMs, health),
      noProcessorMs !== null && time('Waited for a processor', noProcessorMs, health),
      time('p99 of a call', p99, latency),
      time('Median of a call', p50, latency),
    ],
    advice:
      'Use more client processes, and fewer or smaller rows per call, before you take these percentiles as those of the server.',
    confirm: null,
    picture: pictureOf(calls, delayedByPauses),
  });
}

/** The number of slowest calls that pauses delayed, and of the other slowest calls. */
function pictureOf(all: number, delayed: number): Picture {
  const part = (label: string, count: number, tone: Mark['tone']): Mark => ({
    ...{ label, value: count / all, text: formatCount(count), tone },
  });
  return {
    kind: 'parts',
    title: `The ${formatCount(all)} slowest calls`,
    marks: [
      part('mostly in pauses of the client', delayed, { part: 'generate' }),
      part('others', all - delayed, { part: 'wait' }),
    ],
  };
}

const confidenceOf = (pauses: number, mayLackProcessors: boolean): Confidence =>
  pauses < fewPauses ? 'possible' : mayLackProcessors ? 'likely' : 'certain';
