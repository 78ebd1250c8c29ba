import type { Findings } from '#analysis/findings/find-findings.ts';
import type { Caveat, RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import type { Chart } from '../charts/kit/chart.ts';
import type { ChartTheme } from '../charts/kit/theme.ts';
import type { Table } from '../tables/shared/csv.ts';
import type { PanelTable } from '../tables/shared/panel-table.ts';
import type { Answer } from '../text/answer.ts';
import type { Fact } from '../text/fact.ts';

/** The tabs of a run in the window, in their order, with their titles. */
export const tabs = {
  timeline: 'Timeline',
  summary: 'Summary',
  latency: 'Latency',
  timeSeries: 'Time series',
  plans: 'Plans',
  findings: 'Findings',
  environment: 'Environment',
  definition: 'Definition',
} as const;
export type Tab = keyof typeof tabs;

/** The data that a panel is drawn from. */
export interface PanelInput {
  /** The run, or the part of it that a filter lets through. */
  readonly model: RunModel;
  /** The whole run: the baseline of a ratio may be hidden by a filter. */
  readonly run: RunModel;
  readonly baseline: Baseline;
  readonly theme: ChartTheme;
  /** Width of a chart, in CSS pixels. */
  readonly widthPx: number;
  /** Trials of one variant, for panels with `trials`; empty for all others. */
  readonly views: readonly TrialView[];
  /** Draws each client process by itself, where a panel can. */
  readonly perProcess: boolean;
}

/** A part of a panel below its title. */
export type Block =
  | { readonly kind: 'table'; readonly table: PanelTable; readonly label?: string }
  | { readonly kind: 'chart'; readonly chart: Chart }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | { readonly kind: 'code'; readonly text: string }
  /** Blocks under a title of their own; `target` gives it that target's colour. */
  | { readonly kind: 'group'; readonly title: string; readonly target?: string; readonly blocks: readonly Block[] }
  /**
   * Two things side by side, which a reader chooses: one of each list. On paper nothing is chosen: `inReport` has the
   * pairs that are drawn there, and the first of them is chosen at first.
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
  /** Blocks that a reader unfolds. On paper nothing unfolds: `isOpenInReport` shows them there. */
  | {
      readonly kind: 'fold';
      readonly summary: string;
      readonly blocks: readonly Block[];
      readonly isOpenInReport: boolean;
    };

/** The content of a panel without its layout: the window draws it with React, the report as HTML. */
export type Content =
  /** Each chart is a panel with its own title and id (Chart.id). */
  | { readonly kind: 'charts'; readonly charts: readonly Chart[] }
  /** One titled panel. `csv` offers the numbers as a file. */
  | { readonly kind: 'blocks'; readonly note?: string; readonly blocks: readonly Block[]; readonly csv?: Table }
  | { readonly kind: 'answer'; readonly answer: Answer; readonly published: readonly string[] }
  /** The errors of the run. They are unfolded and come before the results. */
  | { readonly kind: 'errors'; readonly caveats: readonly Caveat[] }
  | { readonly kind: 'caveats'; readonly caveats: readonly Caveat[] }
  /** Every cell with its ratio to the baseline. */
  | { readonly kind: 'comparison' }
  | { readonly kind: 'findings'; readonly findings: Findings };

/** One entry of the outline. */
export interface Panel {
  /**
   * The id never changes: links and HTML anchors lead to it. One that ends in `-*` stands for a chart for each factor.
   */
  readonly id: string;
  readonly tab: Tab;
  /** Its name; charts have titles of their own, which may say more about the run. */
  readonly title: string | ((model: RunModel) => string);
  /** True if the run has the data that the panel shows. */
  readonly when: (model: RunModel) => boolean;
  readonly draw: (input: PanelInput) => Content;
  /** Present where the panel shows trials of one variant at a time. */
  readonly trials?: TrialChoice;
}

/** The trials that a panel about single trials shows. */
export interface TrialChoice {
  /** True if the trial has anything to show. */
  readonly has: (view: TrialView, model: RunModel) => boolean;
  /** The chosen repeat, or all of them. `allInWindow`: the report, which must stay a small file, has the first one. */
  readonly repeats: 'one' | 'all' | 'allInWindow';
  /** True if its client processes can be drawn one by one (PanelInput.perProcess). */
  readonly hasProcesses?: (view: TrialView) => boolean;
}
