import { Fragment } from 'react';
import type { TableFacts } from '#engine-api/table-facts.ts';
import {
  type ColumnChoice,
  type ColumnChoices,
  choiceKey,
  columnChoices,
  fixedColumns,
  rowBytes,
} from '#experiment/import-tables/retyped.ts';
import { columnText, type Twin } from '#experiment/import-tables/twin.ts';
import { formatBytes, formatCount } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { Checkbox, Select } from '../../ui/controls/fields.tsx';
import { GridHead, numbers } from '../../ui/display/grid-table.tsx';

interface Props {
  readonly facts: readonly TableFacts[];
  /** The tables of the experiment; null: none is ticked. */
  readonly twin: Twin | null;
  readonly scale: number;
  /** The tables that are not ticked. */
  readonly left: ReadonlySet<string>;
  readonly onTick: (id: string, isOn: boolean) => void;
  readonly choices: ColumnChoices;
  readonly onChoices: (choices: ColumnChoices) => void;
}

/** A table as it is shown and chosen. */
export const tableId = ({ schema, name }: TableFacts): string => (schema === null ? name : `${schema}.${name}`);

const asAtServer = 'asAtServer';
const labels: Readonly<Record<ColumnChoice, string>> = {
  integer: 'Whole number',
  decimal: 'Decimal',
  text: 'Text',
  time: 'Time',
  boolean: 'True or false',
  leftOut: 'Left out',
};
const selectable = [
  { id: asAtServer, label: 'As at the server' },
  ...columnChoices.map((id) => ({ id, label: labels[id] })),
];

const columns = ['Table', ...numbers('Rows', 'Rows here', 'Size here')];
const ofColumns = ['Column', 'At the server', 'In the experiment', 'Type'];

/** The tables of a server with their ticks, and the columns with the types that they get. */
export const TablesTable = ({ facts, twin, scale, left, onTick, choices, onChoices }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by the keyboard
  <section className="import-statements-list import-tables" aria-label="Tables of the server" tabIndex={0}>
    <table className="grid-table">
      <GridHead columns={columns} />
      <tbody>
        {facts.map((table) => {
          const id = tableId(table);
          return (
            <Fragment key={id}>
              <tr className={left.has(id) ? undefined : 'import-tables-table'}>
                <th scope="row">
                  <Checkbox name={id} checked={!left.has(id)} onChange={(isOn) => onTick(id, isOn)} label={id} />
                </th>
                <td className="num">{formatCount(table.rows)}</td>
                <td className="num">{left.has(id) ? '' : formatCount(Math.max(1, Math.round(table.rows * scale)))}</td>
                <td className="num">{left.has(id) ? '' : formatBytes(table.rows * scale * rowBytes(table))}</td>
              </tr>
              {!left.has(id) && (
                <tr>
                  <td colSpan={4}>
                    <details className="import-tables-columns">
                      <summary>{many(table.columns.length, 'column')}</summary>
                      <Columns table={table} all={facts} twin={twin} choices={choices} onChoices={onChoices} />
                    </details>
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  </section>
);

interface ColumnsProps extends Pick<Props, 'twin' | 'choices' | 'onChoices'> {
  readonly table: TableFacts;
  readonly all: readonly TableFacts[];
}

const Columns = ({ table, all, twin, choices, onChoices }: ColumnsProps) => {
  const mapped = twin?.mapping.find((one) => one.table === tableId(table))?.columns ?? [];
  const fixed = fixedColumns(table, all);
  return (
    <table className="grid-table" aria-label={`Columns of ${tableId(table)}`}>
      <GridHead columns={ofColumns} />
      <tbody>
        {table.columns.map(({ name, type, args }) => {
          const key = choiceKey(table, name);
          const as = mapped.find(({ column }) => column === name);
          const { [key]: choice = asAtServer, ...others } = choices;
          return (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{args.length === 0 ? type : `${type}(${args.join(',')})`}</td>
              <td>{as?.as ? columnText(as.as) : 'left out'}</td>
              <td>
                {fixed.has(name) ? (
                  <span className="faint">key</span>
                ) : (
                  <Select
                    label={`Type of ${name}`}
                    hideLabel
                    value={choice}
                    choices={selectable}
                    onChange={(to) => onChoices(to === asAtServer ? others : { ...choices, [key]: to as ColumnChoice })}
                  />
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};
