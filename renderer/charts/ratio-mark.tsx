import type { Interval } from '#stats/intervals/intervals.ts';

interface Props {
  readonly ratio: Interval | null;
  /** The lowest and highest ratio that the marks beside each other show. */
  readonly range: readonly [low: number, high: number];
  /** True if the ratio is called a difference. */
  readonly differs: boolean;
}

const widthPx = 96;
const heightPx = 16;
const edgePx = 5;
const middlePx = heightPx / 2;

/** The range of ratios that shows all intervals and 1. */
export function ratioRange(ratios: readonly (Interval | null)[]): readonly [low: number, high: number] {
  const values = ratios.flatMap((ratio) =>
    ratio === null ? [] : [ratio.low ?? ratio.value, ratio.high ?? ratio.value],
  );
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  return [Math.min(0.8, ...positive), Math.max(1.25, ...positive)];
}

/**
 * A ratio with its interval on a logarithmic scale; the dashed line is 1. It is decorative, because the numbers stand
 * beside it.
 */
export const RatioMark = ({ ratio, range: [low, high], differs }: Props) => {
  if (ratio === null || !(ratio.value > 0)) return null;
  const share = (value: number) => Math.log(Math.min(high, Math.max(low, value)) / low) / Math.log(high / low);
  const x = (value: number) => edgePx + share(value) * (widthPx - 2 * edgePx);
  const { value } = ratio;
  return (
    <svg className={differs ? 'ratio-mark differs' : 'ratio-mark'} width={widthPx} height={heightPx} aria-hidden="true">
      <line className="ratio-mark-one" x1={x(1)} x2={x(1)} y1={0} y2={heightPx} strokeDasharray="2 2" />
      <line x1={x(ratio.low ?? value)} x2={x(ratio.high ?? value)} y1={middlePx} y2={middlePx} />
      <circle cx={x(value)} cy={middlePx} r={3.5} />
    </svg>
  );
};
