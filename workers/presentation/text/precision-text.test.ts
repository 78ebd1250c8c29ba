import { expect, it } from 'vitest';
import type { Plan } from '#protocol/plan.ts';
import { precisionText } from './precision-text.ts';

const measure = { repeats: { min: 5, max: 30, relativeMargin: 0.03 } } as Plan['measure'];

const words = (round: number, halfWidth: number | null, roundsMore: number | null) =>
  precisionText(
    { round, relativeMargin: 0.03, cells: [{ variant: 'v', target: 't', of: 'ratio', halfWidth }], roundsMore },
    measure,
  ).replaceAll(/\u00a0/g, ' ');

it.each([
  [1, null, null, '4 rounds more at least, then until intervals are within ± 3.0 %'],
  [5, null, null, 'no interval yet, wanted ± 3.0 %'],
  [3, 0.02, 0, '2 rounds more at least, then until intervals are within ± 3.0 %'],
  [6, 0.041, 4, 'widest interval ± 4.1 %, wanted ± 3.0 %: about 4 rounds more'],
  [6, 0.031, 1, 'widest interval ± 3.1 %, wanted ± 3.0 %: about 1 round more'],
  [6, 0.2, 90, 'widest interval ± 20 %, wanted ± 3.0 %: the 24 rounds that are left may be too few'],
  [29, 0.06, 80, 'widest interval ± 6.0 %, wanted ± 3.0 %: the one round that is left may be too few'],
  [6, 1.8, 8_073, 'widest interval ± 180 %, wanted ± 3.0 %: the 30 rounds that are allowed are far too few'],
  [30, 0.04, 5, 'widest interval ± 4.0 %, wanted ± 3.0 %: the limit of rounds is reached'],
  [7, 0.02, 0, 'widest interval ± 2.0 %, wanted ± 3.0 %'],
])('after %i rounds says how wide and how long: %f, %i', (round, halfWidth, roundsMore, expected) => {
  expect(words(round, halfWidth, roundsMore)).toBe(expected);
});
