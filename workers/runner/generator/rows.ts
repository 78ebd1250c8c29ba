/** The row numbers a batch is made for: consecutive ones from `start`, or those in `list`. */
export interface Rows {
  readonly count: number;
  readonly start: number;
  readonly list: Float64Array | null;
}

export const consecutive = (start: number, count: number): Rows => ({ count, start, list: null });

export const listed = (list: Float64Array): Rows => ({ count: list.length, start: 0, list });

export const rowAt = (rows: Rows, index: number): number =>
  rows.list === null ? rows.start + index : rows.list[index]!;
