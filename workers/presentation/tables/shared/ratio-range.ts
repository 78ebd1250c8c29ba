import type { RatioMark } from './panel-table.ts';

/** The range of ratios that shows all intervals and 1. */
export function ratioRange(ratios: readonly (RatioMark['ratio'] | null)[]): RatioMark['range'] {
  const values = ratios.flatMap((ratio) =>
    ratio === null ? [] : [ratio.low ?? ratio.value, ratio.high ?? ratio.value],
  );
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  return [Math.min(0.8, ...positive), Math.max(1.25, ...positive)];
}
