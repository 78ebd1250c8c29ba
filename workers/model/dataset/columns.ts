import { codeParts } from '../text/code-pattern.ts';
import type { ColumnSpec, FileColumnSpec, FrequencySpec } from './column-specs.ts';
import type { Column, ColumnType, Dataset, ForeignKey } from './dataset.ts';
import { type IndexPlan, plannedIndexes } from './indexes.ts';
import { referredKey } from './referred-key.ts';
import { type StoredAs, storedType } from './stored-type.ts';
import { frequentSize, numbersOf, objectSize, oneOfSize, type TextSize, wordsSize } from './text-size.ts';

/**
 * Shortest and longest value of a text column (characters) or bytes column (bytes). Without `minLength` values have at
 * least one character, because an engine may keep the empty text as null (Oracle does).
 */
export function valueLengths(spec: ColumnSpec & { readonly type: 'text' | 'bytes' }): {
  readonly min: number;
  readonly max: number;
} {
  if (spec.length !== undefined) return { min: spec.length, max: spec.length };
  const max = spec.maxLength ?? spec.minLength ?? 1;
  return { min: Math.min(spec.minLength ?? 1, max), max };
}

const text = ({ maxLength, ascii }: TextSize): ColumnType => ({ kind: 'text', maxLength, fixed: false, ascii });

/** The declared type of one column. Integers are 64-bit on every engine, so that no range is silently narrower. */
export function columnType(spec: ColumnSpec): ColumnType {
  switch (spec.type) {
    case 'uuid4':
    case 'uuid7':
    case 'uuidSequential':
      return { kind: 'uuid' };
    case 'sequence':
    case 'integer':
      return { kind: 'bigint' };
    case 'text': {
      const { min, max } = valueLengths(spec);
      return { kind: 'text', maxLength: max, fixed: min === max, ascii: spec.alphabet !== 'unicode' };
    }
    case 'name':
      return text({ maxLength: spec.maxLength, ascii: false });
    case 'code':
      return { kind: 'text', maxLength: codeParts(spec.pattern).length, fixed: true, ascii: true };
    case 'oneOf':
      return numbersOf(spec) ? { kind: 'bigint' } : text(oneOfSize(spec));
    case 'frequencies':
      return frequentType(spec);
    case 'words':
      return text(wordsSize(spec.maxWords));
    case 'document':
      return { kind: 'text', fixed: false, document: true, ...objectSize(spec.fields) };
    case 'reference':
      return columnType(referredKey(spec).key);
    case 'decimal':
    case 'correlated':
      return { kind: 'decimal', precision: spec.precision, scale: spec.scale };
    case 'timestamp':
    case 'delayed':
      return { kind: 'timestamp' };
    case 'boolean':
      return { kind: 'boolean' };
    case 'bytes': {
      const { min, max } = valueLengths(spec);
      return { kind: 'bytes', maxLength: max, fixed: min === max };
    }
    case 'file':
      return fileColumnType(spec);
  }
}

function frequentType(spec: FrequencySpec): ColumnType {
  switch (spec.as) {
    case 'integer':
      return { kind: 'bigint' };
    case 'decimal':
      return { kind: 'decimal', ...frequentDigits(spec) };
    case 'text':
      return text(frequentSize(spec));
    case 'timestamp':
    case 'date':
      return { kind: 'timestamp' };
  }
}

/** The digits of a decimal of given frequencies. */
export const frequentDigits = ({ precision = 15, scale = 2 }: FrequencySpec) => ({ precision, scale });

/** The lengths of a file's column that the file does not say. */
const usualLength = 255;

function fileColumnType({ as, precision = 18, scale = 2, maxLength = usualLength }: FileColumnSpec): ColumnType {
  switch (as) {
    case 'integer':
      return { kind: 'bigint' };
    case 'decimal':
      return { kind: 'decimal', precision, scale };
    case 'text':
      return text({ maxLength, ascii: false });
    case 'document':
      return { kind: 'text', maxLength, fixed: false, ascii: false, document: true };
    case 'bytes':
      return { kind: 'bytes', maxLength, fixed: false };
    default:
      return { kind: as };
  }
}

/** The columns of the row that a column derives from; a null in one of them makes it null, too. */
export function madeFrom(spec: ColumnSpec): readonly string[] {
  if (spec.type === 'delayed') return [spec.of];
  if (spec.type !== 'correlated') return [];
  return spec.times === undefined ? [spec.of] : [spec.of, spec.times];
}

/** The dataset's columns as engines declare them, in the file's order. Expects followers without cycles. */
export function tableColumns({ columns }: Pick<Dataset, 'columns'>, storedAs: StoredAs = {}): readonly Column[] {
  // Two columns may follow one column, or each other; each is decided once.
  const known = new Map<ColumnSpec, boolean>();
  const nullable = (spec: ColumnSpec): boolean => {
    const found = known.get(spec);
    if (found !== undefined) return found;
    const result =
      spec.nulls > 0 || madeFrom(spec).some((name) => columns[name] !== undefined && nullable(columns[name]));
    known.set(spec, result);
    return result;
  };
  return Object.entries(columns).map(([name, spec]) => ({
    name,
    type: storedType(columnType(spec), storedAs),
    nullable: nullable(spec),
  }));
}

/** The dataset's indexes on a table of this name at the server, for an engine. Expects valid indexes. */
export const tableIndexes = ({ columns, indexes = [] }: Dataset, table: string, engine: string): readonly IndexPlan[] =>
  plannedIndexes(indexes, Object.keys(columns), table, engine);

/** The dataset's references to other tables as foreign keys. `nameOf`: the name of a table at the server. */
export const tableForeignKeys = (
  { columns }: Dataset,
  nameOf: (table: string) => ReferredTable,
): readonly ForeignKey[] =>
  Object.values(columns).flatMap((spec, column) => {
    if (spec.type !== 'reference' || spec.table === undefined) return [];
    return [{ column, ...nameOf(spec.table) }];
  });
type ReferredTable = Omit<ForeignKey, 'column'>;

/** Position of the primary key among {@link tableColumns}, or null for a table without one. */
export function keyIndex(dataset: Dataset): number | null {
  const index = dataset.key === undefined ? -1 : Object.keys(dataset.columns).indexOf(dataset.key);
  return index < 0 ? null : index;
}
