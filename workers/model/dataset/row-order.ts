import type { ColumnSpec } from './column-specs.ts';
import type { Dataset, TablePlan } from './dataset.ts';
import type { IndexPart } from './indexes.ts';

/**
 * True if entries of a key or an index of the table follow the order of row numbers, at least approximately or within
 * groups. Then all rows loaded in this order are added at one end of the index.
 */
export function isIndexedInRowOrder(
  { columns }: Pick<Dataset, 'columns'>,
  { columns: stored, key, indexes = [] }: Pick<TablePlan, 'columns' | 'key' | 'indexes'>,
): boolean {
  const indexed = [...(key === null ? [] : [key]), ...indexes.flatMap(({ parts }) => parts.flatMap(plainColumn))];
  return indexed.some((column) => ascends(columns, stored[column]?.name));
}

const plainColumn = (part: IndexPart): readonly number[] =>
  'column' in part && part.path === undefined ? [part.column] : [];

function ascends(columns: Readonly<Record<string, ColumnSpec>>, name: string | undefined): boolean {
  const spec = name === undefined ? undefined : columns[name];
  switch (spec?.type) {
    case 'sequence':
    case 'uuid7':
    case 'uuidSequential':
    // Files are usually written in the order of their numbers and times.
    case 'file':
      return true;
    case 'reference':
      return spec.distribution === 'sequential' || follows(spec);
    case 'frequencies':
      return follows(spec);
    case 'correlated':
      return ascends(columns, spec.of) || ascends(columns, spec.times);
    default:
      return false;
  }
}

/** From this rank correlation on, neighbouring rows have neighbouring values. */
const mostlyInOrder = 0.9;

const follows = ({ rowOrder = 0 }: { readonly rowOrder?: number | undefined }): boolean => rowOrder >= mostlyInOrder;
