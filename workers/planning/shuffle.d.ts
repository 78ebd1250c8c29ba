/**
 * Small seeded generator (sfc32 by Chris Doty-Humphrey, from PractRand) for orders and other decisions of a plan: the same seed gives
 * the same order on every machine and version. Returns unsigned 32-bit integers.
 */
export declare function seededRandom(seed: number, stream: number): () => number;
/** A shuffled copy (Fisher–Yates), decided by `seed` and `stream` alone. */
export declare function shuffled<T>(items: readonly T[], seed: number, stream: number): readonly T[];
