import { hues } from '#model/hues.ts';
import { referenceIndex } from '#protocol/plan.ts';

/** The properties that decide the look of a target. */
interface LookWish {
  /** The target's colour in every run; null: it has no colour of its own, such as a target that the file describes. */
  readonly hue: number | null;
  /** References do no work, and have a neutral look. */
  readonly isReference: boolean;
}

/**
 * The indexes of targets (PlannedTarget), in their order. A target has its own hue in every run; where an earlier one
 * of the run has the same hue, it has a neutral look, never the hue of a third target. Targets without a hue get the
 * remaining indexes.
 */
export function looksOf(targets: readonly LookWish[]): readonly number[] {
  const owners = new Map<number, number>();
  for (const [position, { hue, isReference }] of targets.entries())
    if (hue !== null && !isReference && !owners.has(hue)) owners.set(hue, position);
  const free = Array.from({ length: hues }, (_, hue) => hue).filter((hue) => !owners.has(hue));
  let neutral = hues;
  return targets.map(({ hue, isReference }, position) => {
    if (isReference) return referenceIndex + position;
    if (hue !== null) return owners.get(hue) === position ? hue : neutral++;
    return free.shift() ?? neutral++;
  });
}
