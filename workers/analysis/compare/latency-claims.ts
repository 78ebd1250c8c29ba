import { keyOf } from '#protocol/cell-key.ts';
import type { Cell } from '#protocol/plan.ts';
import { isDifference } from '#stats/intervals/compare-means.ts';
import { confidence, holm } from '#stats/intervals/intervals.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { chanceBothWays } from './late-starts.ts';
import { type LatencyRatio, resultsByCell } from './latency-ratios.ts';

/** The claims about times that a run's headlines may make. */
export interface LatencyClaims {
  /** The judged times of all cells, work by work. */
  readonly ratios: readonly LatencyRatio[];
  /** The judged ratios that differ from 1 with certainty when all comparisons of the run are considered. */
  readonly certain: ReadonlySet<LatencyRatio>;
  /** The number of comparisons of times among which headlines choose. */
  readonly comparisons: number;
}

/** True if the verdict of the ratio depends on the repeats. */
export const isTimeJudged = ({ verdict }: Pick<LatencyRatio, 'verdict'>): boolean =>
  !['baseline', 'notComparable', 'tooFewCalls', 'givenUp', 'lateStarts'].includes(verdict);

/**
 * The claims about these times, among which a headline picks the largest. All of them, and `more` other claims of the
 * headline, share the level stepwise (Holm 1979), which assumes nothing of how the times of one trial depend on each
 * other.
 */
export function latencyClaims(
  model: Pick<RunModel, 'targets' | 'trials'>,
  ratios: readonly LatencyRatio[],
  more: number,
): LatencyClaims {
  const results = resultsByCell(model);
  const repeatsOf = (cell: Cell) => results.get(keyOf(cell)) ?? [];
  const judged = ratios.filter(isTimeJudged);
  const chances = judged.map((one) => {
    const chance = isDifference(one.verdict)
      ? chanceBothWays(model, one, [repeatsOf(one), repeatsOf(one.against)])
      : null;
    return [one, chance ?? 1] as const;
  });
  const share = judged.length / Math.max(1, judged.length + more);
  return { ratios, certain: holm(new Map(chances), (1 - confidence) * share), comparisons: judged.length };
}
