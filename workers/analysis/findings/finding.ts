import type { Path } from '#model/text/path-text.ts';
import type { Cell } from '#protocol/plan.ts';
import type { RunFacts } from './facts.ts';

/** Every diagnosis that Dyno looks for. The order in which they are listed where nothing else decides. */
export const ruleIds = [
  'clientSaturated',
  'generationBound',
  'roundTripBound',
  'commitBound',
  'literalParseStorm',
  'fetchSizeTooSmall',
  'gcInTail',
  'errorsHideThroughput',
  'tooNoisy',
  'notSteady',
  'notLikeForLike',
  'typedNull',
  'decaysWithSize',
  'concurrencyKnee',
  'contention',
  'poolExhausted',
  'statementDominates',
  'checkpointDips',
  'delayedAck',
  'fitsInMemory',
  'coordinatedOmission',
] as const;
export type RuleId = (typeof ruleIds)[number];

/**
 * certain: the numbers leave no other reading (they were counted, or add up to it). likely: they fit, and something that would contradict
 * them was looked at and does not. possible: they fit; the experiment that would confirm it has not been made.
 */
export const confidences = ['certain', 'likely', 'possible'] as const;
export type Confidence = (typeof confidences)[number];

/** Views of a run's results, and the charts (Chart.id) and tables in them that numbers can be seen in. */
export const resultsPlaces = {
  compare: ['throughput', 'ratios', 'scalability', 'throughput-latency', 'exceptions'],
  latency: ['latency-percentiles', 'latency-histogram', 'latency-table', 'client-shares', 'statement-latency'],
  timeline: [
    'throughput-over-time',
    'throughput-over-rows',
    'within',
    'server-time',
    'server-work',
    'server-counters',
    'client-health',
  ],
  conditions: ['fairness', 'calibration', 'retries', 'stored'],
} as const;
export type ResultsPlace = keyof typeof resultsPlaces;
/** Besides those, the chart of each numeric factor. */
export type PlaceIn<V extends ResultsPlace> =
  | (typeof resultsPlaces)[V][number]
  | (V extends 'compare' ? `sweep-${string}` : never);

/** Where a number can be seen: a view, in it a chart (Chart.id) or table, and the cell it is to be shown for. */
export interface ChartLink {
  readonly view: ResultsPlace;
  readonly chart: string;
  readonly cell: Cell | null;
}

/** A number that a claim rests on. */
export interface Evidence {
  readonly label: string;
  readonly value: number;
  /** "rows/s", "ms", "share"…; empty: a plain count. */
  readonly unit: string;
  /** The value with its unit, as people read it (analysis/format.ts). */
  readonly text: string;
  readonly chart: ChartLink | null;
}

/** The experiment that would confirm it: this run's own, changed by edits (contract/edit-experiment.ts setIn), in their order. */
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
  readonly rule: RuleId;
  /** Null: of the whole run. */
  readonly cell: Cell | null;
  readonly status: 'shown';
  /** One or two sentences with numbers, and nothing beyond the data. */
  readonly claim: string;
  readonly confidence: Confidence;
  /** Share (0…1) of the time or throughput that it explains: what is listed first. */
  readonly explains: number;
  readonly evidence: readonly Evidence[];
  readonly advice: string;
  readonly confirm: Confirm | null;
}

export interface Unshown {
  readonly rule: RuleId;
  readonly cell: Cell | null;
  /** notShown: looked, and it is not there. cannotTell: what would show it was not measured. */
  readonly status: 'notShown' | 'cannotTell';
  readonly why: string;
}

export type Outcome = Shown | Unshown;

/** One diagnosis: pure, told nothing but the run's facts. At least one outcome, so that a reader knows it was looked for. */
export interface Rule {
  readonly id: RuleId;
  /** A few words: "Round trips". */
  readonly title: string;
  /** What it looks for, as a clause that goes on after "looked for": "calls that spend their time on the way to the server and back". */
  readonly looksFor: string;
  readonly find: (facts: RunFacts) => readonly Outcome[];
}
