import { expect } from 'vitest';
import { DynoError } from '#model/error.ts';
import { Sfc32 } from './random.ts';

/** The number of tries of an input: all with `npm run test:long -- fuzz` (DYNO_WHOLE), a sample with `npm test`. */
export const fuzzCases = (whole: boolean): number => (whole ? 10_000 : 200);

/**
 * Tries an input with each seed. `accepts` tells whether it was accepted; a refusal is a DynoError in words, and none
 * of Dyno's own defects. Returns a line of a table: the input, how many were tried and accepted, and the longest that
 * one took. @throws what was found, with the seed that shows it again.
 */
export function fuzz(input: string, cases: number, accepts: (random: Sfc32) => boolean): string {
  let accepted = 0;
  let slowestMs = 0;
  for (let seed = 0; seed < cases; seed++) {
    const began = Date.now();
    try {
      if (accepts(new Sfc32(seed))) accepted++;
    } catch (thrown) {
      const isRefusal = thrown instanceof DynoError && thrown.data.kind !== 'internal' && thrown.message !== '';
      if (!isRefusal) throw new Error(`${input}, seed ${seed}: ${String(thrown).slice(0, 2_000)}`, { cause: thrown });
    }
    slowestMs = Math.max(slowestMs, Date.now() - began);
  }
  // Some inputs have to be accepted; otherwise only the first check was tested.
  expect(accepted).toBeGreaterThan(0);
  return `| ${input} | ${cases} | ${accepted} | ${slowestMs} ms |`;
}
