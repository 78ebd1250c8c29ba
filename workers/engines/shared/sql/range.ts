/** Selects rows from a low value to below a high one. `place` writes both, the columns of a batch's one row. */
export const rangeSql = (quotedColumn: string, place: (row: number, column: number) => string): string =>
  `${quotedColumn} >= ${place(0, 0)} AND ${quotedColumn} < ${place(0, 1)}`;
