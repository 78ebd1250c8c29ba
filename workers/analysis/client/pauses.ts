import type { Pauses } from '#protocol/measurement.ts';

/**
 * Adds up the pauses of several processes or trials: counts and waits are summed, of the longest ones the longest is
 * kept. Null where one of them did not report any.
 */
export function addPauses(all: readonly (Pauses | undefined)[]): Pauses | null {
  const told = all.filter((one) => one !== undefined);
  if (told.length === 0 || told.length < all.length) return null;
  const waits = told.map(({ noProcessorMs }) => noProcessorMs);
  return {
    gcPauses: told.reduce((sum, { gcPauses }) => sum + gcPauses, 0),
    gcLongestMs: Math.max(...told.map(({ gcLongestMs }) => gcLongestMs)),
    loopLongestMs: Math.max(...told.map(({ loopLongestMs }) => loopLongestMs)),
    noProcessorMs: waits.includes(null) ? null : waits.reduce<number>((sum, ms) => sum + Number(ms), 0),
  };
}
