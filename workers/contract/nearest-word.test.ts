import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { didYouMean, editDistance, nearestWord } from './nearest-word.ts';
import { settingNames } from './settings/settings.ts';

describe('edit distance', () => {
  it('counts insertions, deletions, substitutions and swapped neighbours as one edit each', () => {
    expect(editDistance('conections', 'connections')).toBe(1);
    expect(editDistance('metthod', 'method')).toBe(1);
    expect(editDistance('bulc', 'bulk')).toBe(1);
    expect(editDistance('dataste', 'dataset')).toBe(1);
  });

  it('is symmetric, and zero only for equal words', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b) === 0).toBe(a === b);
      }),
    );
  });
});

describe('the nearest word', () => {
  it.each([
    ['conections', 'connections'],
    ['rows_per_call', 'rowsPerCall'],
    ['rows-per-call', 'rowsPerCall'],
    ['Method', 'method'],
    ['fetchsize', 'fetchSize'],
  ])('finds what %s was meant to be', (written, meant) => {
    expect(nearestWord(written, settingNames)).toBe(meant);
  });

  it('is silent where nothing is near', () => {
    expect(nearestWord('temperature', settingNames)).toBeNull();
    expect(didYouMean('zzz', ['bulk', 'bind'])).toBeNull();
    expect(nearestWord('x'.repeat(100_000), settingNames)).toBeNull();
  });
});
