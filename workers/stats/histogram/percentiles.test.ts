import { expect, test } from 'vitest';
import { Histogram } from './histogram.ts';
import { mergeEncoded } from './percentiles.ts';

const encoded = (...values: readonly number[]): string => {
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  return histogram.encode();
};

test('a used histogram keeps none of its values, and merged histograms have those of all', () => {
  const used = new Histogram();
  used.record(9_000_000);
  const merged = mergeEncoded([encoded(1_000, 2_000), encoded(5_000)], used);
  expect(merged).toBe(used);
  expect(merged!.encode()).toBe(encoded(1_000, 2_000, 5_000));
  expect(mergeEncoded([encoded(1_000)], used)!.encode()).toBe(mergeEncoded([encoded(1_000)])!.encode());
  expect(mergeEncoded([], used)).toBeNull();
});
