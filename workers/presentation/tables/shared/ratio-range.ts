import type { RatioMark } from './panel-table.ts';

/** A wider interval ends at the edge of the scale, where its numbers would hide the differences of the other ratios. */
const mostBeyond = 4;

/** The range of ratios that shows all ratios and 1, and their intervals up to a multiple of the outermost ratio. */
export function ratioRange(ratios: readonly (RatioMark['ratio'] | null)[]): RatioMark['range'] {
  const values = ratios.flatMap((ratio) =>
    ratio === null ? [] : [ratio.low ?? ratio.value, ratio.high ?? ratio.value],
  );
  const positive = (all: readonly number[]) => all.filter((value) => value > 0 && Number.isFinite(value));
  const known = positive(ratios.flatMap((ratio) => ratio?.value ?? []));
  return [
    Math.max(Math.min(0.8, ...positive(values)), Math.min(1, ...known) / mostBeyond),
    Math.min(Math.max(1.25, ...positive(values)), Math.max(1, ...known) * mostBeyond),
  ];
}
