import { formatMs, formatNumber, formatPercent } from '#model/format/format.ts';
import { callsInFlight } from '#model/settings/calls-in-flight.ts';
import { loadModel } from '#model/statements/load-model.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { percentileMs } from '#stats/histogram/percentiles.ts';
import { confirmBy, possibleLevels, untilSeconds } from '../shared/confirm.ts';
import { number, time } from '../shared/evidence.ts';
import { type CellFacts, noProcessorShare, type RunFacts } from '../shared/facts.ts';
import type { Confirm, Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';
import { barsOf } from '../shared/picture.ts';

/** Schedulers and garbage collection cause shorter stalls in any process. */
const leastStallMs = 100;
/**
 * A stall omits as many calls of its connection as it is longer than one call. Fewer omitted calls change no
 * percentile.
 */
const leastLeftOut = 10;
/** The least ratio of corrected to measured time, at the percentile, that changes the picture. */
const leastFactor = 2;
const percentiles = [99, 99.9] as const;
/** If the client process itself was held up for this share of a stall, it may be the cause. */
const clientsPart = 0.5;
/**
 * If client processes have no processor for this share of their time, a server on the same machine has none either …
 */
const starved = 0.05;
/**
 * … and one answer takes several of these waits: of the client, of the server's sessions and of the processes that they
 * wait for.
 */
const waitsPerAnswer = 4;
/** Share of the closed loop's rate at which an open load works off its backlog. */
const usableShare = 0.8;
/** The confirming trials are longer, to show how often stalls occur. */
const longer = { times: 3, leastSeconds: 30 };

/**
 * In a closed loop a waiting connection sends nothing, so calls that would have met a stall are not made, and
 * percentiles look better than with arrivals at a fixed rate (Tene, "How NOT to measure latency"). The evidence is
 * HdrHistogram's own correction (recordValueWithExpectedInterval), which adds the calls that each long call omitted.
 * The stall is certain. The correction assumes arrivals at the rate that the connection reached, so the finding is
 * likely. A stall during which the client itself was held up, by garbage collection or for lack of a processor, is not
 * attributed to the target.
 */
export const coordinatedOmission: Rule = {
  title: 'Coordinated omission',
  looksFor:
    'stalls during which a closed loop sent no calls, so that percentiles leave out the waits of calls that would have arrived',
  shownWhen:
    'a stall of more than 100 ms leaves out at least 10 calls, and with these a percentile is at least twice as long',
  find: eachCell(outcomeOf),
};

function outcomeOf(facts: RunFacts, cell: CellFacts): CellOutcome {
  const { histogram, latencyMs } = cell.summary;
  const load = loadModel(cell.settings);
  if (load.kind !== 'closed')
    return notShown('Work arrives independently of the answers, so the percentiles include the waits during a stall.');
  if (histogram === null || latencyMs.max === null || cell.calls === 0) return cannotTell('No latency was measured.');
  const depth = callsInFlight(cell.settings);
  const intervalMs = (cell.elapsedMs * load.users * depth) / cell.calls;
  const leftOut = latencyMs.max / intervalMs;
  if (latencyMs.max < leastStallMs || leftOut < leastLeftOut)
    return notShown(
      `The longest call took ${formatMs(latencyMs.max)}; a connection made a call every ${formatMs(intervalMs)} on average.`,
    );
  const measured = Histogram.decode(histogram);
  const corrected = withLeftOut(measured, intervalMs * 1e6);
  const all = percentiles.flatMap((p) => {
    const [before, after] = [percentileMs(measured, p), percentileMs(corrected, p)];
    return before === null || after === null ? [] : [{ p, before, after }];
  });
  if (all.length === 0) return cannotTell('There are too few calls for a percentile that a stall would change.');
  const changed = all.find(({ before, after }) => after >= before * leastFactor);
  const linkOf = 'latency-percentiles';
  if (changed === undefined) {
    const { p, before, after } = all.at(-1)!;
    return notShown(
      `With the calls that a stall of ${formatMs(latencyMs.max)} left out, p${p} would be ${formatMs(after)} instead of ${formatMs(before)}.`,
    );
  }
  const { p, before, after } = changed;
  const stalledMs = clientStallMs(cell, latencyMs.max);
  if (stalledMs !== null && stalledMs >= latencyMs.max * clientsPart)
    return cannotTell(
      `The longest call took ${formatMs(latencyMs.max)}, and a client process was itself ${cell.inProcess ? 'without a processor' : 'held up'} for ${formatMs(stalledMs)} at that time, so the client may have caused the stall.`,
    );
  const waited = noProcessorShare(cell);
  const { pauses } = cell;
  if (waited >= starved && !cell.inProcess && pauses !== null && pauses.loopLongestMs * waitsPerAnswer >= latencyMs.max)
    return cannotTell(
      `The longest call took ${formatMs(latencyMs.max)}, but the machine was short of processors: the client’s processes waited for one for ${formatPercent(waited)} of their time, and their event loops were held up for up to ${formatMs(pauses.loopLongestMs)}.`,
    );
  const asMeasured = time(`p${p} as measured`, before, linkOf);
  const putBack = time(`p${p} corrected`, after, linkOf);
  return shown({
    claim: `${cell.name} stalled for up to ${formatMs(latencyMs.max)}, and a waiting connection sends no calls: p${p} is ${formatMs(before)} as measured, and ${formatMs(after)} if the calls that would have been sent in that time are added.`,
    confidence: stalledMs === null ? 'possible' : 'likely',
    explains: Math.min(1, latencyMs.max / cell.elapsedMs),
    evidence: [
      time('Longest call', latencyMs.max, linkOf),
      time('Mean time between two calls of a connection', intervalMs, linkOf),
      asMeasured,
      putBack,
      number('Calls added', corrected.count - measured.count, linkOf),
      stalledMs !== null &&
        time(
          cell.inProcess ? 'Client without a processor at that time' : 'Client held up at that time',
          stalledMs,
          'client-health',
        ),
    ],
    advice: `Do not promise p${p} of a closed loop to users, who arrive whether or not the server answers: measure it under open load, which starts every call at its intended time. “Time series” shows what happened in the second of the stall, which was ${formatNumber(leftOut)} times as long as the mean time between two calls of a connection.`,
    confirm: confirmOpen(facts, cell),
    picture: barsOf('Latency', putBack, asMeasured),
  });
}

/** The same work, arriving at a rate that the target can sustain; null if the work cannot have an open load. */
function confirmOpen(facts: RunFacts, cell: CellFacts): Confirm | null {
  const units = cell.calls / cell.settings.callsPerCommit;
  const arrivalsPerSecond = Number((((units * 1_000) / cell.elapsedMs) * usableShare).toPrecision(3));
  const open = { load: 'open', thinkMs: 0, arrivals: 'poisson', arrivalsPerSecond } as const;
  if (possibleLevels(cell, 'load', ['open'], open).length === 0) return null;
  return confirmBy(facts, cell, {
    title: 'How long arrivals wait',
    question: `How long do calls wait for ${cell.target.name} if they arrive independently of its answers?`,
    vary: 'load',
    levels: ['closed', 'open'],
    more: [
      { path: ['factors', 'load'], value: { closed: { load: 'closed' }, open } },
      ...untilSeconds(Math.max(longer.leastSeconds, facts.model.plan.measure.seconds * longer.times)),
    ],
  });
}

/**
 * The longest time for which a client process itself was held up in the seconds of a call of this duration; null if
 * unknown. An engine inside the process holds it up by working; then the time without a processor counts.
 */
function clientStallMs({ views, inProcess }: CellFacts, longestMs: number): number | null {
  const stalls = views.flatMap(({ series }) =>
    series.maxMs.flatMap((max, i) => (max === null || max < longestMs ? [] : [{ series, i }])),
  );
  const ownStalls = stalls.map(({ series: { atMs, loopLongestMs, noProcessorMs }, i }) => {
    const fromMs = Math.min(atMs[i - 1] ?? 0, atMs[i]! - longestMs);
    const meanwhile = <T>(values: readonly T[]) => values.filter((_, at) => at <= i && atMs[at]! >= fromMs);
    const known = meanwhile(inProcess ? noProcessorMs : loopLongestMs);
    if (known.includes(null)) return null;
    return known.reduce<number>((all, ms) => (inProcess ? all + Number(ms) : Math.max(all, Number(ms))), 0);
  });
  // The client caused one of several stalls. It may have caused the longest, because their order is unknown.
  return ownStalls.length === 0 || ownStalls.includes(null) ? null : Math.max(...ownStalls.map(Number));
}

/**
 * More values than this for one bucket change no leading digit of a percentile, so each value then stands for several.
 */
const mostSteps = 10_000;

/** The correction of HdrHistogram: a value v also stands for v − i, v − 2i… down to the expected interval i. */
function withLeftOut(measured: Histogram, intervalNs: number): Histogram {
  const corrected = new Histogram();
  corrected.add(measured);
  for (const { fromNs, toNs, count } of measured.buckets()) {
    const value = Math.floor((fromNs + toNs) / 2);
    const each = Math.max(1, Math.ceil(value / intervalNs / mostSteps));
    const step = intervalNs * each;
    for (let missing = value - intervalNs; missing >= intervalNs; missing -= step)
      corrected.recordMany(missing, count * each);
  }
  return corrected;
}
