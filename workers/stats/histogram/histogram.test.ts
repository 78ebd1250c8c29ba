import { deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64 } from 'hdr-histogram-js';
import { describe, expect, it } from 'vitest';
import { Histogram, highestTrackableNs, resolution } from './histogram.ts';

/** Values from 1 ns to 39 h, with all magnitudes equally likely. */
const duration = fc
  .tuple(fc.integer({ min: 0, max: 46 }), fc.double({ min: 1, max: 2, noNaN: true, maxExcluded: true }))
  .map(([exponent, mantissa]) => Math.floor(2 ** exponent * mantissa));
const durations = fc.array(duration, { minLength: 1, maxLength: 300 });
const ps = [0, 1, 25, 50, 90, 95, 99, 99.9, 100];

const of = (values: readonly number[]) => {
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  return histogram;
};

function reference(values: readonly number[]) {
  const histogram = build({
    bitBucketSize: 32,
    autoResize: false,
    lowestDiscernibleValue: 1,
    highestTrackableValue: highestTrackableNs,
    numberOfSignificantValueDigits: 3,
    useWebAssembly: false,
  });
  for (const value of values) histogram.recordValue(value);
  return histogram;
}

/**
 * HdrHistogram's compressed form: a cookie, a length, and the uncompressed form deflated. The package exports only this
 * form.
 */
function compressed(text: string): string {
  const body = deflateSync(Buffer.from(text, 'base64'));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(0x1c849304 | 0x10, 0);
  head.writeUInt32BE(body.length, 4);
  return Buffer.concat([head, body]).toString('base64');
}
const uncompressed = (text: string) => inflateSync(Buffer.from(text, 'base64').subarray(8)).toString('base64');

describe('Histogram', () => {
  it('finds percentiles of sorted arrays to 0.1 %', () => {
    fc.assert(
      fc.property(durations, fc.double({ min: 0.001, max: 100, noNaN: true }), (values, p) => {
        const sorted = values.toSorted((a, b) => a - b);
        const exact = sorted[Math.max(1, Math.ceil((p / 100) * sorted.length * (1 - 2 ** -52))) - 1]!;
        const found = of(values).percentile(p);
        expect(found).toBeGreaterThanOrEqual(exact);
        expect(found).toBeLessThanOrEqual(exact * 1.001);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it('agrees with hdr-histogram-js on every percentile, mean and maximum', () => {
    fc.assert(
      fc.property(durations, (values) => {
        const ours = of(values);
        const theirs = reference(values);
        for (const p of ps) expect(ours.percentile(p)).toBe(theirs.getValueAtPercentile(p));
        const rising = ps.toSorted((a, b) => a - b);
        expect(ours.percentiles(rising)).toEqual(rising.map((p) => theirs.getValueAtPercentile(p)));
        expect(ours.mean).toBeCloseTo(theirs.mean, 6);
        expect(ours.max).toBe(theirs.getValueAtPercentile(100));
      }),
      { seed: 2, numRuns: 50 },
    );
  });

  it('is read by hdr-histogram-js and reads what that wrote', () => {
    fc.assert(
      fc.property(durations, (values) => {
        const ours = of(values);
        const readByThem = decodeFromCompressedBase64(compressed(ours.encode()));
        const readByUs = Histogram.decode(uncompressed(encodeIntoCompressedBase64(reference(values))));
        expect(readByThem.totalCount).toBe(values.length);
        for (const p of ps) {
          expect(readByThem.getValueAtPercentile(p)).toBe(ours.percentile(p));
          expect(readByUs.percentile(p)).toBe(ours.percentile(p));
        }
      }),
      { seed: 3, numRuns: 50 },
    );
  });

  it('merges exactly, directly and from encoded text', () => {
    fc.assert(
      fc.property(durations, durations, (a, b) => {
        const both = of([...a, ...b]).encode();
        const direct = of(a);
        direct.add(of(b));
        const folded = of(a);
        folded.addEncoded(of(b).encode());
        expect(direct.encode()).toBe(both);
        expect(folded.encode()).toBe(both);
        expect(direct.count).toBe(a.length + b.length);
      }),
      { seed: 4, numRuns: 100 },
    );
  });

  it('counts every value at the first bound that it does not exceed, but for its own rounding', () => {
    const bounds = [1_000, 1e6, 1e9];
    fc.assert(
      fc.property(durations, (values) => {
        const { counts, sumNs } = of(values).inBuckets(bounds);
        let below = 0;
        for (const [at, bound] of [...bounds, Number.POSITIVE_INFINITY].entries()) {
          below += counts[at]!;
          const least = values.filter((one) => one <= bound * (1 - resolution)).length;
          const most = values.filter((one) => one <= bound * (1 + resolution)).length;
          expect(below).toBeGreaterThanOrEqual(least);
          expect(below).toBeLessThanOrEqual(most);
        }
        expect(sumNs / values.length / of(values).mean).toBeCloseTo(1, 9);
      }),
    );
  });

  it('puts every value in a bucket that holds it', () => {
    fc.assert(
      fc.property(duration, (value) => {
        const [bucket] = [...of([value]).buckets()];
        expect(bucket!.fromNs).toBeLessThanOrEqual(value);
        expect(bucket!.toNs).toBeGreaterThan(value);
        expect(bucket!.toNs - bucket!.fromNs).toBeLessThanOrEqual(Math.max(1, value / 1024));
      }),
      { seed: 5, numRuns: 2_000 },
    );
  });

  it('keeps the borders of 32-bit arithmetic apart', () => {
    for (const border of [2048, 2 ** 20, 2 ** 31, 2 ** 32, 2 ** 33, 2 ** 46])
      for (const value of [border - 1, border, border + 1]) {
        const [bucket] = [...of([value]).buckets()];
        expect(bucket!.fromNs <= value && value < bucket!.toNs, String(value)).toBe(true);
      }
  });

  it('is empty again after reset', () => {
    const histogram = of([1, 1_000, 10 ** 9]);
    histogram.reset();
    expect(histogram.encode()).toBe(new Histogram().encode());
    histogram.record(7);
    expect([histogram.count, histogram.min, histogram.max]).toEqual([1, 7, 7]);
  });

  it('counts values above the range as the highest there is, also after a round trip', () => {
    const histogram = of([5, highestTrackableNs * 2, Number.POSITIVE_INFINITY]);
    for (const { count, max } of [histogram, Histogram.decode(histogram.encode())])
      expect([count, max]).toEqual([3, highestTrackableNs]);
  });

  it('keeps counts beyond 32 bits', () => {
    const histogram = new Histogram();
    histogram.recordMany(12_345, 2 ** 45);
    histogram.recordMany(12_345, 1);
    expect(Histogram.decode(histogram.encode()).count).toBe(2 ** 45 + 1);
  });

  it('refuses negative durations, NaN and damaged text', () => {
    expect(() => of([-1])).toThrow(RangeError);
    expect(() => of([Number.NaN])).toThrow(RangeError);
    const text = of([1, 2, 3_000_000]).encode();
    expect(() => Histogram.decode('not base64!!')).toThrow(/base64/);
    expect(() => Histogram.decode('AAAA')).toThrow(/HdrHistogram/);
    expect(() => Histogram.decode(text.slice(0, -4))).toThrow(/cut short/);
    expect(() => Histogram.decode(text.slice(0, 8))).toThrow(/HdrHistogram/);
  });

  it('has no percentile without values', () => {
    expect(new Histogram().percentile(50)).toBeNaN();
    expect(Histogram.decode(new Histogram().encode()).count).toBe(0);
  });
});
