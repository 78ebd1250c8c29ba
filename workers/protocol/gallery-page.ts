import type { GalleryCard } from '#experiment/schema/gallery-card.ts';
import type { Published } from '#experiment/schema/published.ts';
import type { Estimate } from './estimate.ts';

/** An experiment as the gallery's card and detail page show it. */
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
  /** The file without a size, then its sizes. */
  readonly sizes: readonly GallerySize[];
  /** Every engine except references, with the variants that it can run. */
  readonly engines: readonly GalleryEngine[];
}

/** One size of a gallery experiment, with what its run takes. */
export interface GallerySize {
  /** Null: the file without a size. */
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

/** The number of variants of a gallery experiment that an engine, or one of its products that Dyno starts, supports. */
export interface GalleryEngine {
  /** Id of the engine; the target's name if Dyno starts several products of the engine. */
  readonly id: string;
  readonly label: string;
  /** Name of the built-in target that is planned for; null: Dyno cannot start the engine. */
  readonly target: string | null;
  /** True if the file lists it among its targets, in any version. */
  readonly isListed: boolean;
  /** Number of variants that run on the engine, out of `of`. */
  readonly cells: number;
  readonly of: number;
  /** The reasons why the engine skips the other variants, each once. */
  readonly reasons: readonly GalleryReason[];
}

interface GalleryReason {
  readonly reason: string;
  readonly variants: readonly string[];
  /** True if another variant, which runs, measures the same thing there, so that nothing is lost. */
  readonly isSameAsAnother: boolean;
}
