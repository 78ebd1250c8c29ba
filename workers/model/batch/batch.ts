/**
 * Rows travel inside a worker as column-major batches: typed arrays, no object per row. A `fixed` column may be
 * strided, so that a generator can write straight into an engine's wire layout (see RowLayout).
 */
export type ColumnVector =
  /** uuid (16 bytes), fixed-length ASCII text, fixed-length bytes: value r is bytes[offset + r·stride … + width). */
  | {
      readonly kind: 'fixed';
      readonly bytes: Uint8Array;
      readonly offset: number;
      readonly stride: number;
      readonly width: number;
      readonly nulls: Uint8Array | null;
    }
  /**
   * Variable-length UTF-8 text or bytes: value r is bytes[offsets[r] … offsets[r + 1]). Parameters from lists and
   * answers may also have integers, decimals and timestamps as text where a number would lose digits:
   * "-9223372036854775808", "0.0000001", "2024-02-29T12:34:56.1234567Z" (six digits of a second or more).
   */
  | {
      readonly kind: 'variable';
      readonly bytes: Uint8Array;
      readonly offsets: Uint32Array;
      readonly nulls: Uint8Array | null;
    }
  /** Integers; decimals × 10^scale; booleans 0/1; timestamps in µs since 1970-01-01 UTC. All exact (|x| < 2^53). */
  | { readonly kind: 'number'; readonly values: Float64Array; readonly nulls: Uint8Array | null };
// nulls[r] === 1 means null; the value bytes behind it are undefined. A null column array means "no nulls".

/** The rows of one call, column by column. */
export interface Batch {
  readonly rows: number;
  /**
   * The values of the plan's columns, in their order (for reads and deletes: the key column alone; for updates: the
   * key, then the changed column). A readRange has one key, the start of the range; with Settings.rangeColumn two
   * values of that column, `low` and `high`. Empty for a scan (`rows`: the rows of the table) and where the server
   * makes the rows (`rows`: their number).
   */
  readonly columns: readonly ColumnVector[];
  /** The whole buffer, ready to send, if the generator wrote the batch straight into a RowLayout. */
  readonly laidOut?: Uint8Array;
}

/**
 * A fixed row format that the generator writes into: `template` is one row without values; the value of column c starts
 * at offsets[c] within the row. Only possible where every column is fixed-width and without nulls.
 */
export interface RowLayout {
  readonly template: Uint8Array;
  readonly offsets: readonly number[];
  /** Bytes before the first row and after the last one, such as a COPY header and trailer. */
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

/** Order-independent sums over a table; client and server compute the same sums for the same rows. */
export interface TableChecksum {
  readonly rows: number;
  /**
   * One decimal string per column, or null where the engine cannot compute it. number-like columns: the exact sum
   * (decimals as scaled integers, booleans as 0/1, timestamps as µs). text, uuid, bytes: the sum of the first 4 bytes
   * (big-endian, unsigned) of md5 over the value (UTF-8 text; uuid as its 36-character lower-case text; bytes as they
   * are). Nulls add nothing.
   */
  readonly columns: readonly (string | null)[];
}
