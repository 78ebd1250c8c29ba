import { vi } from 'vitest';
import { DynoError } from '#model/error.ts';
import { runTrial } from '../trial/trial.ts';
import type { TrialContext, TrialOutcome } from '../trial/trial-context.ts';
import { notVerified } from '../trial/verification.ts';
import { emptyResult, noCalls } from '../worker/merge-results.ts';

/**
 * Simulated trials of known throughput, 0.3 s each, instead of processes, so decisions after them are the same each
 * time. A trial without a number of calls fails. The test's file spies on trial.ts.
 */
export function withMadeTrials(callsOf: (context: TrialContext) => number | null): void {
  vi.mocked(runTrial).mockImplementation(async (context): Promise<TrialOutcome> => {
    const calls = callsOf(context);
    const result = {
      ...emptyResult,
      ...context.trial,
      status: calls === null ? 'failed' : 'ok',
      error: calls === null ? new DynoError('serverGone', 'Too many.').data : null,
      elapsedMs: 250,
      totals: { ...noCalls, calls: calls ?? 0, rows: calls ?? 0 },
      workers: 1,
      verification: notVerified('Made up.'),
      phaseMs: { prepare: 50, measure: 250 },
    } as const;
    return { result, kept: null };
  });
}
