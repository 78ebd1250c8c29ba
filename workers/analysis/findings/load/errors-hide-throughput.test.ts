import { describe, expect, it } from 'vitest';
import { type MadeRun, onlyShown, outcomesOf } from '../shared/findings.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { errorsHideThroughput } from './errors-hide-throughput.ts';

describe('errorsHideThroughput', () => {
  it('names the share of time spent on failed work', () => {
    const shown = onlyShown(errorsHideThroughput, {
      workload: { operation: 'update', connections: 4, keyDistribution: 'hotspot' },
      trial: () => ({ totals: { errors: { deadlock: 900 }, retries: 900, gaveUp: 0, lostMs: 10_000 } }),
    });
    expect(shown).toMatchObject({ confidence: 'certain', explains: 0.25 });
    expect(pictureText(shown)).toMatch(/^Time lost to errors and retries: this part 25\.0\s%, the rest 75\.0\s%$/);
    expect(shown.confirm?.edits).toContainEqual({
      path: ['factors'],
      value: { keyDistribution: ['hotspot', 'uniform'] },
    });
  });
  it('is silent without errors, and cannot tell without a trial', () => {
    expect(outcomesOf(errorsHideThroughput, {})[0]).toMatchObject({ status: 'notShown', why: 'No call failed.' });
    const failed: MadeRun = { trial: () => ({ result: { status: 'failed' } }) };
    expect(outcomesOf(errorsHideThroughput, failed)[0]!.status).toBe('cannotTell');
  });
});
