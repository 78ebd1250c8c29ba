/** Totals of this size begin again at zero: old kernels, and some drivers of network cards, count in 32 bits. */
const size32 = 2 ** 32;

/**
 * The growth of a running total between two readings. Null: the total went back (a device was replaced, or statistics
 * were reset), and its growth is not known.
 */
export function growth(before: number, after: number): number | null {
  if (after >= before) return after - before;
  const hasWrapped = before < size32 && before >= size32 / 2 && after < size32 / 2;
  return hasWrapped ? after + size32 - before : null;
}
