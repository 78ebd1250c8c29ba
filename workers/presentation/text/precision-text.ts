import { percentWithin } from '#analysis/text/verdict-text.ts';
import { formatCount } from '#model/format/format.ts';
import { repeatsOf } from '#planning/repeats.ts';
import type { Precision } from '#protocol/journal.ts';
import type { Plan } from '#protocol/plan.ts';

/** Beyond it, numbers are of no use to anybody. */
const mostRounds = 1_000;

/** While a run goes on: "interval ± 4.1 %, wanted ± 3 %: about 4 rounds more". */
export function describePrecision(
  { round, relativeMargin, cells, roundsMore }: Precision,
  measure: Plan['measure'],
): string {
  const { min, max } = repeatsOf(measure);
  const [widest] = cells;
  const wanted = `wanted ${percentWithin(relativeMargin)}`;
  if (widest === undefined || widest.halfWidth === null) return `no interval yet, ${wanted}`;
  const width = `widest interval ${percentWithin(widest.halfWidth)}, ${wanted}`;
  const needed = Math.max(roundsMore ?? 0, min - round);
  if (needed <= 0) return width;
  const left = max - round;
  if (left <= 0) return `${width}: no more rounds are allowed`;
  const rounds = (count: number) => `${formatCount(count)} ${count === 1 ? 'round' : 'rounds'}`;
  if (roundsMore === 0) return `${width}: ${rounds(needed)} more to make ${min}`;
  if (needed <= left) return `${width}: about ${rounds(needed)} more`;
  const many = needed > mostRounds ? `more than ${rounds(mostRounds)}` : `about ${rounds(needed)}`;
  return `${width}: ${many} more would be needed, ${formatCount(left)} ${left === 1 ? 'is' : 'are'} allowed`;
}
