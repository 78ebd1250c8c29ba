import type { RatioMark } from '../../tables/shared/panel-table.ts';
import { rounded, type Shape, shape } from './scene.ts';

/** The size of a mark in CSS pixels. */
export const ratioMarkPx = { width: 96, height: 16 } as const;

const edgePx = 5;
const middlePx = ratioMarkPx.height / 2;

/**
 * A ratio with its interval on a logarithmic scale; the dashed line is 1. The style sheet colours it by its classes.
 * Empty for a ratio that is not positive.
 */
export function drawRatioMark({ ratio, range: [low, high] }: RatioMark): readonly Shape[] {
  const { value } = ratio;
  if (!(value > 0)) return [];
  const share = (one: number) => Math.log(Math.min(high, Math.max(low, one)) / low) / Math.log(high / low);
  const x = (one: number) => rounded(edgePx + share(one) * (ratioMarkPx.width - 2 * edgePx));
  return [
    shape('line', {
      ...{ className: 'ratio-mark-one', strokeDasharray: '2 2' },
      ...{ x1: x(1), x2: x(1), y1: 0, y2: ratioMarkPx.height },
    }),
    shape('line', { x1: x(ratio.low ?? value), x2: x(ratio.high ?? value), y1: middlePx, y2: middlePx }),
    shape('circle', { cx: x(value), cy: middlePx, r: 3.5 }),
  ];
}

/** The classes of the drawing. */
export const ratioMarkClass = ({ differs }: Pick<RatioMark, 'differs'>): string =>
  differs ? 'ratio-mark differs' : 'ratio-mark';
