import { formatMs } from '#model/format/format.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { positiveMeanInterval } from '#stats/intervals/intervals.ts';
import type { BuildCost } from '../run-model/run-model.ts';

/** Mean over the repeats that built a key or an index; null if no repeat did. */
export function buildCostOf(ok: readonly TrialResult[]): BuildCost | null {
  const built = ok.filter(({ builds = [] }) => builds.length > 0);
  const msOf = ({ builds = [] }: TrialResult) => builds.reduce((sum, { ms }) => sum + ms, 0);
  const totalMs = positiveMeanInterval(built.map(msOf));
  const [first] = built;
  if (first?.builds === undefined || totalMs === null) return null;
  const counted = first.builds.some((one) => one.counted);
  return {
    parts: first.builds.map(({ part }, i) => ({
      part,
      ms: built.reduce((sum, { builds }) => sum + (builds?.[i]?.ms ?? 0), 0) / built.length,
    })),
    totalMs,
    counted,
    loadPerSecond: counted
      ? positiveMeanInterval(built.map(({ totals, elapsedMs }) => (totals.rows * 1_000) / elapsedMs))
      : null,
  };
}

/** "key 1.2 s, index on at 300 ms". */
export const buildCostText = ({ parts }: BuildCost): string =>
  parts.map(({ part, ms }) => `${part} ${formatMs(ms)}`).join(', ');
