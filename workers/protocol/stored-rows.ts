import type { FileColumnSpec } from '#model/dataset/column-specs.ts';
import type { FromFile } from '#model/dataset/dataset.ts';

/** The rows of a file that are stored for a table. */
export interface StoreRequest {
  readonly from: FromFile;
  /** The path of the file. */
  readonly path: string;
  /** The path of the stored rows. */
  readonly to: string;
  /** The checksum of the file that the run found. */
  readonly sha256: string;
  /** The columns of the table that the file fills. */
  readonly columns: Readonly<Record<string, FileColumnSpec>>;
  /** The column of the file that is the key; null: the file does not fill the key. */
  readonly key: string | null;
  /** The maximum number of rows to store. */
  readonly most: number;
}

/** The stored rows of a file. */
export interface StoredFacts {
  readonly rows: number;
  /** True if the file has no more rows. */
  readonly isWhole: boolean;
}
