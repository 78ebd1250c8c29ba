import type { Hit, HitCell, Scene } from '#presentation/charts/kit/scene.ts';
import { scrollable } from '../ui/display/scrollable.ts';
import { useRovingFocus } from './roving-focus.ts';
import { drawnShape } from './scene-image.tsx';

interface Props {
  readonly scene: Scene;
  /** Opens the details of a cell. Absent if areas cannot be opened. */
  readonly onInspect?: (cell: HitCell) => void;
  /** Opens a run. Absent if no area stands for a run. */
  readonly onOpenRun?: (runId: string) => void;
  /** Called with the series under the pointer, or null. */
  readonly onPoint?: (series: string | null) => void;
}

/**
 * A picture whose areas can be reached with the pointer and the arrow keys. Areas of cells open their details, and
 * areas of runs open the run.
 */
export const Picture = ({ scene, onInspect, onOpenRun, onPoint }: Props) => {
  const { label, widthPx, heightPx, font, shapes, hits } = scene;
  const rows = [...Map.groupBy(hits, ({ row }) => row).values()];
  const focus = useRovingFocus(
    rows.map(({ length }) => length),
    (row, column) => open(rows[row]?.[column]),
  );
  const open = (hit: Hit | undefined) => {
    if (hit?.cell?.hasTrials) onInspect?.(hit.cell);
    else if (hit?.runId !== undefined) onOpenRun?.(hit.runId);
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
        {rows.flatMap((own, row) =>
          own.map((hit, column) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: an area that opens nothing is an image
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: areas have no identity but their place
              key={`${row} ${column}`}
              {...focus.cell(row, column)}
              className="picture-hit"
              role={hit.cell === undefined && hit.runId === undefined ? 'img' : 'button'}
              aria-label={hit.spoken}
              aria-disabled={hit.cell === undefined ? undefined : !hit.cell.hasTrials}
              data-series={hit.series}
              onClick={() => open(hit)}
              x={hit.xPx}
              y={hit.yPx}
              width={hit.widthPx}
              height={hit.heightPx}
              rx={5}
              fill="none"
            >
              <title>{hit.spoken}</title>
            </rect>
          )),
        )}
      </svg>
    </div>
  );
};
