import type { ErrorKind } from '#contract/error.ts';
import type { CallCounts } from '#contract/measurement.ts';
import { Histogram } from '#stats/histogram.ts';

/** Calls of an interval or a phase while it is being counted. Times in ms. */
export class Counts {
  calls = 0;
  /** Net: what a rollback takes back is taken off again. */
  rows = 0;
  commits = 0;
  failures = 0;
  /** Service times of all counted calls, failed ones too. */
  inCallsMs = 0;
  /** Time inside begin, commit and rollback. */
  transactionMs = 0;
  readonly #service = new Histogram();
  readonly #failed = new Histogram();
  readonly #errors = new Map<ErrorKind, number>();

  succeeded(ms: number, rows: number): void {
    this.calls++;
    this.rows += rows;
    this.inCallsMs += ms;
    this.#service.record(ms * 1e6);
  }

  failed(ms: number, kind: ErrorKind): void {
    this.failures++;
    this.inCallsMs += ms;
    this.#failed.record(ms * 1e6);
    this.error(kind);
  }

  /** Counts an error that is no call's: of a commit, say. */
  error(kind: ErrorKind): void {
    this.#errors.set(kind, (this.#errors.get(kind) ?? 0) + 1);
  }

  add(other: Counts): void {
    this.calls += other.calls;
    this.rows += other.rows;
    this.commits += other.commits;
    this.failures += other.failures;
    this.inCallsMs += other.inCallsMs;
    this.transactionMs += other.transactionMs;
    this.#service.add(other.#service);
    this.#failed.add(other.#failed);
    for (const [kind, count] of other.#errors) this.#errors.set(kind, (this.#errors.get(kind) ?? 0) + count);
  }

  reset(): void {
    this.calls = this.rows = this.commits = this.failures = this.inCallsMs = this.transactionMs = 0;
    this.#service.reset();
    this.#failed.reset();
    this.#errors.clear();
  }

  toData(): CallCounts {
    return {
      calls: this.calls,
      rows: this.rows,
      commits: this.commits,
      errors: Object.fromEntries(this.#errors),
      service: this.#service.encode(),
      failed: this.#failed.count > 0 ? this.#failed.encode() : null,
    };
  }
}
