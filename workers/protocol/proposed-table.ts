import type { FileColumnSpec } from '#model/dataset/column-specs.ts';
import type { FromFile } from '#model/dataset/dataset.ts';

/** A column of a file as an experiment writes it. */
export type ProposedColumn = Pick<FileColumnSpec, 'type'> & Partial<Omit<FileColumnSpec, 'type'>>;

/** A table that takes its rows from a file, as its first rows suggest it. */
export interface ProposedTable {
  /** A name for the table. */
  readonly name: string;
  readonly table: {
    readonly from: FromFile;
    readonly rows: number;
    readonly key?: string;
    readonly columns: Readonly<Record<string, ProposedColumn>>;
  };
  /** Sentences about what the user should check. */
  readonly told: readonly string[];
}
