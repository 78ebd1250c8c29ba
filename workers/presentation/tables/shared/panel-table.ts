import type { Interval, RunModel } from '#analysis/run-model/run-model.ts';
import { variantText } from '#planning/variant-of.ts';
import type { Cell } from '#protocol/plan.ts';

/**
 * The kind of a column. head: the name of the row. level: the level of a factor. target: the name of a target. words:
 * text. aside: less important text. remark: sentences. number: a number, aligned to the right.
 */
export interface PanelColumn {
  readonly title: string;
  readonly kind: 'head' | 'level' | 'target' | 'words' | 'aside' | 'remark' | 'number';
  /** The target of all cells of the column. */
  readonly target?: string;
}

/** A ratio that is drawn below its text. */
export interface RatioMark {
  readonly ratio: Interval;
  /** The lowest and the highest ratio of the common scale of neighbouring marks. */
  readonly range: readonly [low: number, high: number];
  /** True if the ratio counts as a difference. */
  readonly differs: boolean;
}

/** A text, or several lines. `differs` marks a value unlike the others, `bad` an error. */
export type PanelCell =
  | string
  | {
      readonly text: string | readonly string[];
      readonly tone?: 'differs' | 'bad' | undefined;
      readonly mark?: RatioMark | undefined;
    };

export interface PanelRow {
  readonly cells: readonly PanelCell[];
  /** The common title of consecutive rows. */
  readonly group?: string;
  /** The cell whose trials the row opens in the window. */
  readonly cell?: Cell;
}

/** A table before it is drawn. The window and the report draw the same table. */
export interface PanelTable {
  readonly columns: readonly PanelColumn[];
  readonly rows: readonly PanelRow[];
}

/** A table with the note that explains it. */
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

/** The columns that identify a cell. */
export const cellColumns: readonly PanelColumn[] = [...heads('Variant'), ...targets('Target')];
/** The texts of these columns. */
export const cellTexts = ({ plan }: Pick<RunModel, 'plan'>, { variant, target }: Cell): readonly string[] => [
  variantText(plan, variant),
  target,
];
