import type { GradeLevel } from './ipc.ts';
import type { RunChange } from './run-change.ts';

/** The runs of one experiment over time, and the changes among them that exceed their scatter. */
export interface History {
  /** The experiment's name and size; a size of null: the experiment has no sizes. */
  readonly name: string;
  readonly size: string | null;
  /** The complete runs, oldest first. */
  readonly runs: readonly HistoryRun[];
  /** Number of older runs that were left out. */
  readonly olderRuns: number;
  /** Every quantity of every cell, in the order of the latest run. */
  readonly series: readonly HistorySeries[];
  /** The first run at which a series changed, and the positions in `series` that changed there; null: none changed. */
  readonly movedFirst: { readonly at: number; readonly series: readonly number[] } | null;
  /** The largest deviation (0…1) of the machine's speed from its median over the runs; null: unknown. */
  readonly machineSpread: number | null;
}

/** A run as a point on the time axis of a history. */
export interface HistoryRun {
  readonly id: string;
  readonly startedAt: string;
  /** The user's title; empty without one. */
  readonly title: string;
  /** True if the user has pinned it as the baseline of the experiment. */
  readonly isBaseline: boolean;
  readonly grade: GradeLevel | null;
  /** The versions, settings, parts of the experiment and of the machine that changed since the run before. */
  readonly changes: readonly RunChange[];
  /** Speed of the processor by the fixed calculation, relative to the median of the runs; null: unknown. */
  readonly machineSpeed: number | null;
}

/** One quantity of one cell over the runs. */
export interface HistorySeries {
  /** The variant's label and the target, which identify the cell in every run. */
  readonly label: string;
  readonly target: string;
  /** Decides the target's look (PlannedTarget). */
  readonly index: number;
  /** The statement, transaction or scenario; null: all units of work of the cell. */
  readonly work: string | null;
  /** throughput, a figure of the times ("p99", "mean"), or the share of calls that failed. */
  readonly quantity: string;
  readonly unit: 'rows/s' | 'calls/s' | 'ms' | 'share';
  readonly better: 'higher' | 'lower';
  /** The goal of the latest run, in the unit; null: there is none. */
  readonly limit: number | null;
  readonly points: readonly HistoryPoint[];
  /** The stretches between changes, in the order of time. */
  readonly levels: readonly HistoryLevel[];
  /** The changes that are no scatter, in the order of time. */
  readonly changes: readonly HistoryChange[];
  /** Runs (positions) from which on the cell's work is another one: its rows, statements or settings were edited. */
  readonly redefined: readonly number[];
}

/** A value with its 95 % interval over the repeats of a run. */
export interface HistoryPoint {
  /** Position in History.runs. */
  readonly run: number;
  readonly value: number;
  /** Null: the run has too few repeats. */
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

/** The typical value of successive runs between two changes. */
interface HistoryLevel {
  /** Positions in History.runs of its first and last run. */
  readonly from: number;
  readonly to: number;
  readonly value: number;
}

/** A change of a series from one run to the next. */
export interface HistoryChange {
  /** Position in History.runs of the first run after the change. */
  readonly at: number;
  /** Position of the last run before it with a value. What else changed happened in the runs after it, up to `at`. */
  readonly since: number;
  /** The levels before and after. */
  readonly before: number;
  readonly after: number;
  /** after ÷ before with its 95 % interval; null for shares. */
  readonly ratio: { readonly value: number; readonly low: number; readonly high: number } | null;
  /** Probability of so great a change by scatter alone, anywhere in the series. */
  readonly p: number;
  /** cannotTell: the machine changed at the same run, which may be the reason. */
  readonly verdict: 'better' | 'worse' | 'cannotTell';
  /** The sentence how the machine differed; null: it was the same, as far as measured. */
  readonly machine: string | null;
}
