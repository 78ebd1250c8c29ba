import type { RunCell } from '#protocol/ipc.ts';
import { targetColour } from '../charts/chart-themes.ts';
import { useTheme } from '../state/theme.ts';

const heightPx = 24;
const barPx = 8;
const mostBars = 12;

/** The fastest cells of a run as bars from zero, in their targets' colours. It is decorative. */
export const RunPicture = ({ cells }: { readonly cells: readonly RunCell[] }) => {
  const theme = useTheme();
  const most = cells[0]?.value ?? 1;
  return (
    <svg className="run-picture" width={mostBars * barPx} height={heightPx} aria-hidden="true">
      {cells.slice(0, mostBars).map(({ label, target, index, value }, i) => {
        const height = Math.max(1, (value / most) * heightPx);
        return (
          <rect
            key={`${label} ${target}`}
            x={i * barPx}
            y={heightPx - height}
            width={barPx - 2}
            height={height}
            fill={targetColour(index, theme)}
          />
        );
      })}
    </svg>
  );
};
