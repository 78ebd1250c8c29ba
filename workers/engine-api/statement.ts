import type { Batch } from '#model/batch/batch.ts';
import type { Parameter, PlansByName } from '#model/dataset/dataset.ts';
import type { Options } from '#model/settings/options.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import type { AnswerType, ListType, ShownRows } from '#model/statements/statements.ts';
import type { Call, Caller } from './operation.ts';
import type { QueryPlan } from './query-plan.ts';

/** A custom statement, as Session.prepareStatement() receives it. */
export interface StatementPlan {
  /** The text in this engine's language (descriptor.statements). */
  readonly text: string;
  /** The parameters in the order in which a batch holds their values. */
  readonly parameters: readonly Parameter[];
  /** The way in which calls are made; `descriptor.support.statement` has a cell for it. */
  readonly method: MethodName;
  /** The tables that {name} in the text stands for. */
  readonly tables: PlansByName;
  /** The session's options. */
  readonly options: Options;
  /** The statement changes nothing: outside a transaction it needs no commit. */
  readonly isRead: boolean;
}

/** The reason that a value cannot be captured exactly. */
export interface Inexact {
  /** A sentence for the user. */
  readonly why: string;
  /** The only type that captures the value exactly. Absent: none. */
  readonly only?: ListType;
}

/** The rows of an answer, with values that later steps may use. */
export interface AnsweredRows extends ShownRows {
  /** The values of `rows` for later calls, where the server's own client shows them differently. Absent: as shown. */
  readonly exact?: readonly (readonly (string | null)[])[];
  /** The type of each column's values as parameters of later calls. Absent: text. */
  readonly types?: readonly AnswerType[];
  /** The values of `rows` in the engine's notation, where `types` has `own`. */
  readonly own?: readonly (readonly (string | null)[])[];
  /**
   * True for columns with a floating-point number, whose digits may be rounding errors, if `types` has `own`. Absent:
   * each number may be one.
   */
  readonly rounded?: readonly boolean[];
  /**
   * Columns, by position, with values that a later step must not use because the driver returns them inexactly. Absent:
   * none.
   */
  readonly inexact?: Readonly<Record<number, Inexact>>;
  /**
   * The engine's declared type for each column's value when it becomes a parameter. Absent, and null: the default type
   * of its kind.
   */
  readonly declared?: readonly (string | null)[];
}

/** The answer of a call, with its first rows. */
export interface KeptAnswer {
  /** The number of rows returned or changed; null: the server does not report it. */
  readonly count: number | null;
  /** Returns the kept rows as text with all digits. The time of the call does not include this work. */
  read(): AnsweredRows;
}

/** A prepared custom statement of one session. */
export interface CustomStatement<C = Call> {
  /**
   * Returns driver-ready arguments; the only row of the batch has a value for each parameter. `declared`:
   * AnsweredRows.declared of the answer from which captured values come.
   */
  encode(batch: Batch, declared?: readonly (string | null)[]): C;
  /**
   * Sends the call, waits, and fetches all rows; returns the number of rows returned or changed, or null where the
   * server does not report it (a procedure, DDL). The call commits by itself outside a transaction.
   */
  run(call: C): Promise<number | null> | number | null;
  /** run() for callers that need no promise, as Operation.start(). */
  start?(call: C, caller: Caller<number | null>): void;
  /**
   * Does the same as run() at the same speed, and keeps the first `most` rows of the answer: a later step uses values
   * of the first one, and the answers of a few calls are compared with those of other variants and targets.
   */
  answer(call: C, most: number): Promise<KeptAnswer>;
  /**
   * Sends the call, and returns the first `most` rows as text, for people to read. Rows beyond are left at the server,
   * which stops its work on them (`hasMore`); an answer of one piece is read whole.
   */
  show(call: C, most: number): Promise<AnsweredRows>;
  /**
   * The server's plan for the statement, as the server formats it.
   * @throws DynoError 'unsupported' where the server gives none.
   */
  explain(call: C): Promise<string>;
  /**
   * The server's plan for the statement, as Operation.queryPlan() returns it; only statements with StatementPlan.isRead
   * are executed for it, and what they change is rolled back. Absent: the engine gives none.
   * @throws DynoError 'unsupported' with the reason why the server gives no plan.
   */
  queryPlan?(call: C): Promise<QueryPlan>;
  /**
   * The reason, as a sentence, why a rollback would not undo the statement's changes. Null and default: a rollback
   * undoes them.
   */
  notUndoneText?(): Promise<string | null>;
}
