import { describe, expect, it } from 'vitest';
import { type MadeRun, onlyShown, outcomesOf, processTime } from '../shared/findings.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { generationBound } from './generation-bound.ts';

describe('generationBound', () => {
  const making = (generateMs: number, generation: 'inline' | 'prepared' = 'inline'): MadeRun => ({
    workload: { generation },
    trial: () => ({ health: { processTime: processTime({ generateMs }) } }),
  });
  it('names the greatest possible gain', () => {
    const shown = onlyShown(generationBound, making(6_000));
    expect(shown.confidence).toBe('certain');
    expect(shown.claim).toContain('2.50×');
    expect(pictureText(shown)).toMatch(/data generation 60\.0\s%/);
  });
  it('begins at a quarter of the time', () => {
    expect(onlyShown(generationBound, making(2_500)).confidence).toBe('likely');
    expect(outcomesOf(generationBound, making(2_400))[0]!.status).toBe('notShown');
  });
  it('is silent if rows were prepared, and names the rows that were generated during the trial', () => {
    expect(outcomesOf(generationBound, making(0, 'prepared'))[0]).toMatchObject({
      status: 'notShown',
      why: 'Its rows were generated before the clock started.',
    });
    expect(outcomesOf(generationBound, making(1_000, 'prepared'))[0]).toMatchObject({
      status: 'notShown',
      why: expect.stringContaining('10.0') as string,
    });
  });
  it('is shown if prepared calls ran out, and if reads choose keys, and advises the remaining options', () => {
    const ranOut = onlyShown(generationBound, making(6_000, 'prepared'));
    expect(ranOut.claim).toContain('ran out');
    expect(ranOut.advice).not.toContain('Set generation');
    expect(ranOut.confirm).toBeNull();
    const reads = onlyShown(generationBound, {
      workload: { operation: 'readByKey' },
      trial: () => ({ health: { processTime: processTime({ generateMs: 6_000 }) } }),
    });
    expect(reads.claim).not.toContain('rows');
  });
});
