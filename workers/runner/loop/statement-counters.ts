import type { ErrorKind } from '#model/error.ts';
import type { MixItem, MixScenario, MixStatement } from '#model/statements/statements.ts';
import type { RowSpread, StatementCounts, StatementLatencies } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { Counts } from './counts.ts';
import type { Phase } from './phase.ts';

/**
 * Counters of each statement and transaction of a worker's mix. Work that ends after the phase's deadline is not
 * counted.
 */
export interface StatementCounters {
  /** The counts by index of the mix's statements. */
  readonly statements: readonly Counts[];
  /** The counts by index of the mix's items; null for a single statement, which `statements` counts. */
  readonly transactions: readonly (Counts | null)[];
  /** The counts by index of its scenarios: passes from the first step to the last, including pauses between them. */
  readonly scenarios: readonly Counts[];
  /** `rows` is null if the server did not report it. */
  succeeded(counts: Counts | null, startMs: number, endMs: number, rows: number | null): void;
  failed(counts: Counts | null, startMs: number, endMs: number, kind: ErrorKind): void;
  /**
   * A unit of work that calls this statement or transaction has ended well: the times from its intended and from its
   * actual start.
   */
  responded(counts: Counts, responseMs: number, sinceStartMs: number): void;
  /** Something was committed, by a single call or a transaction. */
  committed(endMs: number): void;
  /** Resets the counters after the warm-up. */
  reset(): void;
  toData(): readonly StatementCounts[];
  /**
   * The service times since the last call of this function, of the statements that were called. Empty if there is only
   * one statement, because the counts of the phase have its times.
   */
  takeInterval(): readonly StatementLatencies[];
}

/** The counted parts of a mix; its items only if they are transactions. */
interface Counted {
  readonly statements: readonly Pick<MixStatement, 'name'>[];
  readonly items: readonly Pick<MixItem, 'name' | 'transaction'>[];
  readonly scenarios?: readonly Pick<MixScenario, 'name'>[];
}

/** Number of calls of a statement by number of rows that each of them returned or changed. */
class StatementCalls extends Counts {
  #uncounted = 0;
  #empty = 0;
  #squares = 0;
  #most = 0;

  /** `rows`: number of rows of a successful call; null if the server did not report it. */
  touched(rows: number | null): void {
    if (rows === null) {
      this.#uncounted++;
      return;
    }
    if (rows === 0) this.#empty++;
    this.#squares += rows * rows;
    if (rows > this.#most) this.#most = rows;
  }

  override reset(): void {
    super.reset();
    this.#uncounted = 0;
    this.#empty = 0;
    this.#squares = 0;
    this.#most = 0;
  }

  rowsOfCalls(): Pick<StatementCounts, 'uncounted' | 'rowSpread'> {
    const spread: RowSpread = { empty: this.#empty, squares: this.#squares, most: this.#most };
    return {
      ...(this.#uncounted > 0 && { uncounted: this.#uncounted }),
      ...(this.calls > this.#uncounted && { rowSpread: spread }),
    };
  }
}

/** `phase`: the running phase. */
export function createStatementCounters(mix: Counted, phase: () => Phase | null): StatementCounters {
  const statements = mix.statements.map(() => new StatementCalls());
  const transactions = mix.items.map(({ transaction }) => (transaction ? new Counts() : null));
  const scenarios = (mix.scenarios ?? []).map(() => new Counts());
  const inTime = (endMs: number) => endMs <= (phase()?.countsUntilMs ?? Number.NEGATIVE_INFINITY);
  const all = [
    ...mix.statements.map(({ name }, i) => ({ name, kind: 'statement' as const, counts: statements[i]! })),
    ...mix.items.flatMap(({ name }, i) =>
      transactions[i] ? [{ name, kind: 'transaction' as const, counts: transactions[i] }] : [],
    ),
    ...(mix.scenarios ?? []).map(({ name }, i) => ({ name, kind: 'scenario' as const, counts: scenarios[i]! })),
  ];
  /** Only loads that have intended starts fill it. */
  const responses = new Map<Counts, { readonly response: Histogram; readonly sinceStart: Histogram }>();
  const intervals = new Map<Counts, Histogram>(
    all.length > 1 ? all.map(({ counts }) => [counts, new Histogram()]) : [],
  );
  return {
    statements,
    transactions,
    scenarios,
    succeeded(counts, startMs, endMs, rows) {
      if (!counts || !inTime(endMs)) return;
      counts.succeeded(endMs - startMs, rows ?? 0);
      intervals.get(counts)?.record((endMs - startMs) * 1e6);
      if (counts instanceof StatementCalls) counts.touched(rows);
    },
    failed(counts, startMs, endMs, kind) {
      if (counts && inTime(endMs)) counts.failed(endMs - startMs, kind);
    },
    responded(counts, responseMs, sinceStartMs) {
      const known = responses.get(counts) ?? { response: new Histogram(), sinceStart: new Histogram() };
      responses.set(counts, known);
      known.response.record(responseMs * 1e6);
      known.sinceStart.record(sinceStartMs * 1e6);
    },
    committed(endMs) {
      const running = phase();
      if (running && inTime(endMs)) running.counts.commits++;
    },
    reset() {
      for (const { counts } of all) counts.reset();
      for (const { response, sinceStart } of responses.values()) {
        response.reset();
        sinceStart.reset();
      }
      for (const interval of intervals.values()) interval.reset();
    },
    takeInterval: () =>
      all.flatMap(({ name, kind, counts }) => {
        const interval = intervals.get(counts);
        if (interval === undefined || interval.count === 0) return [];
        const service = interval.encode();
        interval.reset();
        return [{ name, kind, service }];
      }),
    toData: () =>
      all.map(({ name, kind, counts }) => {
        const { calls, rows, errors, service, failed } = counts.toData();
        const times = responses.get(counts);
        return {
          name,
          kind,
          calls,
          rows,
          ...(counts instanceof StatementCalls && counts.rowsOfCalls()),
          errors,
          service,
          ...(times && { response: times.response.encode(), sinceStart: times.sinceStart.encode() }),
          failed,
        };
      }),
  };
}
