import type { Diagnostic } from '#model/text/diagnostic.ts';

/**
 * The first rows of a dataset, before the changes of a variant's keyKind, nullShare, distinctTimes, dates and
 * documents.
 */
export interface Preview {
  readonly columns: readonly string[];
  /** Bytes as hexadecimal digits after 0x, decimals and timestamps as exact text; long text is shortened, with … */
  readonly rows: readonly (readonly PreviewValue[])[];
}
/** One value of a preview, as text, number or truth value. */
export type PreviewValue = string | number | boolean | null;

/** The preview of a dataset: rows, or the dataset's problems. */
export type Previewed = { readonly preview: Preview } | { readonly problems: readonly Diagnostic[] };

/** Number of rows in a preview. */
export const previewRows = 20;
