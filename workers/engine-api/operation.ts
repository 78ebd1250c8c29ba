import type { Batch, RowLayout } from '#model/batch/batch.ts';
import type { Value } from '#model/batch/decode.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { MethodName, TableOperation } from '#model/settings/vocabulary.ts';
import type { QueryPlan } from './query-plan.ts';

/** One operation on one table, as Session.prepare() receives it. */
export interface OperationPlan {
  /** The table, which exists. */
  readonly table: TablePlan;
  /** The operation of its calls. */
  readonly operation: TableOperation;
  /** The way in which calls are made; `descriptor.support` has a cell for it. */
  readonly method: MethodName;
  /** The settings of the variant. rowsPerCall is the size of a full batch; the last batch may be smaller. */
  readonly settings: Settings;
}

/**
 * Driver-ready arguments of one call; opaque to the runner. An engine names the type that it encodes
 * (`Operation<Buffer>`), so that the compiler compares encode() with run(): a cast in run() would accept anything.
 */
export type Call = unknown;

/**
 * The caller of a call that was started. One of the two functions is called, once, and not before start() has returned.
 */
export interface Caller<R = number> {
  /** Takes the result with which run() would resolve. */
  answered(result: R): void;
  /** Takes the error with which run() would reject. */
  failed(thrown: unknown): void;
}

/** A prepared operation of one session. */
export interface Operation<C = Call> {
  /** The wire layout that the generator may fill directly. Absent or null: there is none. */
  readonly layout?: RowLayout | null;
  /**
   * Turns a batch into driver-ready arguments, outside the timed call; its cost is reported as "encode". Many calls are
   * encoded before the first one runs, so buffers must not be reused; the operation that encoded a call runs it, at
   * most once.
   */
  encode(batch: Batch): C;
  /**
   * Sends, and waits for the answer: the only call inside the timed region. Returns the rows inserted, read or changed
   * as the server reported them, so that the runner can check them. Synchronous engines return the number itself.
   */
  run(call: C): Promise<number> | number;
  /**
   * run() without a promise, because a promise costs more than all of the runner's work for a short call. Never throws.
   * Absent: the driver has promises of its own, or answers at once.
   */
  start?(call: C, caller: Caller): void;
  /**
   * Sends the calls that were started since it was last called in one message. Their callers may be told as the answers
   * arrive. run() starts one call and sends it. Absent: start() sends.
   */
  send?(): void;
  /**
   * The server's plan for the call of a batch, with the batch's values, in this session. Asked outside the clock. Reads
   * may be executed for it: for mostPlanMs, after which the session's cancel() is called. Absent: the call is no
   * statement that has a plan (COPY, for example).
   * @throws DynoError 'unsupported' with the reason why the server gives no plan.
   */
  queryPlan?(batch: Batch): Promise<QueryPlan>;
  /**
   * All rows of a prepared scan, with values as decode.ts returns them, in blocks of fetchSize as far as the engine
   * supports that; the iterator fetches each block on demand. Absent: run() only counts rows, and the engine cannot be
   * the source of a copy.
   */
  blocks?(): AsyncIterable<readonly (readonly Value[])[]>;
}
