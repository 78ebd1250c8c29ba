import { build } from 'hdr-histogram-js';
import { Histogram, highestTrackableNs } from './histogram.ts';

/**
 * Time to record a latency, compared with hdr-histogram-js with the same digits and range; both record the same million
 * values.
 */
const values = Float64Array.from({ length: 1_000_000 }, () => Math.floor(Math.exp(Math.random() * 16)) + 50);

function bestNs(record: (ns: number) => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < 7; repeat++) {
    const start = performance.now();
    for (let i = 0; i < values.length; i++) record(values[i]!);
    best = Math.min(best, ((performance.now() - start) * 1e6) / values.length);
  }
  return best;
}

const ours = new Histogram();
const peer = build({
  lowestDiscernibleValue: 1,
  highestTrackableValue: highestTrackableNs,
  numberOfSignificantValueDigits: 3,
  bitBucketSize: 32,
});
const peerNs = bestNs((ns) => peer.recordValue(ns));
const oursNs = bestNs((ns) => ours.record(ns));
console.log(`hdr-histogram-js   ${peerNs.toFixed(1).padStart(6)} ns a record  1.00 ×`);
console.log(
  `Histogram.record   ${oursNs.toFixed(1).padStart(6)} ns a record  ${(peerNs / oursNs).toFixed(2)} × as fast`,
);
