import type { Stops } from '#contract/measurement.ts';

/** Of several processes or trials: pauses and waits summed, the longest of all. Null where one of them did not tell. */
export function addPauses(all: readonly (Stops | undefined)[]): Stops | null {
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
