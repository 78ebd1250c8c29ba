import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shuffled } from './shuffle.ts';

describe('shuffling', () => {
  it('gives a permutation, the same one for the same seed', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.maxSafeInteger(), fc.nat(), (items, seed, stream) => {
        const result = shuffled(items, seed, stream);
        expect([...result].sort()).toEqual([...items].sort());
        expect(shuffled(items, seed, stream)).toEqual(result);
      }),
    );
  });

  it('gives another order for another seed, also beyond 32 bits, and for another round', () => {
    const items = Array.from({ length: 50 }, (_, i) => i);
    const orders = [
      shuffled(items, 1, 1),
      shuffled(items, 1 + 2 ** 32, 1),
      shuffled(items, 2, 1),
      shuffled(items, 1, 2),
      shuffled(items, -1, 1),
    ];
    expect(new Set(orders.map(String)).size).toBe(orders.length);
  });

  it('puts every item into every place about equally often', () => {
    const counts = [0, 0, 0, 0, 0];
    for (let seed = 0; seed < 5_000; seed++) counts[shuffled([0, 1, 2, 3, 4], seed, 1).indexOf(0)]!++;
    // Binomial(5000, 1/5): mean 1000, standard deviation 28; seven deviations either way.
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(200);
  });

  it('keeps its order across versions, because journals are resumed by it', () => {
    expect(shuffled(['a', 'b', 'c', 'd', 'e', 'f'], 1, 1).join('')).toMatchInlineSnapshot(`"ecdbfa"`);
  });
});
