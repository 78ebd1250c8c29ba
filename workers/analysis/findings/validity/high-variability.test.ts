import { describe, expect, it } from 'vitest';
import type { TrialResult } from '#protocol/measurement.ts';
import { machineUseOf } from '../../run-model/journal-parts.fixture.ts';
import { type MadeRun, onlyShown, outcomesOf } from '../shared/findings.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { highVariability } from './high-variability.ts';

describe('highVariability', () => {
  const scatter = (by: number, repeats = 5): MadeRun => ({
    repeats,
    trial: ({ repeat }) => ({ rate: 1_000 * (1 + by * (repeat % 2 === 0 ? 1 : -1)) }),
  });
  it('names the sufficient number of repeats, and proposes them', () => {
    const shown = onlyShown(highVariability, scatter(0.2));
    expect(shown.confidence).toBe('certain');
    expect(shown.claim).toContain('about 84 repeats');
    expect(pictureText(shown)).toMatch(/^Throughput of each repeat: repeat 1 802\srows\/s, .*repeat 5 800\srows\/s$/);
    expect(shown.confirm?.edits.slice(-2)).toMatchObject([
      { path: ['measure', 'repeats'], value: { min: 5 } },
      { path: ['measure', 'until', 'precision'], value: 0.05 },
    ]);
  });
  it('names no more digits of the repeats than an estimate has', () => {
    expect(onlyShown(highVariability, scatter(0.8)).claim).toMatch(/about \d,\d00 repeats/);
  });
  it('names the processor where repeats go with its speed, and else does not', () => {
    const on = (calculationUs: (repeat: number) => number, more: Partial<TrialResult> = {}): MadeRun => ({
      repeats: 8,
      trial: ({ repeat }) => ({
        rate: repeat % 2 === 0 ? 1_500 : 1_000,
        result: { machine: machineUseOf({ calculationUs: calculationUs(repeat) }), ...more },
      }),
    });
    const slowed = (repeat: number) => (repeat % 2 === 0 ? 200 : 320) + repeat;
    const shown = onlyShown(highVariability, on(slowed));
    expect(shown.claim).toMatch(
      /faster while the processor was faster: .* explains \d\d\.\d\s% of their variance\. .*took 202\sµs to 327\sµs/,
    );
    expect(shown.advice).toContain('no other virtual machine shares');
    expect(shown.evidence.map(({ label }) => label)).toContain('Fixed calculation, longest');
    for (const other of [
      on(() => 200),
      on((repeat) => 200 + 50 * Math.floor(repeat / 4)),
      on((repeat) => 500 - slowed(repeat)),
      on(slowed, { loadHosts: [] }),
      scatter(0.2, 8),
    ])
      expect(onlyShown(highVariability, other).claim).not.toContain('processor');
  });
  it('is silent below 10 %, and cannot tell of two repeats', () => {
    expect(outcomesOf(highVariability, scatter(0.05))[0]!.status).toBe('notShown');
    expect(outcomesOf(highVariability, scatter(0.2, 2))[0]!.status).toBe('cannotTell');
  });
});
