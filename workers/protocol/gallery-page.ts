import type { GalleryCard } from '#experiment/schema/gallery-card.ts';
import type { Published } from '#experiment/schema/published.ts';
import type { Estimate } from './estimate.ts';

/** An experiment as its card and its page of documentation show it. */
export interface GalleryPage {
  /** Of the library entry. */
  readonly id: string;
  readonly name: string;
  readonly question: string;
  /** Markdown. */
  readonly about: string;
  /** Null where the file says nothing for the gallery. */
  readonly card: GalleryCard | null;
  readonly factors: readonly { readonly name: string; readonly levels: readonly string[] }[];
  readonly targets: readonly string[];
  readonly published: readonly Published[];
  /** The file as it is written, then its sizes. */
  readonly sizes: readonly GallerySize[];
  /** Every engine that does work, with what of the experiment can run on it. */
  readonly engines: readonly GalleryEngine[];
}

export interface GallerySize {
  /** Null: as written. */
  readonly name: string | null;
  readonly note: string | null;
  /** Of all tables. */
  readonly rows: number;
  readonly tables: number;
  readonly variants: number;
  readonly trials: number;
  /** On the file's own targets. */
  readonly seconds: Estimate;
}

export interface GalleryEngine {
  readonly id: string;
  readonly label: string;
  /** Variants that run on it, of so many. */
  readonly cells: number;
  readonly of: number;
  /** Why the others do not, each reason once. */
  readonly reasons: readonly { readonly reason: string; readonly variants: readonly string[] }[];
}
