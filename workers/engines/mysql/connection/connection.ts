import { setTimeout as sleep } from 'node:timers/promises';
import type { Pooler } from '#engine-api/fingerprint.ts';
import type { Caller, Operation } from '#engine-api/operation.ts';
import type { Batch } from '#model/batch/batch.ts';
import { DynoError } from '#model/error.ts';
import { formatCount } from '#model/format/format.ts';
import type { MysqlConfig } from '../config.ts';
import type { AnswerColumn } from '../values/answer-types.ts';
import type { ExactNumbers, Parameters } from '../values/parameters.ts';
import type { ParameterValue } from '../values/values.ts';
import { headBytes, mostBytes } from '../wire/packets.ts';

/** The answer of a statement. */
export interface QueryResult {
  /** Rows as arrays: exact numbers as numbers, all else as the server's text; null: the statement returns no rows. */
  readonly rows: readonly (readonly unknown[])[] | null;
  /** The number of rows that were stored, or found by an UPDATE. */
  readonly affectedRows: number;
  readonly warnings: number;
  /** Names of the columns of `rows`. */
  readonly columns: readonly string[];
  /** Their types as the server reports them. */
  readonly described: readonly AnswerColumn[];
}

/** The values of a call; on the lean path, its packet. */
export type PreparedCall = readonly ParameterValue[] | Uint8Array;
/** A statement's text; on the lean path, its packet. */
export type TextCall = string | Uint8Array;

/** The maximum number of rows that are fetched of an answer. */
export interface RowLimit {
  readonly most: number;
  /** Ends the statement at the server once there are so many rows, because the protocol has no other way. */
  readonly stop: () => Promise<unknown>;
}

/** Keeps the first rows of an answer, and has the server stop after them. */
export function rowsUpTo({ most, stop }: RowLimit) {
  const rows: (readonly unknown[])[] = [];
  let stopping: Promise<unknown> | null = null;
  return {
    rows,
    add(row: readonly unknown[]): void {
      if (rows.length < most) rows.push(row);
      if (rows.length === most) stopping ??= stop();
    },
    /**
     * Resolves when no stop is in flight any more. Throws the reason why the answer broke off, unless the stop was the
     * reason.
     */
    async over(thrown: unknown): Promise<void> {
      await stopping;
      const isStopped = stopping !== null && (thrown as { readonly errno?: unknown } | null)?.errno === interrupted;
      if (thrown !== null && !isStopped) throw thrown;
    },
  };
}

/** ER_QUERY_INTERRUPTED. */
const interrupted = 1_317;

/** A statement that the server keeps for this connection. */
export interface Prepared {
  /** Makes the calls for run() from batches. */
  encoder(parameters: Parameters): (batch: Batch) => PreparedCall;
  /** Returns the number of rows returned or affected. */
  run(call: PreparedCall): Promise<number>;
  /** Runs a call, and returns its rows with every digit. */
  answer(values: ParameterValue[]): Promise<QueryResult>;
  /** Returns the first rows of the answer. */
  some(values: ParameterValue[], limit: RowLimit): Promise<QueryResult>;
  /** Runs a call with many rows, which are received and decoded one by one and not kept. Returns their number. */
  stream(values: ParameterValue[]): Promise<number>;
  /**
   * Returns all rows one by one, and fetches at most `most` of them before they are asked for. Absent: the driver is
   * not used for it.
   */
  rows?(most: number): AsyncIterable<readonly unknown[]>;
}

/** One physical connection over one of the two drivers. It has one call at a time, except that run() may pipeline. */
export interface MysqlConnection {
  readonly threadId: number;
  /** The pooler or proxy in between; null: none. It is known after connecting. */
  pooler: Pooler | null;
  /** MariaDB's version: 10.11 is 1011. Null: the server is MySQL. */
  readonly mariadb: number | null;
  readonly exact: ExactNumbers;
  /** The server's max_allowed_packet for this session; Infinity until it is known. */
  packetLimit: number;
  query(sql: string): Promise<QueryResult>;
  /** Runs a text, and returns values with every digit: decimals as text, integers beyond 2^53 as text or bigint. */
  queryExactly(sql: string): Promise<QueryResult>;
  /** Returns the first rows. */
  some(sql: string, limit: RowLimit): Promise<QueryResult>;
  /** Makes the call that run() takes. */
  encode(sql: string): TextCall;
  /** Returns the number of rows returned or affected. */
  run(call: TextCall): Promise<number>;
  /** Sends a packet of the lean path, for a text or a prepared statement. Null: calls go through the driver. */
  readonly start: ((packet: Uint8Array, caller: Caller) => void) | null;
  /** Sends one text of several statements, each with a caller. Null: calls go through the driver. */
  readonly startTogether: ((statements: readonly Uint8Array[], callers: readonly Caller[]) => void) | null;
  stream(sql: string): Promise<number>;
  prepare(sql: string): Promise<Prepared>;
  /** Prepares a statement, executes it once and closes it. */
  runOnce(sql: string, values: ParameterValue[]): Promise<number>;
  answerOnce(sql: string, values: ParameterValue[]): Promise<QueryResult>;
  someOnce(sql: string, values: ParameterValue[], limit: RowLimit): Promise<QueryResult>;
  streamOnce(sql: string, values: ParameterValue[]): Promise<number>;
  /** Executes LOAD DATA LOCAL with this text as its file. */
  load(sql: string, text: Buffer): Promise<QueryResult>;
  /** Executes one statement for an array of rows. Null: the driver has no such call. */
  readonly batch: ((sql: string, rows: ParameterValue[][]) => Promise<number>) | null;
  /**
   * True if, by the status flags of the last answer, a transaction is open or calls do not commit. Null: it was an
   * error.
   */
  inTransaction(): boolean | null;
  wireBytes(): { readonly sent: number; readonly received: number };
  end(): Promise<void>;
  /** Closes the connection without a farewell to the server. */
  destroy(): void;
}

/** Reads an answer of a driver's callback: rows or a header. A CALL returns several, the last without rows. */
export function answerOf(
  result: unknown,
  columns: readonly string[] = [],
  described: readonly AnswerColumn[] = [],
): QueryResult {
  const several = Array.isArray(result) && result.length > 0 && !Array.isArray(result.at(-1));
  const first: unknown = several ? result[0] : result;
  if (Array.isArray(first)) return { rows: first as unknown[][], affectedRows: 0, warnings: 0, columns, described };
  const { affectedRows, warningStatus } = first as { readonly affectedRows: number; readonly warningStatus: number };
  return { rows: null, affectedRows, warnings: warningStatus, columns: [], described: [] };
}

/** Flags of the server's status, which ends each answer (manual, "SERVER_STATUS_flags_enum"). */
const [inTransactionFlag, autocommitFlag] = [0x01, 0x02];
/** The flags of a session that has sent nothing so far. */
export const usualStatus = autocommitFlag;

/** MysqlConnection.inTransaction() of these flags. */
export const isOpenIn = (status: number | null): boolean | null =>
  status === null ? null : (status & inTransactionFlag) !== 0 || (status & autocommitFlag) === 0;

/**
 * Returns the call if the server accepts its length. The server closes the connection in the middle of a longer call,
 * often without an error.
 * @throws DynoError 'limit' for a call of more bytes than `limit`.
 */
export function fitting<C extends PreparedCall | TextCall>(call: C, limit: number): C {
  const bytes = bytesOf(call);
  if (bytes <= limit) return call;
  throw new DynoError(
    'limit',
    `A call of ${formatCount(bytes)} bytes is longer than the server’s max_allowed_packet of ${formatCount(limit)}.`,
    { hint: 'Lower rowsPerCall or callsPerBatch, or raise max_allowed_packet on the server.' },
  );
}

/** The bytes of a call's packet. For values only texts and bytes count, and texts count characters. */
function bytesOf(call: PreparedCall | TextCall): number {
  if (typeof call === 'string') return call.length;
  if (call instanceof Uint8Array) return call.length - headBytes * Math.ceil(call.length / (mostBytes + headBytes));
  let sum = 0;
  for (const value of call) if (typeof value === 'string' || Buffer.isBuffer(value)) sum += value.length;
  return sum;
}

/** The functions that send the calls of an operation: `run` always, `start` only for packets of the lean path. */
export const sentBy = <C extends PreparedCall | TextCall>(
  { start }: MysqlConnection,
  run: (call: C) => Promise<number>,
): Pick<Operation<C>, 'run' | 'start'> =>
  start ? { run, start: (call, caller) => start(call as Uint8Array, caller) } : { run };

/** The ms that a server may take to answer a farewell; then the connection is closed without the answer. */
export const patienceMs = 5_000;

/** Waits for a promise, but no longer than this. */
export const atMost = (ms: number, what: Promise<unknown>): Promise<unknown> =>
  Promise.race([what, sleep(ms, undefined, { ref: false })]);

/**
 * The kind of connection that a method requires: a client's file needs `localFiles`, and a text of several statements
 * `severalStatements`. No custom statement uses these two.
 */
export type Flavour = 'usual' | 'unprepared' | 'localFiles' | 'severalStatements';

export interface ConnectionRequest {
  readonly config: MysqlConfig;
  /** The program_name among the connection's attributes, by which a DBA knows the connection. */
  readonly tag: string;
  readonly flavour: Flavour;
  /** Calls take the lean path, if the driver has one. Default: the driver's own path. */
  readonly lean?: boolean;
  /** Opens one more connection to find out how a pooler shares the server's connections. Default: no. */
  readonly examinesPooler?: boolean;
  /** The isolation level in SQL's words. Absent or null: the level of the server and the target. */
  readonly isolation?: string | null;
}

/** "10.11.19-MariaDB-0+deb12u1" → 1011; null for MySQL. */
export function mariadbVersion(version: string): number | null {
  const [, major, minor] = /(\d+)\.(\d+)\.\d+-MariaDB/i.exec(version) ?? [];
  return major === undefined ? null : Number(major) * 100 + Number(minor);
}
