import type { Pauses } from '#protocol/measurement.ts';

/** Combines the pauses of several processes or trials: counts and waits are summed, and the longest pause is kept. */
export function addPauses(all: readonly Pauses[]): Pauses {
  const waits = all.map(({ noProcessorMs }) => noProcessorMs);
  return {
    gcPauses: all.reduce((sum, { gcPauses }) => sum + gcPauses, 0),
    gcLongestMs: Math.max(0, ...all.map(({ gcLongestMs }) => gcLongestMs)),
    loopLongestMs: Math.max(0, ...all.map(({ loopLongestMs }) => loopLongestMs)),
    noProcessorMs: waits.includes(null) ? null : waits.reduce<number>((sum, ms) => sum + Number(ms), 0),
  };
}
