import { expect, it } from 'vitest';
import { Sfc32 } from '#stats/random/random.ts';
import { madeCells } from './made-cells.fixture.ts';
import { meanRatios } from './mean-ratios.ts';

const baseline = { target: 't0' };

it.each([
  [2, 2, 3],
  [3, 3, 5],
  [2, 6, 3],
  [10, 4, 3],
])(
  'calls a target of %i × %i equal cells faster or slower overall in one run of twenty at most',
  (variants, targets, repeats) => {
    const random = new Sfc32(11);
    const cv = (variant: number, target: number) => [0.01, 0.03, 0.1][(variant + 2 * target) % 3]!;
    let wrong = 0;
    for (let run = 0; run < 200; run++) {
      const means = meanRatios(madeCells(random, { variants, targets, repeats, cv }), baseline);
      expect(means).toHaveLength(targets - 1);
      if (means.some(({ verdict }) => verdict === 'faster' || verdict === 'slower')) wrong++;
    }
    // 5 % of 200 and three standard errors.
    expect(wrong).toBeLessThanOrEqual(19);
  },
);

it('finds a target that is 10 % faster in every variant, at scatter 5 % and 5 repeats', () => {
  const random = new Sfc32(3);
  let found = 0;
  for (let run = 0; run < 100; run++) {
    const model = madeCells(random, { variants: 4, targets: 3, repeats: 5, rate: (_, t) => (t === 1 ? 1_100 : 1_000) });
    if (meanRatios(model, baseline).find(({ target }) => target === 't1')?.verdict === 'faster') found++;
  }
  expect(found).toBeGreaterThan(90);
});
