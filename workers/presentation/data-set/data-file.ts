/** The type of a column. whole: an integer. */
type DataType = 'text' | 'whole' | 'number' | 'yesNo';

/** Null: not measured, or not applicable. */
export type DataValue = string | number | boolean | null;

/** A column of a file. Its name ends in the unit of its values. */
export interface DataColumn {
  readonly name: string;
  readonly type: DataType;
  /** The meaning, as a sentence or a phrase with a full stop. */
  readonly about: string;
}

/** A table of a run for other programs, which is written as CSV or Parquet. */
export interface DataFile {
  /** The name of the file, without extension. */
  readonly name: string;
  readonly about: string;
  readonly columns: readonly DataColumn[];
  /** The rows are computed one by one, because a long run has millions of them. */
  readonly rows: () => Iterable<readonly DataValue[]>;
}

/** A column, and how it reads its value from an entry of the run. */
export interface ColumnOf<Entry> extends DataColumn {
  readonly value: (entry: Entry) => DataValue | undefined;
}

const columnOf =
  (type: DataType) =>
  <Entry>(name: string, about: string, value: ColumnOf<Entry>['value']): ColumnOf<Entry> => ({
    name,
    type,
    about,
    value,
  });

export const text = columnOf('text');
export const whole = columnOf('whole');
export const number = columnOf('number');
export const yesNo = columnOf('yesNo');

/** The columns that read from a part of an entry. */
export const from = <Entry, Part>(
  part: (entry: Entry) => Part,
  columns: readonly ColumnOf<Part>[],
): readonly ColumnOf<Entry>[] =>
  columns.map(({ value, ...column }) => ({ ...column, value: (entry) => value(part(entry)) }));

/** A file with one row for each entry. */
export function dataFile<Entry>(
  name: string,
  about: string,
  columns: readonly ColumnOf<Entry>[],
  entries: () => Iterable<Entry>,
): DataFile {
  return {
    name,
    about,
    columns: columns.map(({ value: _, ...column }) => column),
    *rows() {
      for (const entry of entries()) yield columns.map(({ value }) => value(entry) ?? null);
    },
  };
}
