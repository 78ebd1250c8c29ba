import { Button as AriaButton } from 'react-aria-components/Button';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { PanelCell, PanelColumn, PanelTable as PanelTableData } from '#presentation/tables/shared/panel-table.ts';
import type { Cell as CellOfRow } from '#protocol/plan.ts';
import { RatioMark } from '../charts/ratio-mark.tsx';
import { Swatch } from '../charts/swatch.tsx';
import { scrollable } from '../ui/display/scrollable.ts';

interface Props {
  readonly model: RunModel;
  readonly table: PanelTableData;
  /** The label of the table, if the panel has several tables. */
  readonly label?: string | undefined;
  /** Opens the trials of a cell. Absent: rows open nothing. */
  readonly onInspect?: (cell: CellOfRow) => void;
}

const classes: Readonly<Record<PanelColumn['kind'], string | undefined>> = {
  head: undefined,
  level: 'level',
  target: 'target',
  words: undefined,
  aside: 'muted aside',
  remark: 'remark',
  number: 'num',
};

/** A group that begins after this many rows has the titles of the columns once more: the head is off the screen. */
const rowsOfScreen = 8;

/** A table of the outline. It scrolls sideways if it is wider than its panel. */
export const PanelTable = ({ model, table: { columns, rows }, label, onInspect }: Props) => (
  <div className="scroll-x" ref={scrollable}>
    <table className="grid-table" aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <ColumnHead key={column.title} model={model} column={column} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ cells, group, cell: own }, r) => {
          const row = (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a table have no identity but their place
            <tr key={r} className={own && onInspect ? 'opening-row' : undefined}>
              {cells.map((cell, c) => (
                <Cell
                  key={columns[c]!.title}
                  cell={cell}
                  column={columns[c]!}
                  isFirst={c === 0}
                  onPress={c === 0 && own && onInspect ? () => onInspect(own) : undefined}
                />
              ))}
            </tr>
          );
          if (group === undefined || group === rows[r - 1]?.group) return row;
          return [
            <tr key={group}>
              <th scope="rowgroup" colSpan={r < rowsOfScreen ? columns.length : 1} className="group-head">
                {group}
              </th>
              {r >= rowsOfScreen &&
                columns
                  .slice(1)
                  .map((column) => (
                    <ColumnHead key={column.title} model={model} column={column} className="group-head" />
                  ))}
            </tr>,
            row,
          ];
        })}
      </tbody>
    </table>
  </div>
);

interface HeadProps {
  readonly model: RunModel;
  readonly column: PanelColumn;
  readonly className?: string;
}

const ColumnHead = ({ model, column: { title, kind, target }, className }: HeadProps) => (
  <th scope="col" className={[className, kind === 'number' && 'num'].filter(Boolean).join(' ') || undefined}>
    {target === undefined ? title : <TargetName model={model} name={target} />}
  </th>
);

interface CellProps {
  readonly cell: PanelCell;
  readonly column: PanelColumn;
  readonly isFirst: boolean;
  readonly onPress: (() => void) | undefined;
}

const Cell = ({ cell, column, isFirst, onPress }: CellProps) => {
  const { text, tone, mark } = typeof cell === 'string' ? { text: cell } : cell;
  const className = [classes[column.kind], tone].filter((name) => name !== undefined).join(' ') || undefined;
  const body = typeof text === 'string' ? text : text.map((line) => <div key={line}>{line}</div>);
  // A step that only the right plan has has no name at the left.
  return (isFirst || column.kind === 'level') && text !== '' ? (
    <th scope="row" className={className}>
      {onPress === undefined ? (
        body
      ) : (
        <AriaButton className="link" onPress={onPress}>
          {body}
        </AriaButton>
      )}
    </th>
  ) : (
    <td className={className}>
      {body}
      {mark && <RatioMark {...mark} />}
    </td>
  );
};

/** A target's name with its colour. */
export const TargetName = ({ model, name }: { readonly model: RunModel; readonly name: string }) => (
  <span className="legend">
    <Swatch index={model.plan.targets.find((target) => target.name === name)?.index ?? 0} /> {name}
  </span>
);
