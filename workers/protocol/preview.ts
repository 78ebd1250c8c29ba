import type { Diagnostic } from '#model/text/diagnostic.ts';

/** The first rows of a dataset, as they would be sent before a variant's keyKind, nullShare, dates and documents. */
export interface Preview {
  readonly columns: readonly string[];
  /**
   * Bytes as hexadecimal digits after 0x, decimals and timestamps as exact text; text that is too long to look at is
   * cut, with …
   */
  readonly rows: readonly (readonly PreviewValue[])[];
}
export type PreviewValue = string | number | boolean | null;

/** What a look at a dataset brings: rows, or what is wrong with it. */
export type Previewed = { readonly preview: Preview } | { readonly problems: readonly Diagnostic[] };

/** As many as are looked at. */
export const previewRows = 20;
