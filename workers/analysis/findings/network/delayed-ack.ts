import { formatBytes, formatMs, formatPercent } from '#model/format/format.ts';
import { Histogram } from '#stats/histogram.ts';
import { confirmBy } from '../shared/confirm.ts';
import { bytes, linkTo, share, time } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Confirm, Rule } from '../shared/finding.ts';
import { optionOf } from '../shared/option-of.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';

/**
 * How long the receiver of half a message withholds its acknowledgement, while the sender's Nagle algorithm waits for
 * it (RFC 896, 1122).
 */
interface Delay {
  /** Whose TCP acknowledges so late. */
  readonly of: string;
  /** Calls that are stalled once take as long as this, and their own time. */
  readonly fromMs: number;
  readonly toMs: number;
}

const delays: readonly Delay[] = [
  // TCP_DELACK_MIN, HZ / 25 (include/net/tcp.h): a timer in whole ticks, of 4 ms by default; loopback shows 43 to 52.
  { of: 'Linux', fromMs: 39, toMs: 52 },
  // TcpDelAckTicks 2 of 100 ms; the same in BSD (RFC 1122, 4.2.3.2, allows 500).
  { of: 'Windows', fromMs: 190, toMs: 216 },
];
/** Fewer of the calls are single accidents. */
const leastShare = 0.02;
const leastCalls = 50;
/** A mode: calls per ms in the window ÷ those beside it, on the side that has more of them. */
const leastPeak = 4;
/** Beside the window: this share of its width is looked at on each side. */
const besideShare = 1;
/** Stalls on a way that is as long as this are not told from the way. */
const mostWay = 0.5;
/** A segment of Ethernet: 1,500 bytes less the headers of IP and TCP. What fits in one is never held back. */
const segmentBytes = 1_460;

/**
 * Calls that take as long as a withheld acknowledgement, with few that take a little less or more. Likely where the
 * same cell without (TCP_NODELAY on) has no such calls, or a request is larger than a packet; else possible.
 */
export const delayedAck: Rule = {
  title: 'Delayed acknowledgements',
  looksFor: 'calls that wait 40 or 200 ms for an acknowledgement that TCP withholds (Nagle, delayed ACK)',
  shownWhen: '2 % and at least 50 of the calls are in a mode at 40 or 200 ms that has 4 times the calls beside it',
  find: eachCell(outcomeOf, {
    cells: ({ measured }) => measured.filter(({ inProcess }) => !inProcess),
    whyNone: 'Engines inside the client process send no packets.',
  }),
};

interface Mode {
  readonly delay: Delay;
  readonly calls: number;
  readonly share: number;
}

function outcomeOf(facts: RunFacts, cell: CellFacts): CellOutcome {
  const { histogram } = cell.summary;
  if (histogram === null || cell.calls < leastCalls)
    return cannotTell(`Fewer than ${leastCalls} calls show no mode of their latencies.`);
  const mode = modeOf(Histogram.decode(histogram));
  if (mode === null) return notShown('Latencies have no peak near 40 or 200 ms.');
  const { delay } = mode;
  if (cell.roundTripMs !== null && cell.roundTripMs > delay.fromMs * mostWay)
    return notShown(`The way to the server and back takes ${formatMs(cell.roundTripMs)} by itself.`);
  const sent = bytesPerCall(cell);
  const packet = optionOf(cell, 'packetSize');
  const packetBytes = packet === null ? segmentBytes : Number(packet.value);
  const large = sent !== null && sent > packetBytes;
  const without = neighbourWithout(cell);
  const { p50 } = cell.summary.latencyMs;
  const evidence = [
    share(`Calls of ${delay.fromMs} to ${delay.toMs} ms`, mode.share, 'latency-histogram'),
    p50 !== null && time('Median latency', p50, 'latency-percentiles'),
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
    claim: `${formatPercent(mode.share)} of the calls of ${cell.name} take ${delay.fromMs} to ${delay.toMs} ms, as long as ${delay.of} withholds an acknowledgement, and few take a little less or more.${size}`,
    confidence: large || without !== null ? 'likely' : 'possible',
    explains: Math.min(1, (mode.calls * delay.fromMs) / (cell.elapsedMs * cell.settings.connections)),
    evidence,
    advice:
      'Have the driver set TCP_NODELAY, or send a request in one write: larger packets where the protocol has a packet size, fewer rows per call where it has not.',
    confirm: confirmOf(facts, cell),
  });
}

function modeOf(histogram: Histogram): Mode | null {
  for (const delay of delays) {
    const width = (delay.toMs - delay.fromMs) * besideShare;
    let [calls, below, above] = [0, 0, 0];
    for (const { fromNs, toNs, count } of histogram.buckets()) {
      const ms = (fromNs + toNs) / 2e6;
      if (ms >= delay.fromMs && ms <= delay.toMs) calls += count;
      else if (ms >= delay.fromMs - width && ms < delay.fromMs) below += count;
      else if (ms > delay.toMs && ms <= delay.toMs + width) above += count;
    }
    const portion = calls / histogram.count;
    if (portion >= leastShare && calls >= leastPeak * Math.max(1, below, above))
      return { delay, calls, share: portion };
  }
  return null;
}

/** A neighbour that differs in what TCP does, and has no such mode. */
function neighbourWithout(cell: CellFacts) {
  const factors = [optionOf(cell, 'noDelay'), optionOf(cell, 'packetSize')].flatMap((own) => own?.factor ?? []);
  for (const { factor, level, cell: other } of cell.neighbours()) {
    const { histogram } = other.summary;
    if (!factors.includes(factor) || histogram === null || other.calls < leastCalls) continue;
    if (modeOf(Histogram.decode(histogram)) === null) return { factor, level, cell: other, share: 0 };
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
        question: `Are calls to ${cell.target.name} stalled for want of TCP_NODELAY?`,
        vary: noDelay.factor,
        levels: [true, false],
      });
}
