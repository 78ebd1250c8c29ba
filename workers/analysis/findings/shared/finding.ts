import type { Path } from '#model/text/path-text.ts';
import type { Cell } from '#protocol/plan.ts';
import type { RunFacts } from './facts.ts';
import type { Picture } from './picture.ts';

/**
 * certain: the numbers leave no other reading (they were counted, or add up to it). likely: they fit, and something
 * that would contradict them was looked at and does not. possible: they fit; the experiment that would confirm it has
 * not been made.
 */
export const confidences = ['certain', 'likely', 'possible'] as const;
export type Confidence = (typeof confidences)[number];

/** Panels of a run's results that evidence leads to, by their ids in the outline (presentation/outline). */
export type EvidencePanel =
  | 'calibration'
  | 'client-health'
  | 'client-shares'
  | 'exceptions'
  | 'settings-compared'
  | 'latency-histogram'
  | 'latency-percentiles'
  | 'latency-table'
  | 'machine'
  | 'query-plans'
  | 'results'
  | 'retries'
  | 'rows-examined'
  | 'scalability'
  | 'server-counters'
  | 'server-time'
  | 'statement-latency'
  | 'stored'
  | 'throughput-over-rows'
  | 'throughput-over-time'
  | 'within';

/** The place that shows a number: a panel of the results, and the cell to show in it. */
export interface PanelLink {
  readonly panel: EvidencePanel;
  readonly cell: Cell | null;
}

/** A number that a claim rests on. */
export interface Evidence {
  readonly label: string;
  readonly value: number;
  /** "rows/s", "ms", "share"…; empty: a plain count. */
  readonly unit: string;
  /** The value with its unit, as people read it (model/format/format.ts). */
  readonly text: string;
  readonly link: PanelLink | null;
}

/**
 * The experiment that would confirm it: this run's own, changed by edits in their order (setIn in
 * experiment/yaml/edit-experiment.ts).
 */
export interface Confirm {
  readonly title: string;
  readonly question: string;
  readonly edits: readonly Edit[];
}

/** value undefined: what is there is removed. */
export interface Edit {
  readonly path: Path;
  readonly value: unknown;
}

export interface Shown {
  /** Null: of the whole run. */
  readonly cell: Cell | null;
  readonly status: 'shown';
  /** One or two sentences with numbers. They state nothing beyond the data. */
  readonly claim: string;
  readonly confidence: Confidence;
  /** Share (0…1) of the time or throughput that it explains: what is listed first. */
  readonly explains: number;
  readonly evidence: readonly Evidence[];
  readonly advice: string;
  readonly confirm: Confirm | null;
  /**
   * The picture beside the words. Null: the run lacks what the picture shows, or the evidence says it all; then the
   * finding that is listed has that of its evidence (shared/cell-pictures.ts).
   */
  readonly picture: Picture | null;
}

export interface Unshown {
  readonly cell: Cell | null;
  /** notShown: looked, and it is not there. cannotTell: what would show it was not measured. */
  readonly status: 'notShown' | 'cannotTell';
  readonly why: string;
}

export type Outcome = Shown | Unshown;

/**
 * A diagnosis: a pure function of the run's facts. It returns at least one outcome, so that readers know that Dyno
 * looked for it.
 */
export interface Rule {
  /** A few words: "Client-bound". */
  readonly title: string;
  /** The symptom, as a clause that continues “looked for”: "calls that spend their time on network round trips". */
  readonly looksFor: string;
  /** Its main thresholds, as a clause that goes on after "shown when": "0.9 plans per execution". */
  readonly shownWhen: string;
  /**
   * The limit of a cell that shows the finding, as the answer of a run names it: "round trips". Absent if the finding
   * is no limit.
   */
  readonly bottleneck?: string;
  readonly find: (facts: RunFacts) => readonly Outcome[];
}
