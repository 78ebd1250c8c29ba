import type { ReactNode } from 'react';
import { scrollable } from './scrollable.ts';

/** The title of a column. Columns of numbers are aligned right. A hidden title is for screen readers only. */
type GridColumn = string | { readonly title: string; readonly kind: 'number' | 'hidden' };

/** Creates titles of columns of numbers. */
export const numbers = (...titles: readonly string[]): readonly GridColumn[] =>
  titles.map((title) => ({ title, kind: 'number' }));

interface Props {
  readonly columns: readonly GridColumn[];
  /** The accessible name, if no heading names the table. */
  readonly label?: string;
  readonly className?: string;
  /** Rows of the body. */
  readonly children: ReactNode;
}

const Head = ({ column }: { readonly column: GridColumn }) => {
  if (typeof column === 'string') return <th scope="col">{column}</th>;
  const { title, kind } = column;
  return (
    <th scope="col" className={kind === 'number' ? 'num' : undefined}>
      {kind === 'hidden' ? <span className="visually-hidden">{title}</span> : title}
    </th>
  );
};

/** The titles of a table. */
export const GridHead = ({ columns }: Pick<Props, 'columns'>) => (
  <thead>
    <tr>
      {columns.map((column) => (
        <Head key={typeof column === 'string' ? column : column.title} column={column} />
      ))}
    </tr>
  </thead>
);

/** A table that scrolls sideways if it is too wide. */
export const GridTable = ({ columns, label, className, children }: Props) => (
  <div className="scroll-x" ref={scrollable}>
    <table className={className === undefined ? 'grid-table' : `grid-table ${className}`} aria-label={label}>
      <GridHead columns={columns} />
      <tbody>{children}</tbody>
    </table>
  </div>
);
