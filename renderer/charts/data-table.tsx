import { formatCount, formatNumber } from '#model/format/format.ts';
import type { Table } from '#presentation/tables/shared/csv.ts';

interface Props {
  readonly table: Table;
  readonly label: string;
  readonly heightPx: number;
}

/** The most rows in the page. More rows would make it slow; the CSV has all of them. */
const mostRows = 500;

const text = (value: string | number | null): string =>
  typeof value === 'string' ? value : Number.isInteger(value) ? formatCount(value) : formatNumber(value, 4);

/** The numbers of a chart as a table, also for users who cannot see the chart. */
export const DataTable = ({ table, label, heightPx }: Props) => (
  <section
    className="data-table"
    style={{ maxHeight: Math.max(heightPx, 240) }}
    aria-label={`${label}, as a table`}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    tabIndex={0}
  >
    <table className="grid-table">
      <thead>
        <tr>
          {table.columns.map((name, c) => (
            <th key={name} scope="col" className={typeof table.rows[0]?.[c] === 'string' ? undefined : 'num'}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.slice(0, mostRows).map((row, r) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a table have no identity but their place
          <tr key={r}>
            {row.map((value, c) => (
              <td key={table.columns[c]} className={typeof value === 'string' ? undefined : 'num'}>
                {text(value)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    {table.rows.length > mostRows && (
      <p className="panel-text muted">{`The first ${mostRows} of ${table.rows.length} rows. The CSV contains all rows.`}</p>
    )}
  </section>
);
