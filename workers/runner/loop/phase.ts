import { DynoError, type ErrorData, type ErrorKind } from '#model/error.ts';
import type { PlacedStage } from '#model/stages.ts';
import type { PhaseLines } from '#protocol/measurement.ts';
import { Slowest } from '../timing/slowest.ts';
import { Counts } from './counts.ts';

/** Errors that every other call would get as well. */
const fatalKinds: ReadonlySet<ErrorKind> = new Set([
  'badInput',
  'fileContents',
  'unreachable',
  'authentication',
  'permission',
  'fileAccess',
  'tls',
  'diskFull',
  'serverGone',
  'unsupported',
  'syntax',
  'internal',
]);

const toleratedErrors = 100;
const windowMs = 3_000;
const examplesPerKind = 3;

/**
 * A warm-up or measured phase, shared by all connections, in ms of performance.now(). In closed loops, every call that
 * begins before the deadline counts, with its whole time: calls that are running at the deadline are longer than
 * others, and a rate without them would be too high (docs/statistics.md). With scheduled load, calls that end after the
 * deadline do not count.
 */
export class Phase {
  readonly startMs = performance.now();
  /** Infinity until the phase is stopped, if rows or calls end it. */
  deadlineMs: number;
  /** Calls that end after this time do not count. */
  countsUntilMs: number;
  /** Time until which units may arrive. Units that have arrived may finish until the deadline. */
  readonly #arrivalsEndMs: number;
  /** Counts of the current interval. */
  readonly counts = new Counts();
  /** The slowest successful calls of the phase, or units of work if the load is scheduled. */
  readonly slowest = new Slowest();
  /** First start and last end of all counted calls. */
  firstStartMs = Number.POSITIVE_INFINITY;
  lastEndMs = Number.NEGATIVE_INFINITY;
  /** The number of lines of calls that have ended, and the sum of the times at which they did. */
  #lines = 0;
  #lineEndsMs = 0;
  uncertainRows = 0;
  /** The last known turn of the event loop. */
  lastTurnMs = this.startMs;
  /** The error that ends the trial. */
  failure: DynoError | null = null;
  readonly examples: ErrorData[] = [];
  /** Number of successful calls of the phase; time and rows of the last one. */
  succeededCalls = 0;
  lastCallMs = 0;
  lastCallRows = 0;
  #windowStartMs = this.startMs;
  #windowErrors = 0;
  #windowCalls = 0;

  readonly #stages: readonly PlacedStage[];

  /**
   * Starts a closed loop on each connection. With `drainSeconds`, the load is scheduled, and units that have arrived
   * may finish for this long after the last arrival.
   */
  constructor(seconds: number, drainSeconds: number | null = null, stages: readonly PlacedStage[] = []) {
    this.#stages = stages;
    this.#arrivalsEndMs = this.startMs + seconds * 1_000;
    this.deadlineMs = this.#arrivalsEndMs + (drainSeconds ?? 0) * 1_000;
    this.countsUntilMs = drainSeconds === null ? Number.POSITIVE_INFINITY : this.deadlineMs;
  }

  get arrivalsEndMs(): number {
    return Math.min(this.#arrivalsEndMs, this.deadlineMs);
  }

  /** Index of the current stage of the load; the last one during the drain; −1: the load has no stages. */
  get stage(): number {
    const ms = performance.now() - this.startMs;
    const at = this.#stages.findIndex(({ toMs }) => ms < toMs);
    return at === -1 ? this.#stages.length - 1 : at;
  }

  get stopped(): boolean {
    return performance.now() >= this.deadlineMs;
  }

  /** Ends the phase now. Running calls are awaited but not counted. */
  stop(): void {
    const now = performance.now();
    this.deadlineMs = Math.min(this.deadlineMs, now);
    this.countsUntilMs = Math.min(this.countsUntilMs, now);
  }

  /** Counts a successful call. */
  succeeded(startMs: number, endMs: number, rows: number): void {
    this.counts.succeeded(endMs - startMs, rows);
    if (this.counts.load === null) this.slowest.add(startMs, endMs);
    this.extend(startMs, endMs);
    this.succeededCalls++;
    this.lastCallMs = endMs - startMs;
    this.lastCallRows = rows;
  }

  /** A connection, or a lane of its pipeline, has made its last call. `endMs` is the end of the call, or 0. */
  lineEnded(endMs: number): void {
    if (endMs < this.firstStartMs) return;
    this.#lines++;
    this.#lineEndsMs += endMs;
  }

  /** Number of lanes that the clock has ended, and the sum of their times; null if it has ended none. */
  get lines(): PhaseLines | null {
    const timed = Number.isFinite(this.deadlineMs) && this.countsUntilMs > this.deadlineMs && this.#lines > 0;
    return timed ? { count: this.#lines, ms: this.#lineEndsMs - this.#lines * this.firstStartMs } : null;
  }

  /** Records the start and end of something that counts. */
  extend(startMs: number, endMs: number): void {
    if (startMs < this.firstStartMs) this.firstStartMs = startMs;
    if (endMs > this.lastEndMs) this.lastEndMs = endMs;
  }

  /** Counts a failed attempt: its time from start to end, pause included, and its share of a connection. */
  lose(startMs: number, endMs: number, share: number): void {
    this.counts.lostMs += Math.max(0, Math.min(endMs, this.countsUntilMs) - startMs) * share;
  }

  /**
   * Decides whether the trial continues after an error other than Dyno's own cancelling. An `expected` error is
   * compensated or follows from another one; it does not add to the errors that stop a trial.
   */
  noteError(error: ErrorData, nowMs: number, expected = false): void {
    if (this.examples.filter(({ kind }) => kind === error.kind).length < examplesPerKind) this.examples.push(error);
    if (fatalKinds.has(error.kind)) {
      this.#fail(new DynoError(error.kind, error.message, error));
      return;
    }
    if (expected) return;
    if (nowMs - this.#windowStartMs > windowMs) {
      this.#windowStartMs = nowMs;
      this.#windowErrors = 0;
      this.#windowCalls = this.succeededCalls;
    }
    this.#windowErrors++;
    const succeeded = this.succeededCalls - this.#windowCalls;
    if (this.#windowErrors > toleratedErrors && this.#windowErrors > succeeded) {
      const message = `${this.#windowErrors} of the last ${this.#windowErrors + succeeded} calls failed; the trial was stopped. Last error: ${error.message}`;
      this.#fail(new DynoError(error.kind, message, error));
    }
  }

  #fail(error: DynoError): void {
    this.failure ??= error;
    this.stop();
  }
}
