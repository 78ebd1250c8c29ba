/** The pages of a table, or of one of its indexes. Null: the server does not tell the figure. */
interface PartPages {
  /** "table": the rows, with a clustered key; "key": the primary key beside them; or an IndexPlan.name. */
  readonly of: string;
  /** Mean share (0…1) of a page that rows or entries fill. */
  readonly density: number | null;
  /** Share (0…1) of the leaf pages that do not follow the page before in the file: logical fragmentation. */
  readonly outOfOrder: number | null;
  /** Bytes that the server can use again without growing the file. */
  readonly freeBytes: number | null;
}

/** The pages of a table at the end of a trial, or the reason, as a sentence, why the server does not tell them. */
export type PageUse = { readonly parts: readonly PartPages[] } | { readonly why: string };
