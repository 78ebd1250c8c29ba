import type { ErrorData } from '#model/error.ts';

/** Something that came from outside of the window (a dropped file, an association, a link) and is to be shown. */
export type Opened =
  | {
      readonly kind: 'experiment';
      /** Null: it is no file of the library yet. */
      readonly id: string | null;
      readonly origin: 'gallery' | 'mine';
      readonly text: string;
      /** The note that the user should read about it; null: none. */
      readonly note: string | null;
      /** The part that the builder shows first: the statements of a script. Default: the question. */
      readonly first?: 'workload';
    }
  | { readonly kind: 'run'; readonly runId: string }
  | { readonly kind: 'problem'; readonly name: string; readonly error: ErrorData };

/** A file outside of Dyno's folders that was opened before. `id` is opaque: the page gets no path. */
export interface RecentFile {
  readonly id: string;
  /** The file's name without its folder. */
  readonly name: string;
  readonly kind: 'experiment' | 'run' | 'sql' | 'csv';
  readonly openedAt: string;
}

/** An experiment in the builder with unsaved changes, which is kept in case of a crash. */
export interface KeptDraft {
  /** Unique among the drafts of one list. */
  readonly key: number;
  /** Null: the experiment was never saved. */
  readonly id: string | null;
  readonly origin: 'gallery' | 'mine';
  readonly lineEnd: '\n' | '\r\n';
  readonly savedText: string;
  readonly text: string;
}
