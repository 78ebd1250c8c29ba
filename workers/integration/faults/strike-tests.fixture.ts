import { mkdirSync, rmSync } from 'node:fs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { whole } from '#platform/whole.fixture.ts';
import { sharedHome } from '../shared-home.fixture.ts';
import { type Strike, strike } from './strike.fixture.ts';

/** Strikes a run on this target once in each of these ways, and checks the losses. */
export function testStrikes(strikes: readonly Strike[], target: string): void {
  // Whole runs of the command line, on machines that may be busy.
  vi.setConfig({ testTimeout: 900_000 });

  describe.skipIf(process.platform !== 'linux')(`a run on ${target} that is struck loses nothing`, () => {
    const test = sharedHome();
    beforeEach(() => {
      rmSync(test.home.runs, { recursive: true, force: true });
      mkdirSync(test.home.runs);
    });

    it.each(strikes)('$signal of the $victim during $phase', async (cell) => {
      const { struckIn, shown, lost } = await strike(test.home, cell, target);
      if (whole)
        console.log(
          `| ${cell.signal} of the ${cell.victim}${cell.parameters ? `, parameters of ${target}` : ''} | ${struckIn} | ${shown} | ${lost.join(' ') || 'nothing'} |`,
        );
      expect({ struckIn, lost }).toEqual({ struckIn: cell.phase, lost: [] });
    });
  });
}
