import { expect, it } from 'vitest';
import type { TrialResult, Verification } from '#protocol/measurement.ts';
import { cellVerification } from './verified.ts';

/** The members of a result that the function reads. */
const trial = (outcome: Verification['outcome'], status: TrialResult['status'] = 'ok') =>
  ({ status, verification: { outcome, expectedRows: 1, foundRows: 1, note: '' } }) as TrialResult;

it('a cell is verified like its least verified trial', () => {
  expect(cellVerification([trial('match'), trial('countOnly'), trial('match')])?.outcome).toBe('countOnly');
  expect(cellVerification([trial('match'), trial('mismatch', 'failed')])?.outcome).toBe('mismatch');
});

it('trials that did not come to it say nothing', () => {
  expect(cellVerification([trial('match'), trial('skipped', 'cancelled')])?.outcome).toBe('match');
  expect(cellVerification([trial('skipped', 'cancelled')])).toBeNull();
});
