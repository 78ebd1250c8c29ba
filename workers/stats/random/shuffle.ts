/**
 * Small seeded generator (sfc32 by Chris Doty-Humphrey, from PractRand) for orders and other decisions of a plan: the
 * same seed gives the same order on every machine and version. Returns unsigned 32-bit integers.
 */
function seededRandom(seed: number, stream: number): () => number {
  let a = seed >>> 0;
  let b = Math.floor(seed / 2 ** 32) >>> 0;
  let c = stream >>> 0;
  let counter = 1;
  const next = (): number => {
    const result = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + result;
    return result >>> 0;
  };
  // The first outputs still resemble the seed; its author discards twelve.
  for (let i = 0; i < 12; i++) next();
  return next;
}

/** A shuffled copy (Fisher–Yates), decided by `seed` and `stream` alone. */
export function shuffled<T>(items: readonly T[], seed: number, stream: number): readonly T[] {
  const random = seededRandom(seed, stream);
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = below(random, i + 1);
    [result[i], result[j]] = [result[j]!, result[i]!];
  }
  return result;
}

/** Uniform in 0 … bound − 1, without the bias of a plain remainder. */
function below(random: () => number, bound: number): number {
  const limit = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const value = random();
    if (value < limit) return value % bound;
  }
}
