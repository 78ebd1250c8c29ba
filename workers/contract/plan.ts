import type { Experiment, MeasurePlan } from './experiment.ts';
import type { Settings } from './settings/settings.ts';

/** One combination of levels. */
export interface Variant {
  /** Stable within a plan: the levels joined, e.g. "method=bulk connections=4"; "default" without factors. */
  readonly id: string;
  /** Short text for axes and tables: "bulk · connections 4". */
  readonly label: string;
  /** Factor name → level as written. */
  readonly levels: Readonly<Record<string, string | number | boolean>>;
  readonly settings: Settings;
}

/** A target as planned: no secret in it. */
export interface PlannedTarget {
  readonly name: string;
  readonly engine: string;
  /** Position in the experiment: fixes the colour in every chart. */
  readonly index: number;
  /** Before cold trials its server is restarted. */
  readonly restartEmptiesCache?: true;
}

/** One variant on one target: what repeats are repeats of. */
export interface Cell {
  readonly variant: string;
  readonly target: string;
}

export interface SkippedCell extends Cell {
  readonly reason: string;
}

export interface PlannedTrial extends Cell {
  /** 1…n in execution order; of a search, which decides the order by its results, in that of the plan. */
  readonly number: number;
  /** 1…repeats; where those may vary, up to the most: a run that knows enough ends earlier, after a whole round. */
  readonly repeat: number;
}

/** What a run will do, decided before it starts. */
export interface Plan {
  readonly experiment: Experiment;
  readonly variants: readonly Variant[];
  readonly targets: readonly PlannedTarget[];
  readonly skipped: readonly SkippedCell[];
  /** Of a search (measure.search): all that it may choose from. */
  readonly trials: readonly PlannedTrial[];
  readonly measure: MeasurePlan & { readonly until: 'rows' | 'time' | 'calls'; readonly warmupRows: number };
}

/** Something wrong in an experiment file, where it stands. Lines and columns count from 1. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** Path of keys, e.g. "factors.method[2]". */
  readonly path: string;
  readonly message: string;
  /** "Did you mean …?" */
  readonly suggestion: string | null;
}
