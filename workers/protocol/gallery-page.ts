import type { GalleryCard } from '#experiment/schema/gallery-card.ts';
import type { Published } from '#experiment/schema/published.ts';
import type { Estimate } from './estimate.ts';

/** An experiment as its card and its page of documentation show it. */
export interface GalleryPage {
  /** Id of the library entry. */
  readonly id: string;
  readonly name: string;
  readonly question: string;
  /** Markdown. */
  readonly about: string;
  /** Null: the file has no `gallery` section. */
  readonly card: GalleryCard | null;
  readonly factors: readonly { readonly name: string; readonly levels: readonly string[] }[];
  readonly targets: readonly string[];
  readonly published: readonly Published[];
  /** The file as it is written, then its sizes. */
  readonly sizes: readonly GallerySize[];
  /** Every engine that does work, with what of the experiment can run on it. */
  readonly engines: readonly GalleryEngine[];
}

/** One size of a gallery experiment, with what its run takes. */
export interface GallerySize {
  /** Null: as written. */
  readonly name: string | null;
  readonly note: string | null;
  /** Sum over all tables. */
  readonly rows: number;
  readonly tables: number;
  readonly variants: number;
  readonly trials: number;
  /** Expected duration in seconds, on the file's own targets. */
  readonly seconds: Estimate;
}

/** How many variants of a gallery experiment an engine supports. */
export interface GalleryEngine {
  readonly id: string;
  readonly label: string;
  /** Variants that run on it, of so many. */
  readonly cells: number;
  readonly of: number;
  /** Why the engine skips the other variants, each reason once. */
  readonly reasons: readonly { readonly reason: string; readonly variants: readonly string[] }[];
}
