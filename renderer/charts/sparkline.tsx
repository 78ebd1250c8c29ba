import { useTheme } from '../state/theme.ts';
import { targetColour } from './chart-themes.ts';

interface Props {
  readonly values: readonly number[];
  /** The target that determines the colour of the line. */
  readonly index: number;
}

const widthPx = 120;
const heightPx = 24;
const edgePx = 2;

/**
 * A line without axes that begins at zero and shows the shape of the values. It is decorative, because the numbers
 * stand beside it.
 */
export const Sparkline = ({ values, index }: Props) => {
  const theme = useTheme();
  const most = Math.max(...values, Number.MIN_VALUE);
  const stepPx = (widthPx - 2 * edgePx) / Math.max(1, values.length - 1);
  const points = values.map((value, i) => {
    const y = heightPx - edgePx - (Math.max(0, value) / most) * (heightPx - 2 * edgePx);
    return `${(edgePx + i * stepPx).toFixed(1)},${y.toFixed(1)}`;
  });
  const colour = targetColour(index, theme);
  return (
    <svg className="sparkline" width={widthPx} height={heightPx} aria-hidden="true">
      {points.length === 1 ? (
        <circle cx={edgePx} cy={edgePx} r={edgePx} fill={colour} />
      ) : (
        <polyline points={points.join(' ')} fill="none" stroke={colour} strokeWidth={1.5} strokeLinejoin="round" />
      )}
    </svg>
  );
};
