import type { Path } from '#model/text/path-text.ts';
import type { Cell } from '#protocol/plan.ts';
import type { RunFacts } from './facts.ts';
import type { Picture } from './picture.ts';

/**
 * certain: the numbers allow no other explanation (they were counted, or add up to the whole). likely: the numbers fit,
 * and possible contradictions were checked. possible: the numbers fit, but no experiment has confirmed the finding.
 */
export const confidences = ['certain', 'likely', 'possible'] as const;
export type Confidence = (typeof confidences)[number];

/** Panels of a run's results to which evidence links, by their ids in the outline (presentation/outline). */
export type EvidencePanel =
  | 'calibration'
  | 'client-health'
  | 'client-shares'
  | 'connecting'
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

/** The place that shows a number: a panel of the results, and a cell in it. */
export interface PanelLink {
  readonly panel: EvidencePanel;
  readonly cell: Cell | null;
}

/** A number that supports a claim. */
export interface Evidence {
  readonly label: string;
  readonly value: number;
  /** "rows/s", "ms", "share"…; empty: a plain count. */
  readonly unit: string;
  /** The formatted value with its unit (model/format/format.ts). */
  readonly text: string;
  readonly link: PanelLink | null;
}

/**
 * The experiment that would confirm the finding: this run's own, changed by edits in their order (setIn in
 * experiment/yaml/edit-experiment.ts).
 */
export interface Confirm {
  readonly title: string;
  readonly question: string;
  readonly edits: readonly Edit[];
}

/** Undefined removes the existing value. */
export interface Edit {
  readonly path: Path;
  readonly value: unknown;
}

export interface Shown {
  /** Null: the finding is about the whole run. */
  readonly cell: Cell | null;
  readonly status: 'shown';
  /** One or two sentences with numbers. They state nothing beyond the data. */
  readonly claim: string;
  readonly confidence: Confidence;
  /** Share (0…1) of the time or throughput that the finding explains. Lists sort by it. */
  readonly explains: number;
  readonly evidence: readonly Evidence[];
  readonly advice: string;
  readonly confirm: Confirm | null;
  /**
   * The picture beside the text. Null: the run lacks the data for the picture, or the evidence needs none; then the
   * listed finding has the picture of its evidence (shared/cell-pictures.ts).
   */
  readonly picture: Picture | null;
}

export interface Unshown {
  readonly cell: Cell | null;
  /** notShown: the data shows no sign of it. cannotTell: the run did not measure the necessary data. */
  readonly status: 'notShown' | 'cannotTell';
  readonly why: string;
}

export type Outcome = Shown | Unshown;

/**
 * A diagnosis: a pure function of the run's facts. It returns at least one outcome, so that reports list every rule
 * that was checked.
 */
export interface Rule {
  /** A few words: "Client-bound". */
  readonly title: string;
  /** The symptom, as a clause after “looked for”: "calls that spend their time on network round trips". */
  readonly looksFor: string;
  /** Its main thresholds, as a clause after "shown when": "0.9 plans per execution". */
  readonly shownWhen: string;
  /**
   * The limit of a cell that shows the finding, as the answer of a run names it: "round trips". Absent if the finding
   * is no limit.
   */
  readonly bottleneck?: string;
  readonly find: (facts: RunFacts) => readonly Outcome[];
}
