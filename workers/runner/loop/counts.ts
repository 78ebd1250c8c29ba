import type { ErrorKind } from '#model/error.ts';
import type { CallCounts } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { ConnectCounter } from './connect-counts.ts';
import { LoadCounter } from './load-counts.ts';

const sums = [
  ...(['calls', 'rows', 'commits', 'failures', 'inCallsMs', 'transactionMs', 'transactions'] as const),
  ...(['retries', 'gaveUp', 'lostMs', 'pauseMs'] as const),
];

/** Counts of an interval or a phase while it runs. Times are in ms. */
export class Counts {
  calls = 0;
  /** Rows of calls that a rollback undoes are subtracted. */
  rows = 0;
  commits = 0;
  failures = 0;
  /** Service times of all counted calls, including failed ones. */
  inCallsMs = 0;
  /** Time inside begin, commit and rollback, and the number of them that were sent to the server and answered later. */
  transactionMs = 0;
  transactions = 0;
  /** Repeated attempts, units of work given up, and the connections' time in undone attempts (see CallCounts). */
  retries = 0;
  gaveUp = 0;
  lostMs = 0;
  /** Time between attempts. */
  pauseMs = 0;
  /** Counts of the load; null for closed loops. */
  load: LoadCounter | null = null;
  /** Sessions opened anew; null: none was. */
  connecting: ConnectCounter | null = null;
  readonly #service = new Histogram();
  readonly #failed = new Histogram();
  readonly #commit = new Histogram();
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

  /** A transaction with counted calls was committed. */
  committed(ms: number): void {
    this.commits++;
    this.#commit.record(ms * 1e6);
  }

  /** Counts an error outside of calls, for example of a commit. */
  error(kind: ErrorKind): void {
    this.#errors.set(kind, (this.#errors.get(kind) ?? 0) + 1);
  }

  add(other: Counts): void {
    for (const name of sums) this[name] += other[name];
    if (other.load) {
      this.load ??= new LoadCounter();
      this.load.add(other.load);
    }
    if (other.connecting) {
      this.connecting ??= new ConnectCounter();
      this.connecting.add(other.connecting);
    }
    this.#service.add(other.#service);
    this.#failed.add(other.#failed);
    this.#commit.add(other.#commit);
    for (const [kind, count] of other.#errors) this.#errors.set(kind, (this.#errors.get(kind) ?? 0) + count);
  }

  reset(): void {
    for (const name of sums) this[name] = 0;
    this.load?.reset();
    this.connecting?.reset();
    this.#service.reset();
    this.#failed.reset();
    this.#commit.reset();
    this.#errors.clear();
  }

  toData(): CallCounts {
    return {
      calls: this.calls,
      rows: this.rows,
      commits: this.commits,
      errors: Object.fromEntries(this.#errors),
      retries: this.retries,
      gaveUp: this.gaveUp,
      lostMs: this.lostMs,
      service: this.#service.encode(),
      failed: this.#failed.count > 0 ? this.#failed.encode() : null,
      commit: this.#commit.count > 0 ? this.#commit.encode() : null,
      ...(this.load && { load: this.load.toData() }),
      ...(this.connecting && { connecting: this.connecting.toData() }),
    };
  }
}
