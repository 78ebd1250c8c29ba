import type { IndexPlan } from '#model/dataset/indexes.ts';

/** A B-tree over columns, by their places in the table. */
export const plainIndex = (name: string, ...columns: readonly number[]): IndexPlan => ({
  name,
  label: 'i',
  parts: columns.map((column) => ({ column })),
  unique: false,
  kind: 'btree',
});
