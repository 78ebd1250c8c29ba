import type { Experiment, MeasurePlan } from '#experiment/schema/experiment.ts';
import type { Search } from '#experiment/schema/search.ts';
import type { Settings } from '#model/settings/settings.ts';

/** One combination of the factors' levels. */
export interface Variant {
  /** Stable within a plan: the levels joined, e.g. "method=bulk connections=4"; "default" without factors. */
  readonly id: string;
  /** Short text for axes and tables: "bulk · connections 4". */
  readonly label: string;
  /** Factor name → level as in the file. */
  readonly levels: Readonly<Record<string, string | number | boolean>>;
  readonly settings: Settings;
}

/** References, such as the no-op engine, have indexes from here on, and in every chart the neutral colour. */
export const referenceIndex = 1_000;

/** A target as planned, without secrets. */
export interface PlannedTarget {
  readonly name: string;
  readonly engine: string;
  /**
   * Decides the target's look in every chart, and is unique in its run: the target's hue (model/hues.ts), a higher
   * number for a neutral colour with a symbol and a line style of its own, or for a reference a number from
   * referenceIndex on.
   */
  readonly index: number;
  /** Its server is restarted before cold trials. */
  readonly restartEmptiesCache?: true;
  /** Groups of variants, by their ids, that share one load there: they read, and differ in nothing but indexes. */
  readonly sharedLoads?: readonly (readonly string[])[];
  /** Its server is the user's, and the experiment has parameters for it. */
  readonly changesServer?: true;
  /** Its connection was marked as production. */
  readonly production?: true;
}

/** One variant on one target; the repeats of a trial share it. */
export interface Cell {
  readonly variant: string;
  readonly target: string;
}

/** A cell that does not run, with the reason. */
export interface SkippedCell extends Cell {
  readonly reason: string;
  /** The variant that does the same on this target, and runs in its place. */
  readonly sameAs?: string;
}

/** One trial of a plan. */
export interface PlannedTrial extends Cell {
  /** 1…n in execution order; for a search, which decides the order by its results, in the order of the plan. */
  readonly number: number;
  /** 1…repeats; with variable repeats up to the maximum: a run that is precise enough ends earlier, after a round. */
  readonly repeat: number;
}

/** The trials of a run, decided before it starts. */
export interface Plan {
  readonly experiment: Experiment;
  readonly variants: readonly Variant[];
  readonly targets: readonly PlannedTarget[];
  readonly skipped: readonly SkippedCell[];
  /** The trials of the run; in a search (measure.search), all that it may choose from. */
  readonly trials: readonly PlannedTrial[];
  readonly measure: PlannedMeasure;
}

/** The file's measurement plan with everything that it leaves open decided. */
export interface PlannedMeasure extends Omit<MeasurePlan, 'until' | 'repeats' | 'search'> {
  readonly search?: Search | undefined;
  /** The end of a trial's measured phase. */
  readonly until: 'rows' | 'time' | 'calls';
  /** Rows of the measured phase, where rows end it. */
  readonly rows: number;
  /** Length of the measured phase, where time ends it: the sum of all stages, where there are any. */
  readonly seconds: number;
  /** Calls of a trial, where they end it. */
  readonly calls?: number | undefined;
  readonly warmupRows: number;
  readonly repeats: number | VaryingRepeats;
}

/** Repeats until every compared interval is narrow enough. */
interface VaryingRepeats {
  readonly min: number;
  readonly max: number;
  /** Half the width of a sufficiently narrow 95 % interval, as a share of its value. */
  readonly relativeMargin: number;
}
