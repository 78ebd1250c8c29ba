import type { RunModel } from '#analysis/run-model/run-model.ts';
import { variantText } from '#planning/variant-of.ts';
import type { Cell } from '#protocol/plan.ts';

/**
 * The kind of a column. head: the row's own name. target: a target's name. words: text. aside: text that is read last.
 * remark: sentences. number: at the right.
 */
export interface PanelColumn {
  readonly title: string;
  readonly kind: 'head' | 'target' | 'words' | 'aside' | 'remark' | 'number';
  /** The target that the whole column is about. */
  readonly target?: string;
}

/** A text, or several lines. `differs`: it is not as the others. `bad`: something went wrong. */
export type PanelCell =
  | string
  | { readonly text: string | readonly string[]; readonly tone?: 'differs' | 'bad' | undefined };

export interface PanelRow {
  readonly cells: readonly PanelCell[];
  /** Title over the rows that have the same one, and follow each other. */
  readonly group?: string;
}

/** A table before it is drawn; window and report draw it alike. */
export interface PanelTable {
  readonly columns: readonly PanelColumn[];
  readonly rows: readonly PanelRow[];
}

/** A table with what a reader has to know of it. */
export interface NotedTable extends PanelTable {
  readonly note: string;
}

const columnsOf =
  (kind: PanelColumn['kind']) =>
  (...titles: readonly string[]): readonly PanelColumn[] =>
    titles.map((title) => ({ title, kind }));

export const heads = columnsOf('head');
export const words = columnsOf('words');
export const asides = columnsOf('aside');
export const remarks = columnsOf('remark');
export const numbers = columnsOf('number');
export const targets = columnsOf('target');

/** Columns that name a cell. */
export const cellColumns: readonly PanelColumn[] = [...heads('Variant'), ...targets('Target')];
/** Their texts. */
export const cellTexts = ({ plan }: Pick<RunModel, 'plan'>, { variant, target }: Cell): readonly string[] => [
  variantText(plan, variant),
  target,
];
