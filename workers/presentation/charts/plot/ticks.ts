import { formatMsTick } from '#model/format/format.ts';

/** Tick distances that give three to six ticks, for axes that powers of ten do not suit. */

/** A power of two. */
export const byteStep = (top: number): number => 2 ** Math.ceil(Math.log2(top / 3));

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const clockSteps = [second, 2 * second, 5 * second, 10 * second, 20 * second, 30 * second]
  .concat([minute, 2 * minute, 5 * minute, 10 * minute, 20 * minute, 30 * minute])
  .concat([hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour, 24 * hour]);

/**
 * The time between two ticks, in ms: 1, 2 or 5 times a power of ten below a second, then the units of clocks, then
 * whole days.
 */
export function timeStep(spanMs: number): number {
  const least = spanMs / 6;
  if (least > clockSteps.at(-1)!) return Math.ceil(least / (24 * hour)) * 24 * hour;
  if (least > second / 2) return clockSteps.find((step) => step >= least)!;
  const decade = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((step) => step * decade).find((step) => step >= least)!;
}

/** An x axis of time since a trial began to measure, in ms. */
export const timeAxis = { xName: 'elapsed', xFormat: formatMsTick, xStep: timeStep, xMin: 0 } as const;
