import { formatCount, formatMs, formatPercent } from '../format.ts';
import type { CellFacts } from './facts.ts';
import type { Outcome, Rule } from './finding.ts';
import { linkTo, number, outcomesFor, share, time } from './outcomes.ts';

/** Of the calls, as many lie beyond the 99th percentile. */
const beyond = 0.01;
/** A tail that is no longer than this multiple of the median has no explaining to do. */
const longTail = 3;
/** A pause is as long as most of what the tail has beyond the median. */
const mostOfTail = 0.5;

const { shown, notShown, cannotTell } = outcomesFor('gcInTail');

/**
 * Pauses of the client's own garbage collection are in the latencies of the slowest calls: there were pauses enough to meet one call in a
 * hundred, as long as the tail, and the processes waited less for a processor, which looks the same. That pauses and slow calls fell together
 * is not timed call by call: never certain.
 */
export const gcInTail: Rule = {
  id: 'gcInTail',
  title: 'Garbage collection in the tail',
  looksFor: 'pauses of the client’s garbage collection among the slowest calls',
  find: (facts) => facts.measured.map(judge),
};

function judge(cell: CellFacts): Outcome {
  const { p50, p99 } = cell.summary.latencyMs;
  if (p50 === null || p99 === null) return cannotTell(cell, 'Too few calls for a 99th percentile.');
  if (p99 < longTail * p50)
    return notShown(
      cell,
      `The slowest calls are not far from the others: p99 ${formatMs(p99)}, median ${formatMs(p50)}.`,
    );
  if (cell.stops === null) return cannotTell(cell, 'This run did not record how long the client’s pauses were.');
  const { gcPauses, gcLongestMs, noProcessorMs } = cell.stops;
  // A pause holds up what its process has under way; that all of it was is the most that can be said.
  const perPause = (cell.settings.connections / cell.settings.processes) * pipelined(cell);
  const met = Math.min(1, (gcPauses * perPause) / cell.calls);
  if (met < beyond)
    return notShown(
      cell,
      `${formatCount(gcPauses)} pauses can have met ${formatPercent(met)} of the calls at most; beyond p99 is ${formatPercent(beyond)} of them.`,
    );
  const tailMs = p99 - p50;
  if (gcLongestMs < tailMs * mostOfTail)
    return notShown(
      cell,
      `The longest pause took ${formatMs(gcLongestMs)}, and the tail reaches ${formatMs(tailMs)} beyond the median.`,
    );
  const { gcMs } = cell.health;
  if (noProcessorMs !== null && noProcessorMs >= gcMs)
    return cannotTell(
      cell,
      `The client’s processes waited for a processor for ${formatMs(noProcessorMs)}, longer than the ${formatMs(gcMs)} that they collected garbage: either makes such a tail. On a machine with a processor to spare it would show.`,
    );
  const processesMs = cell.processTime?.wallMs ?? cell.elapsedMs * cell.settings.processes;
  const health = linkTo('timeline', 'client-health', cell.cell);
  const latency = linkTo('latency', 'latency-percentiles', cell.cell);
  return shown(cell, {
    claim: `The slowest calls of ${cell.name} (p99 ${formatMs(p99)}, median ${formatMs(p50)}) may be the client’s own: it paused ${formatCount(gcPauses)} times to collect garbage, for up to ${formatMs(gcLongestMs)}, which can have met ${formatPercent(met)} of the calls.`,
    confidence: noProcessorMs === null ? 'possible' : 'likely',
    explains: Math.min(1, gcMs / processesMs),
    evidence: [
      number('Pauses', gcPauses, health),
      time('Longest pause', gcLongestMs, health),
      share('Garbage collection', gcMs / processesMs, health),
      ...(noProcessorMs === null ? [] : [time('Waited for a processor', noProcessorMs, health)]),
      time('p99 of a call', p99, latency),
      time('Median of a call', p50, latency),
    ],
    advice:
      'Spread the load over more client processes, and carry fewer or smaller rows per call, before the percentiles are read as the server’s.',
    confirm: null,
  });
}

const pipelined = ({ settings: { method, pipelineDepth } }: CellFacts): number =>
  method === 'pipelined' ? pipelineDepth : 1;
