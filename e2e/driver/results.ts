import type { ErrorData } from '#model/error.ts';

// The types of results are the driver's own, because a package cannot ship those of the whole code. The compiler
// compares both where the JSON is read (run.ts).

/** A mean or ratio over repeats. The bounds hold with 95 %; null: a single repeat has none. */
export interface Interval {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

/** One variant on one target. */
export interface CellName {
  readonly variant: string;
  readonly target: string;
}

/** The answer in brief. */
export interface Answer {
  readonly headline: string;
  /** The whole answer, the most important sentence first. */
  readonly sentences: readonly string[];
  readonly details: readonly string[];
  readonly lead: 'certain' | 'clientBound' | 'setByLoad' | 'uncertain' | 'alone' | 'doNotQuote' | null;
  /** The grade of the data, with the reasons against a better one. Null: nothing was measured. */
  readonly grade: {
    readonly level: 'good' | 'usable' | 'doNotQuote';
    readonly problems: readonly { readonly rule: string; readonly reason: string; readonly advice: string }[];
  } | null;
}

/** The figures of a cell over its repeats. */
export interface CellResult extends CellName {
  readonly rowsPerSecond: Interval | null;
  readonly callsPerSecond: Interval | null;
  readonly elapsedMs: Interval | null;
  /** Times of calls; null where too few calls were made for a percentile. */
  readonly latencyMs: {
    readonly p50: number | null;
    readonly p90: number | null;
    readonly p95: number | null;
    readonly p99: number | null;
    readonly p999: number | null;
    readonly max: number | null;
    readonly mean: number | null;
    readonly count: number;
  };
  /** Numbers of trials. */
  readonly ok: number;
  readonly failed: number;
  readonly firstError: ErrorData | null;
}

/** The throughput of a cell ÷ the baseline's, with the verdict. */
export interface Ratio extends CellName {
  readonly ratio: Interval;
  readonly verdict:
    | 'faster'
    | 'slower'
    | 'notSignificant'
    | 'notEnoughRepeats'
    | 'notComparable'
    | 'setByLoad'
    | 'baseline';
  readonly repeatsNeeded: number | null;
}

/** A diagnosis with its evidence. */
export interface Finding {
  readonly rule: string;
  /** Null: the finding is about the whole run. */
  readonly cell: CellName | null;
  readonly claim: string;
  readonly confidence: 'certain' | 'likely' | 'possible';
  readonly evidence: readonly { readonly label: string; readonly value: number; readonly text: string }[];
  readonly advice: string;
}

/** A goal of the experiment in one cell. */
export interface Goal extends CellName {
  /** The statement, transaction or scenario. Null: all calls. */
  readonly work: string | null;
  /** A percentile (0…1), the mean, or the share of calls that fail. */
  readonly of: number | 'mean' | 'errors';
  readonly limit: number;
  readonly value: Interval | null;
  readonly outcome: string;
}

/** A mark with a reason to doubt or limit a number. */
export interface Caveat {
  readonly severity: 'info' | 'warning' | 'error';
  readonly cell: Partial<CellName> | null;
  readonly title: string;
  readonly text: string;
}

/** One trial. A status of null: it has no result. */
export interface Trial extends CellName {
  readonly number: number;
  readonly repeat: number;
  readonly status: string | null;
  readonly rows?: number;
  readonly elapsedMs?: number;
  readonly rowsPerSecond?: number | null;
  readonly error?: ErrorData | null;
}

/** How far a run came. `interrupted`: it ended without an end, and can be resumed. */
export type RunStatus = 'running' | 'complete' | 'cancelled' | 'interrupted' | 'unreadable';

/** A run in the list of runs. */
export interface RunEntry {
  readonly id: string;
  /** The name of the experiment. */
  readonly name: string;
  readonly size: string | null;
  readonly status: RunStatus;
  readonly startedAt: string;
  readonly targets: readonly string[];
  readonly trialsDone: number;
  readonly trialsGood: number;
  readonly title: string;
  readonly note: string;
  readonly tags: readonly string[];
  readonly isBaseline: boolean;
}

/** The results of a run: the keys that scripts need most. docs/file-format.md explains these and all other keys. */
export interface Results {
  readonly runId: string;
  readonly status: Exclude<RunStatus, 'unreadable'>;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly answer: Answer;
  readonly cells: readonly CellResult[];
  readonly ratios: readonly Ratio[];
  readonly findings: readonly Finding[];
  readonly goals: readonly Goal[];
  readonly caveats: readonly Caveat[];
  readonly skipped: readonly (CellName & { readonly reason: string })[];
  readonly trials: readonly Trial[];
  readonly [key: string]: unknown;
}
