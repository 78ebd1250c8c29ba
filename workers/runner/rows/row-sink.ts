/** Takes the values of a file, row by row, as the bytes of their texts in UTF-8. */
export interface RowSink {
  /** The value of a wanted column in the current row: bytes[start … end). `isString`: JSON has it between quotes. */
  value(column: number, bytes: Uint8Array, start: number, end: number, isString?: boolean): void;
  /** The wanted column is null in the current row. */
  noValue(column: number): void;
  /** Ends the current row. Returns false if no more rows are wanted. */
  endRow(): boolean;
}

/** The wanted columns of a file by their names in it. One column of the file may fill several of a table. */
export type WantedColumns = ReadonlyMap<string, readonly number[]>;

/** Takes the rows of a file. */
export interface RowsOfFile {
  /**
   * Called with the names of the file’s columns, before the first value of each: all of CSV and Parquet, and those of
   * NDJSON as they appear. Returns the wanted ones. `typed`: the type that a Parquet file declares.
   */
  onColumns(names: readonly string[], typed: ReadonlyMap<string, ParquetType>): WantedColumns;
  readonly sink: RowSink & {
    /** An object or a list, as JSON. */
    nested(column: number, bytes: Uint8Array): void;
  };
}

/**
 * The type of a column in a Parquet file, whose values come as texts of this type; or the reason why they cannot be
 * read.
 */
export type ParquetType =
  | { readonly as: 'integer' | 'text' | 'uuid' | 'timestamp' | 'boolean' | 'bytes' | 'double' | 'document' }
  | { readonly as: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly as: null; readonly why: string };

/** The progress of a reader: the place of the current row for messages, and the bytes of the file’s text so far. */
export interface Reading {
  readonly place: string;
  readonly bytes: number;
  /** The number of rows, if the file declares it at its beginning, as Parquet does. */
  readonly rows?: number;
}
