import { describe, expect, it } from 'vitest';
import { pictureText } from '../shared/picture.fixture.ts';
import { claimed, counted, indexed, only, run, scan } from './scan-runs.fixture.ts';

describe('an index that is not used', () => {
  it('is shown, and not as a missing index, where the condition wraps its column', () => {
    const { scanned, unused } = run([scan({ ...counted, filter: "((code)::text = '5'::text)" })], { dataset: indexed });
    expect(claimed(only(unused))).toMatchObject({
      confidence: 'certain',
      claim: expect.stringMatching(/beside an index on code: the condition converts code to text\.$/) as string,
    });
    expect(only(scanned).status).toBe('notShown');
    expect(pictureText(only(unused))).toBe('Rows of one execution: Rows read 100,000, Rows wanted 1');
    const called = run([scan({ ...counted, filter: '(abs(code) = 5)' })], { dataset: indexed });
    expect(claimed(only(called.unused)).claim).toContain('the condition calls abs() with code');
  });

  it('is left open where nothing in the condition explains it', () => {
    const { unused } = run([scan(counted)], { dataset: indexed });
    expect(only(unused)).toMatchObject({ status: 'cannotTell' });
  });
});
