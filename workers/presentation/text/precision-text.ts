import { percentWithin } from '#analysis/text/verdict-text.ts';
import { formatCount } from '#model/format/format.ts';
import { repeatsOf } from '#planning/repeats.ts';
import { isOutOfReach } from '#planning/stopping/precision.ts';
import type { Precision } from '#protocol/journal.ts';
import type { Plan } from '#protocol/plan.ts';

/** The precision so far in a live run: "interval ± 4.1 %, wanted ± 3 %: about 4 rounds more". */
export function precisionText(precision: Precision, measure: Plan['measure']): string {
  const { round, relativeMargin, cells, roundsMore } = precision;
  const { min, max } = repeatsOf(measure);
  const rounds = (count: number) => `${formatCount(count)} ${count === 1 ? 'round' : 'rounds'}`;
  // The intervals of few repeats are too wide to be useful, so they are shown once they can decide something.
  if (round < min)
    return `${rounds(min - round)} more at least, then until intervals are within ${percentWithin(relativeMargin)}`;
  const [widest] = cells;
  const wanted = `wanted ${percentWithin(relativeMargin)}`;
  if (widest === undefined || widest.halfWidth === null) return `no interval yet, ${wanted}`;
  const width = `widest interval ${percentWithin(widest.halfWidth)}, ${wanted}`;
  const needed = roundsMore ?? 0;
  if (needed <= 0) return width;
  const left = max - round;
  if (left <= 0) return `${width}: the limit of rounds is reached`;
  if (isOutOfReach(precision, measure)) return `${width}: the ${rounds(max)} that are allowed are far too few`;
  return needed <= left
    ? `${width}: about ${rounds(needed)} more`
    : `${width}: the ${left === 1 ? 'one round that is' : `${rounds(left)} that are`} left may be too few`;
}
