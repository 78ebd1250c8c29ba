import { mkdirSync, rmSync } from 'node:fs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { whole } from '#platform/whole.fixture.ts';
import { sharedHome } from '../shared-home.fixture.ts';
import { type Moment, type Strike, strike, victims } from './strike.fixture.ts';

// Whole runs of the command line, on machines that may be busy.
vi.setConfig({ testTimeout: 400_000 });

const moments = ['schema', 'load', 'warmup', 'measure', 'verify', 'report'] as const satisfies readonly Moment[];
const signals = ['SIGKILL', 'SIGSTOP', 'suspend'] as const;

/** The emulator runs while clients do; what writes the report is the command. */
const isThere = (victim: Strike['victim'], phase: Moment): boolean =>
  phase === 'report' ? victim === 'command' : victim !== 'emulator' || !['schema', 'load'].includes(phase);

/** Every process in every phase, with the network between (`npm run faults`). */
const matrix: readonly Strike[] = signals.flatMap((signal) =>
  victims
    // A machine that stays stopped tells nothing.
    .filter((victim) => victim !== 'machine' || signal !== 'SIGSTOP')
    .flatMap((victim) => moments.filter((phase) => isThere(victim, phase)).map((phase) => ({ victim, phase, signal }))),
);

/**
 * The strikes of `npm test`, on SQLite. run.test.ts has the killed client, the stopped control connection and the
 * killed server, process-lifetime.test.ts the killed command in a call, strikes.e2e.ts the killed window.
 */
const selection: readonly Strike[] = [
  { victim: 'command', phase: 'verify', signal: 'SIGKILL' },
  { victim: 'machine', phase: 'measure', signal: 'suspend' },
  { victim: 'control', phase: 'warmup', signal: 'SIGKILL' },
];

describe.skipIf(process.platform !== 'linux')('a run that is struck loses nothing', () => {
  const test = sharedHome();
  beforeEach(() => {
    rmSync(test.home.runs, { recursive: true, force: true });
    mkdirSync(test.home.runs);
  });

  const onServer = whole && !isSkipped('embedded-postgres');
  it.each(onServer ? matrix : selection)('$signal of the $victim during $phase', async (cell) => {
    const { struckIn, shown, lost } = await strike(test.home, cell, onServer ? 'embedded-postgres' : 'sqlite');
    if (whole)
      console.log(`| ${cell.signal} of the ${cell.victim} | ${struckIn} | ${shown} | ${lost.join(' ') || 'nothing'} |`);
    expect(struckIn).toBe(cell.phase);
    expect(lost).toEqual([]);
  });
});
