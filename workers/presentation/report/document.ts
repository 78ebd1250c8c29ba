import type { Chart } from '../charts/kit/chart.ts';
import type { Scene } from '../charts/kit/scene.ts';
import type { PanelColumn, RatioMark } from '../tables/shared/panel-table.ts';
import type { CaveatGroup } from '../text/caveat-text.ts';
import type { Fact } from '../text/fact.ts';

/** A report before it is rendered. Each format of the report is made from this data. */
export interface ReportDocument {
  /** The title that the user has chosen, or the name of the experiment. */
  readonly title: string;
  /** Null: the report has none. */
  readonly logo: ReportLogo | null;
  readonly question: string;
  /** The date, the status, the targets and the author, for one line below the question. */
  readonly meta: readonly string[];
  /** Empty: nobody is named. */
  readonly author: string;
  /** The time at which the run started, in ISO 8601. */
  readonly startedAt: string;
  /** The version of Dyno that measured. */
  readonly dynoVersion: string;
  /** The targets, whose index chooses their colour. */
  readonly targets: readonly { readonly name: string; readonly index: number }[];
  /** The answer on one page, and what a reader needs to judge it. */
  readonly firstPages: readonly ReportSection[];
  /** The sections with the details. Null if the user chose none of them. */
  readonly appendix: readonly ReportSection[] | null;
}

/** A picture beside the title. It was drawn anew from the user's file, so that only its pixels are left. */
export interface ReportLogo {
  /** PNG as base64. */
  readonly png: string;
  /** The size in which the report shows it; the picture has twice as many pixels. */
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface ReportSection {
  /** The id, which links of the report use. No two sections have the same one. */
  readonly id: string;
  readonly title: string;
  /** The sentences that explain the section. Empty without an explanation. */
  readonly note: string;
  readonly blocks: readonly ReportBlock[];
}

export type ReportBlock =
  | { readonly kind: 'paragraph'; readonly look: ParagraphLook; readonly words: Words }
  /** A title within a section; level 3 is above level 4. With `target`, it has that target's colour. */
  | { readonly kind: 'heading'; readonly level: 3 | 4; readonly text: string; readonly target?: string }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | { readonly kind: 'table'; readonly table: ReportTable }
  | { readonly kind: 'picture'; readonly scene: Scene }
  | { readonly kind: 'chart'; readonly chart: Chart }
  | { readonly kind: 'code'; readonly text: string; readonly label?: string }
  | { readonly kind: 'caveats'; readonly caveats: readonly ReportCaveat[] }
  | { readonly kind: 'findings'; readonly findings: readonly ReportFinding[] };

/**
 * headline and certainty: the answer. grade: the grade of the data. own: the lines of the user. aside: less important
 * words.
 */
export type ParagraphLook = 'plain' | 'note' | 'headline' | 'certainty' | 'grade' | 'own' | 'aside';

/** Text, of which parts may look different. */
export type Words = string | readonly (string | Span)[];

export interface Span {
  readonly text: string;
  readonly look?: SpanLook;
  /** The id of the section that the span leads to. */
  readonly link?: string;
  /** A further explanation, which some formats show as a tooltip. */
  readonly about?: string;
}

/**
 * aside: less important, such as an interval. faster, slower and none: a ratio by its verdict. good, usable and
 * doNotQuote: a grade. letters: the letters of caveats. bad: an error.
 */
export type SpanLook =
  | 'aside'
  | 'faster'
  | 'slower'
  | 'none'
  | 'good'
  | 'usable'
  | 'doNotQuote'
  | 'warning'
  | 'letters'
  | 'bad';

export interface ReportTable {
  readonly columns: readonly PanelColumn[];
  readonly rows: readonly ReportRow[];
}

export interface ReportRow {
  readonly cells: readonly ReportCell[];
  /** The common title of consecutive rows. */
  readonly group?: string | undefined;
  /** True if a line separates the row from the row above. */
  readonly beginsGroup?: boolean;
  /** True if the row is about a reference, which does not compete. */
  readonly isReference?: boolean;
}

export interface ReportCell {
  readonly lines: readonly Words[];
  readonly tone?: 'differs' | 'bad' | undefined;
  readonly mark?: RatioMark | undefined;
  /** The number of columns that the cell takes. Default: 1. */
  readonly columns?: number;
}

/** Caveats of one kind. */
export interface ReportCaveat extends Pick<CaveatGroup, 'severity' | 'title'> {
  /** The letter that marks its cells in tables. Null if nothing is marked. */
  readonly letter: string | null;
  /** The number of its cells in words. Empty for a caveat of the whole run. */
  readonly cells: string;
  readonly texts: readonly { readonly places: string; readonly text: string }[];
  /** Says where further texts are. Null if all texts are here. */
  readonly more: Span | null;
}

export interface ReportFinding {
  readonly title: string;
  readonly confidence: string;
  readonly claim: string;
  readonly scene: Scene | null;
  readonly evidence: readonly { readonly label: string; readonly text: string }[];
  readonly advice: string;
}

/** The text of words without their looks. */
export const plainWords = (words: Words): string =>
  typeof words === 'string' ? words : words.map((one) => (typeof one === 'string' ? one : one.text)).join('');
