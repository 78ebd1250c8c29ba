import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Histogram, highestTrackableNs } from './histogram.ts';
import { SparseHistogram } from './sparse-histogram.ts';

const ps = [0, 1, 25, 50, 90, 95, 99, 99.9, 100];
const summary = (one: Histogram | SparseHistogram) => [one.count, one.max, ...one.percentiles(ps)];

/** Adds the same texts to one of each kind. */
function check(parts: readonly (readonly number[])[]): void {
  const dense = new Histogram();
  const sparse = new SparseHistogram();
  for (const values of parts) {
    const part = new Histogram();
    for (const value of values) part.record(value);
    dense.add(part);
    sparse.addEncoded(part.encode());
    expect(summary(sparse)).toEqual(summary(dense));
  }
}

test('it has the percentiles and the maximum of the whole histogram, however many texts are added', () => {
  // Few different values, so that buckets meet.
  const duration = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 2 ** 46 }));
  fc.assert(fc.property(fc.array(fc.array(duration, { maxLength: 60 }), { maxLength: 6 }), check));
  check([[], [5], []]);
  check([[highestTrackableNs * 4, 1], [highestTrackableNs * 8]]);
});

test('damaged text is refused', () => {
  expect(() => new SparseHistogram().addEncoded('damaged')).toThrow(/decode/);
});
