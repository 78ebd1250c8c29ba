import { formatBytes, formatMs, formatPercent } from '#model/format/format.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { confirmBy } from '../shared/confirm.ts';
import { bytes, linkTo, share, time } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Confirm, Rule } from '../shared/finding.ts';
import { optionOf } from '../shared/option-of.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';

/**
 * The time for which the receiver of half a message withholds its acknowledgement, while the sender's Nagle algorithm
 * waits for it (RFC 896, 1122).
 */
interface Delay {
  /** The operating systems whose TCP delays an acknowledgement for this long. */
  readonly of: string;
  /** Calls with one stall take this long plus their own time. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** If this share of calls takes less than half of the delay, the mode is no ordinary duration of the calls. */
const leastFast = 0.2;

const delays: readonly Delay[] = [
  // TCP_DELACK_MIN, HZ / 25 (include/net/tcp.h): a timer in whole ticks, of 4 ms by default; loopback shows 43 to 52.
  { of: 'Linux', fromMs: 39, toMs: 52 },
  // TcpDelAckTicks 2 of 100 ms; the same in BSD (RFC 1122, 4.2.3.2, allows 500).
  { of: 'Windows', fromMs: 190, toMs: 216 },
];
/** With fewer calls, the mode may be chance. */
const leastShare = 0.02;
const leastCalls = 50;
/** Least ratio of the calls per ms in the window to the calls per ms beside it, on the side with more calls. */
const leastPeak = 4;
/** The neighbourhood on each side of the window, as a share of its width. */
const besideShare = 1;
/** If the cheapest statement takes this long, it is indistinguishable from a stall. */
const mostWay = 0.5;
/**
 * A segment of Ethernet: 1,500 bytes minus the headers of IP and TCP. A request that fits in one is never held back.
 */
const segmentBytes = 1_460;

/** The share of a gap, or of a server's time, above which the mode's calls explain it. */
const most = 0.5;

/**
 * Calls that take as long as a delayed acknowledgement, with few calls of slightly shorter or longer duration. A
 * statement may take as long by itself, so there is no finding if the server was at work meanwhile. Likely if the same
 * cell with TCP_NODELAY has no such calls, if a request is larger than a packet and the driver is known to hold it
 * back, or if answers begin and pause for as long while the server is idle. Otherwise possible, and only if answers
 * pause or other calls are fast.
 */
export const delayedAck: Rule = {
  title: 'TCP delayed ACK',
  bottleneck: 'TCP delayed acknowledgements',
  looksFor: 'calls that wait 40 or 200 ms for an acknowledgement that TCP withholds (Nagle, delayed ACK)',
  shownWhen:
    'at least 2 % and 50 of the calls form a peak at 40 or 200 ms with 4 times the calls beside it, the server is not busy during these calls, and one of these is true: answers pause for as long, a fifth of the calls are fast, requests are larger than a packet and the driver lacks TCP_NODELAY, or the peak is gone with TCP_NODELAY',
  find: eachCell(outcomeOf, {
    cells: ({ measured }) => measured.filter(({ inProcess }) => !inProcess),
    whyNone: 'Engines inside the client process send no packets.',
  }),
};

interface Mode {
  readonly delay: Delay;
  readonly calls: number;
  readonly share: number;
  /** Share of the calls that take less than half of the delay. */
  readonly fast: number;
  /** Few calls may take slightly longer, because a busy machine delays the calls of the mode. */
  readonly isSharp: boolean;
}

function outcomeOf(facts: RunFacts, cell: CellFacts): CellOutcome {
  const { histogram } = cell.summary;
  if (histogram === null || cell.calls < leastCalls)
    return cannotTell(`It made fewer than ${leastCalls} calls, whose latencies show no peak.`);
  const mode = modeOf(Histogram.decode(histogram));
  const gapMs = cell.callTime === null ? 0 : cell.callTime.gapMs / cell.callTime.calls;
  const pauses = mode !== null && gapMs >= most * mode.share * mode.delay.fromMs;
  if (mode === null || !(mode.isSharp || pauses)) return notShown('Latencies have no peak near 40 or 200 ms.');
  const { delay } = mode;
  const { roundTrip } = cell.summary;
  if (roundTrip !== null && roundTrip.cheapestMs > delay.fromMs * mostWay)
    return notShown(`The cheapest statement already takes ${formatMs(roundTrip.cheapestMs)}.`);
  const sent = bytesPerCall(cell);
  const packet = optionOf(cell, 'packetSize');
  const packetBytes = packet === null ? segmentBytes : Number(packet.value);
  const large = sent !== null && sent > packetBytes;
  const without = neighbourWithout(cell);
  const isHeldBack = large && optionOf(cell, 'noDelay')?.value === false;
  // The time that the connections spend in the mode's calls, as a number of concurrent sessions.
  const { connections } = cell.settings;
  const stalled = Math.min(connections, (mode.calls * delay.fromMs) / cell.elapsedMs);
  const { atWork, method } = cell.server;
  if (atWork !== null && atWork > connections - most * stalled)
    return notShown(
      `The server itself was at work for ${formatPercent(Math.min(1, atWork / connections))} of the connections’ time.`,
    );
  if (pauses && atWork === null && method === 'sampled')
    return cannotTell(
      'The server’s sessions were sampled too seldom to tell whether the server was busy during these calls.',
    );
  const idle = atWork !== null && atWork < most * stalled;
  if (!isHeldBack && !pauses && without === null && mode.fast < leastFast)
    return cannotTell(
      `Most calls take ${delay.fromMs} to ${delay.toMs} ms: a statement that takes as long on the server looks the same.`,
    );
  const { p50 } = cell.summary.latencyMs;
  const evidence = [
    share(`Calls of ${delay.fromMs} to ${delay.toMs} ms`, mode.share, 'latency-histogram'),
    p50 !== null && time('Median latency', p50, 'latency-percentiles'),
    pauses && time('Longest pause within an answer', gapMs, 'client-shares'),
    sent !== null && bytes('Sent with a call', sent, 'latency-table'),
    without !== null &&
      share(
        `The same with ${without.factor} ${without.level}`,
        without.share,
        linkTo('latency-histogram', without.cell.cell),
      ),
  ];
  const size =
    sent === null
      ? ''
      : ` A call sends ${formatBytes(sent)}, ${large ? 'more than' : 'no more than'} one packet of ${formatBytes(packetBytes)}.`;
  return shown({
    claim: `${formatPercent(mode.share)} of the calls of ${cell.name} take ${delay.fromMs} to ${delay.toMs} ms, as long as ${delay.of} withholds an acknowledgement, and few take a little less${mode.isSharp ? ' or more' : ''}.${pauses ? ` Answers begin and then pause: nothing arrives for ${formatMs(gapMs)} on average.` : ''}${size}`,
    confidence: isHeldBack || without !== null || ((pauses || large) && idle) ? 'likely' : 'possible',
    explains: stalled / connections,
    evidence,
    advice: pauses
      ? 'Let the server, or the proxy in front of it, set TCP_NODELAY, or send each answer in one write.'
      : 'Let the driver set TCP_NODELAY, or send each request in one write: use larger packets if the protocol has a packet size, and fewer rows per call if it has none.',
    confirm: confirmOf(facts, cell),
  });
}

function modeOf(histogram: Histogram): Mode | null {
  for (const delay of delays) {
    const width = (delay.toMs - delay.fromMs) * besideShare;
    let [calls, below, above, fast] = [0, 0, 0, 0];
    for (const { fromNs, toNs, count } of histogram.buckets()) {
      const ms = (fromNs + toNs) / 2e6;
      if (ms < delay.fromMs / 2) fast += count;
      if (ms >= delay.fromMs && ms <= delay.toMs) calls += count;
      else if (ms >= delay.fromMs - width && ms < delay.fromMs) below += count;
      else if (ms > delay.toMs && ms <= delay.toMs + width) above += count;
    }
    const portion = calls / histogram.count;
    if (portion >= leastShare && calls >= leastPeak * Math.max(1, below))
      return {
        delay,
        calls,
        share: portion,
        fast: fast / histogram.count,
        isSharp: calls >= leastPeak * above,
      };
  }
  return null;
}

/** A neighbour with another TCP setting and without this mode. */
function neighbourWithout(cell: CellFacts) {
  const factors = [optionOf(cell, 'noDelay'), optionOf(cell, 'packetSize')].flatMap((own) => own?.factor ?? []);
  for (const { factor, level, cell: other } of cell.neighbours()) {
    const { histogram } = other.summary;
    if (!factors.includes(factor) || histogram === null || other.calls < leastCalls) continue;
    if (modeOf(Histogram.decode(histogram))?.isSharp !== true) return { factor, level, cell: other, share: 0 };
  }
  return null;
}

function bytesPerCall({ views, calls }: CellFacts): number | null {
  const sent = views.map(({ result }) => result?.health.wireSentBytes ?? null);
  return calls === 0 || sent.includes(null) ? null : sent.reduce<number>((sum, one) => sum + (one ?? 0), 0) / calls;
}

function confirmOf(facts: RunFacts, cell: CellFacts): Confirm | null {
  const noDelay = optionOf(cell, 'noDelay');
  return noDelay === null
    ? confirmBy(facts, cell, {
        title: 'Requests of one packet',
        question: `Are calls to ${cell.target.name} stalled when a request is larger than a packet?`,
        vary: 'rowsPerCall',
        levels: [...new Set([1, cell.settings.rowsPerCall])],
      })
    : confirmBy(facts, cell, {
        title: 'With and without TCP_NODELAY',
        question: `Are calls to ${cell.target.name} stalled because TCP_NODELAY is off?`,
        vary: noDelay.factor,
        levels: [true, false],
      });
}
