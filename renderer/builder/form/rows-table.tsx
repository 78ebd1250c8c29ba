import type { PreviewValue } from '#protocol/preview.ts';
import { scrollable } from '../../ui/display/scrollable.ts';

interface Props {
  readonly label: string;
  /** The names of the columns, which may repeat in a result. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly PreviewValue[])[];
}

/** The length from which values are cut off. */
const longValue = 40;

const isNumeric = (value: PreviewValue) => typeof value === 'number' || /^-?\d+(\.\d+)?$/.test(String(value));

const Value = ({ value }: { readonly value: PreviewValue }) => {
  if (value === null) return <span className="faint">null</span>;
  return typeof value === 'string' && value.length > longValue ? <span title={value}>{value}</span> : String(value);
};

/** Rows of a dataset or of a statement's result, in a scrolling box. */
export const RowsTable = ({ label, columns, rows }: Props) => {
  const classes = columns.map((_, c) =>
    rows.every((row) => row[c] === null || isNumeric(row[c] ?? null)) ? 'num' : undefined,
  );
  return (
    <section className="preview-box" ref={scrollable} aria-label={label}>
      <table className="grid-table preview-table mono">
        <thead>
          <tr>
            {columns.map((name, c) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names may come twice
              <th key={c} scope="col" className={classes[c]}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, r) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its number
            <tr key={r}>
              {row.map((value, c) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                <td key={c} className={classes[c]}>
                  <Value value={value} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};
