import { describe, expect, it } from 'vitest';
import { Sfc32 } from '#stats/random/random.ts';
import { type MadeRun, onlyShown, outcomesOf } from '../shared/findings.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import type { Series } from '../shared/picture.ts';
import { notSteady } from './not-steady.ts';

describe('notSteady', () => {
  const random = new Sfc32(1, 2);
  const timeline = (to: number, length = 40): MadeRun => ({
    measure: { until: { seconds: length }, warmupSeconds: 1 } as never,
    trial: () => ({
      seconds: Array.from({ length }, (_, i) => 1_000 * (1 + ((to - 1) * i) / length) + 20 * random.unit()),
    }),
  });
  it('is certain where every trial drifts the same way', () => {
    const shown = onlyShown(notSteady, timeline(0.5));
    expect(shown.confidence).toBe('certain');
    expect(pictureText(shown)).toBe('Throughput (rows/s), repeat 1 over time: ');
    expect((shown.picture as Series).points).toHaveLength(40);
    expect(shown.confirm?.edits).toContainEqual({ path: ['measure', 'until', 'seconds'], value: 120 });
  });
  it('is silent where trials are steady, and cannot tell of short ones', () => {
    expect(outcomesOf(notSteady, timeline(1))[0]!.status).toBe('notShown');
    expect(outcomesOf(notSteady, timeline(0.5, 10))[0]!.status).toBe('cannotTell');
  });
});
