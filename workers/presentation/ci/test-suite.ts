import type { Path } from '#model/text/path-text.ts';

/** A test case of a CI system. */
export interface TestCase {
  /** CI systems keep one case of a name: it is unique in its suite. */
  readonly name: string;
  /**
   * failed: a condition, a goal or a check is violated. error: a trial failed or is missing. skipped: nothing was
   * judged, or the data do not decide it.
   */
  readonly outcome: 'passed' | 'failed' | 'error' | 'skipped';
  /** The outcome in one sentence. Empty if nothing has to be said. */
  readonly message: string;
  /** The numbers of the case, and what to do, one line each. */
  readonly details: readonly string[];
  /** The time in which it was measured, s. */
  readonly seconds: number;
  /** True if a skipped case remains to be decided, unlike a cell that an engine does not support. */
  readonly isOpen?: boolean;
  /** The place in the experiment file that the case is about. */
  readonly path: Path;
}

/** Test cases of one kind, as CI systems group them. */
export interface TestSuite {
  readonly name: string;
  readonly cases: readonly TestCase[];
  /** Remarks on the whole suite, one line each. */
  readonly notes: readonly string[];
}

/** The results of a command as a CI system shows them. */
export interface TestReport {
  /** The name of the experiment. */
  readonly name: string;
  readonly startedAt: string;
  /** Facts about the whole report, such as the id of the run. */
  readonly properties: Readonly<Record<string, string>>;
  readonly suites: readonly TestSuite[];
}
