/** A line about a cell, as texts. */
export interface CellRow {
  readonly variant: string;
  readonly target: string;
  /** Under the table's `words`. */
  readonly words?: readonly string[];
  /** Under its `columns`. */
  readonly texts: readonly string[];
  /** Position of the text that is not as it should be. */
  readonly off?: number;
  /** What is to be said of this line. */
  readonly remark?: string | null;
}

/** What window and report draw alike: a line for each cell, or several; none where there is nothing to say. */
export interface CellTable {
  readonly note: string;
  /** Heads of columns of words, after variant and target. */
  readonly words?: readonly string[];
  /** Heads of columns of numbers. */
  readonly columns: readonly string[];
  /** Head of the remarks, where lines have some. */
  readonly remark?: string;
  readonly rows: readonly CellRow[];
}

/** Whether there is a remark in any line. */
export const hasRemarks = ({ rows }: CellTable): boolean => rows.some(({ remark = null }) => remark !== null);
