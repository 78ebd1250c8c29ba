import type { PictureCell } from '#presentation/charts/picture/picture-rows.ts';
import type { Scene } from '#presentation/charts/picture/scene.ts';
import { scrollable } from '../ui/display/scrollable.ts';
import { useRovingFocus } from './roving-focus.ts';
import { drawnShape } from './scene-image.tsx';

interface Props {
  readonly scene: Scene;
  readonly onInspect: (cell: PictureCell) => void;
  /** The series under the pointer; null: none. */
  readonly onPoint?: (series: string | null) => void;
}

/** A picture whose cells open their details. Arrow keys move among them. */
export const Picture = ({ scene: { label, widthPx, heightPx, font, shapes, hits }, onInspect, onPoint }: Props) => {
  const rows = Map.groupBy(hits, ({ row }) => row);
  const focus = useRovingFocus(
    Array.from({ length: 1 + Math.max(-1, ...rows.keys()) }, (_, row) => rows.get(row)?.length ?? 0),
    (row, column) => inspect(rows.get(row)?.[column]?.cell),
  );
  const inspect = (cell: PictureCell | undefined) => {
    if (cell?.hasTrials) onInspect(cell);
  };
  return (
    <div className="scroll-x" ref={scrollable}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in an SVG document */}
      <svg
        className="picture-svg"
        width={widthPx}
        height={heightPx}
        role="group"
        aria-label={label}
        fontFamily={font}
        onKeyDown={focus.onKeyDown}
        onPointerOver={({ target }) =>
          onPoint?.(
            target instanceof Element ? (target.closest('[data-series]')?.getAttribute('data-series') ?? null) : null,
          )
        }
        onPointerLeave={() => onPoint?.(null)}
        onFocus={({ target }) => onPoint?.(target.getAttribute('data-series'))}
        onBlur={() => onPoint?.(null)}
      >
        {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in this group takes the focus */}
        <g aria-hidden="true">{shapes.map(drawnShape)}</g>
        {[...rows.values()].flatMap((own) =>
          own.map(({ row, cell, spoken, series, xPx, yPx, ...size }, column) => (
            // biome-ignore lint/a11y/useSemanticElements: a button cannot stand in an SVG document
            <rect
              key={`${row} ${cell.variant} ${cell.target}`}
              {...focus.cell(row, column)}
              className="picture-hit"
              role="button"
              aria-label={spoken}
              aria-disabled={!cell.hasTrials}
              data-series={series}
              onClick={() => inspect(cell)}
              x={xPx}
              y={yPx}
              width={size.widthPx}
              height={size.heightPx}
              rx={5}
              fill="none"
            >
              <title>{spoken}</title>
            </rect>
          )),
        )}
      </svg>
    </div>
  );
};
