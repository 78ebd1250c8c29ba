import type { Findings } from '#analysis/findings/find-findings.ts';
import type { Caveat, RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import type { Chart } from '../charts/kit/chart.ts';
import type { ChartTheme } from '../charts/kit/theme.ts';
import type { Table } from '../tables/shared/csv.ts';
import type { NotedTable, PanelTable } from '../tables/shared/panel-table.ts';
import type { Answer } from '../text/answer.ts';
import type { Fact } from '../text/fact.ts';

/** The tabs of a finished run in the window, in their order, with their titles. */
export const tabs = {
  summary: 'Summary',
  latency: 'Latency',
  timeSeries: 'Time series',
  timeline: 'Timeline',
  plans: 'Plans',
  findings: 'Findings',
  environment: 'Environment',
  definition: 'Definition',
} as const;
export type Tab = keyof typeof tabs;

/** The data that a panel is drawn from. */
export interface PanelInput {
  /** The run, reduced to the cells that pass the filter. */
  readonly model: RunModel;
  /** The whole run. A filter may hide the baseline of a ratio. */
  readonly run: RunModel;
  readonly baseline: Baseline;
  readonly theme: ChartTheme;
  /** The width of a chart in CSS pixels. */
  readonly widthPx: number;
  /** The trials of one variant, for panels with `trials`. Empty for other panels. */
  readonly views: readonly TrialView[];
  /** True to draw each client process separately, if the panel can. */
  readonly perProcess: boolean;
}

/** A part of a panel below its title. */
export type Block =
  | { readonly kind: 'table'; readonly table: PanelTable; readonly label?: string }
  | { readonly kind: 'chart'; readonly chart: Chart }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  /** Code as it is. With `label`, the window shows a button that copies it. */
  | { readonly kind: 'code'; readonly text: string; readonly label?: string }
  /** Blocks under a common title. With `target`, the title has that target's colour. */
  | { readonly kind: 'group'; readonly title: string; readonly target?: string; readonly blocks: readonly Block[] }
  /**
   * Two things side by side, each chosen from a list. `inReport` lists the pairs that the report draws, because readers
   * cannot choose there; the window begins with the first pair.
   */
  | {
      readonly kind: 'pair';
      readonly label: string;
      /** The names of the two sides: “Before”, “After”. */
      readonly sides: readonly [left: string, right: string];
      readonly left: readonly string[];
      readonly right: readonly string[];
      readonly inReport: readonly (readonly [left: number, right: number])[];
      readonly draw: (left: number, right: number) => readonly Block[];
    }
  /**
   * Blocks that the reader unfolds. `isOpen` shows them unfolded in the window. The report shows those with
   * `isOpenInReport` unfolded, and leaves the others out.
   */
  | {
      readonly kind: 'fold';
      readonly summary: string;
      readonly blocks: readonly Block[];
      readonly isOpen?: boolean;
      readonly isOpenInReport: boolean;
    };

/** The content of a panel. The window draws it with React, and the report as HTML. */
export type Content =
  /** Each chart is a panel with its own title and id (Chart.id). */
  | { readonly kind: 'charts'; readonly charts: readonly Chart[] }
  /** A panel with a title. With `csv`, the numbers can be saved as a file. */
  | { readonly kind: 'blocks'; readonly note?: string; readonly blocks: readonly Block[]; readonly csv?: Table }
  | {
      readonly kind: 'answer';
      readonly answer: Answer;
      readonly published: readonly string[];
      /** The statements of a run of custom statements on one server; null for other runs. */
      readonly statements: NotedTable | null;
      /** The judged times with their ratios; null where times are not judged. */
      readonly times: NotedTable | null;
    }
  /** The errors of the run, unfolded and before the results. */
  | { readonly kind: 'errors'; readonly caveats: readonly Caveat[] }
  | { readonly kind: 'caveats'; readonly caveats: readonly Caveat[] }
  /** Every cell with its ratio to the baseline. */
  | { readonly kind: 'comparison' }
  | { readonly kind: 'findings'; readonly findings: Findings };

/** One entry of the outline. */
export interface Panel {
  /**
   * The id, which never changes, because links and HTML anchors use it. An id that ends in `-*` stands for a chart for
   * each factor.
   */
  readonly id: string;
  readonly tab: Tab;
  /** The name of the panel. Charts have their own, more specific titles. */
  readonly title: string | ((model: RunModel) => string);
  /** True if the run, compared with the baseline, has the data that the panel shows. */
  readonly when: (model: RunModel, baseline: Baseline) => boolean;
  readonly draw: (input: PanelInput) => Content;
  /** Present if the panel shows trials of one variant at a time. */
  readonly trials?: TrialChoice;
}

/** The trials that a panel about single trials shows. */
export interface TrialChoice {
  /** True if the panel has something to show for the trial. */
  readonly has: (view: TrialView, model: RunModel) => boolean;
  /** Shows one chosen repeat, or all repeats. */
  readonly repeats: 'one' | 'all';
  /** True if the client processes can be drawn one by one (PanelInput.perProcess). */
  readonly hasProcesses?: (view: TrialView) => boolean;
}
