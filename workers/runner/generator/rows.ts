/** Row numbers of a batch: consecutive numbers from `start`, or the numbers in `list`. */
export interface Rows {
  readonly count: number;
  readonly start: number;
  readonly list: Float64Array | null;
}

export const consecutive = (start: number, count: number): Rows => ({ count, start, list: null });

export const listed = (list: Float64Array): Rows => ({ count: list.length, start: 0, list });

export const rowAt = (rows: Rows, index: number): number =>
  rows.list === null ? rows.start + index : rows.list[index]!;
