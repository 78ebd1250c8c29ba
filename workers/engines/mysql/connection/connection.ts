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
  /** Rows stored, or found by an UPDATE. */
  readonly affectedRows: number;
  readonly warnings: number;
  /** Names of the columns of `rows`. */
  readonly columns: readonly string[];
  /** Their types as the server reports them. */
  readonly described: readonly AnswerColumn[];
}

/** The values of a call, or on the lean path its packet. */
export type PreparedCall = readonly ParameterValue[] | Uint8Array;
/** A statement's text, or on the lean path its packet. */
export type TextCall = string | Uint8Array;

/** A limit to the rows of an answer that are fetched. */
export interface RowLimit {
  readonly most: number;
  /** Ends the statement at the server, where there are as many rows: the protocol itself has no way. */
  readonly stop: () => Promise<unknown>;
}

/** Keeps the first rows of an answer, and has the server stop behind them. */
export function rowsUpTo({ most, stop }: RowLimit) {
  const rows: (readonly unknown[])[] = [];
  let stopping: Promise<unknown> | null = null;
  return {
    rows,
    add(row: readonly unknown[]): void {
      if (rows.length < most) rows.push(row);
      if (rows.length === most) stopping ??= stop();
    },
    /** Resolves when no stop is on its way any more; throws why the answer broke off, unless that was the stop. */
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
  /** Makes of batches what run() takes. */
  encoder(parameters: Parameters): (batch: Batch) => PreparedCall;
  /** Rows returned or affected. */
  run(call: PreparedCall): Promise<number>;
  /** The same with its rows, with every digit. */
  answer(values: ParameterValue[]): Promise<QueryResult>;
  /** The first rows of the answer. */
  some(values: ParameterValue[], limit: RowLimit): Promise<QueryResult>;
  /** The same for many rows, received and decoded one by one and not kept. */
  stream(values: ParameterValue[]): Promise<number>;
  /**
   * Returns all rows one by one, and fetches at most `most` of them before they are asked for. Absent: the driver is
   * not used for it.
   */
  rows?(most: number): AsyncIterable<readonly unknown[]>;
}

/** One physical connection over one of the two drivers. One call at a time, but for run() where it pipelines. */
export interface MysqlConnection {
  readonly threadId: number;
  /** The pooler or proxy that it goes through; null: none. Known when it is connected. */
  pooler: Pooler | null;
  /** MariaDB's version: 10.11 is 1011. Null: the server is MySQL. */
  readonly mariadb: number | null;
  readonly exact: ExactNumbers;
  /** The server's max_allowed_packet for this session; Infinity until it is known. */
  packetLimit: number;
  query(sql: string): Promise<QueryResult>;
  /** The same with every digit: decimals as text, integers beyond 2^53 as text or bigint. */
  queryExactly(sql: string): Promise<QueryResult>;
  /** The first rows of it. */
  some(sql: string, limit: RowLimit): Promise<QueryResult>;
  /** Makes ready what run() takes. */
  encode(sql: string): TextCall;
  /** Rows returned or affected. */
  run(call: TextCall): Promise<number>;
  /** Sends a packet of the lean path: a text's, or a prepared statement's. Null: calls go through the driver. */
  readonly start: ((packet: Uint8Array, caller: Caller) => void) | null;
  stream(sql: string): Promise<number>;
  prepare(sql: string): Promise<Prepared>;
  /** Prepares, executes and closes. */
  runOnce(sql: string, values: ParameterValue[]): Promise<number>;
  answerOnce(sql: string, values: ParameterValue[]): Promise<QueryResult>;
  someOnce(sql: string, values: ParameterValue[], limit: RowLimit): Promise<QueryResult>;
  streamOnce(sql: string, values: ParameterValue[]): Promise<number>;
  /** LOAD DATA LOCAL of this text. */
  load(sql: string, text: Buffer): Promise<QueryResult>;
  /** One statement for an array of rows; null where the driver has no such call. */
  readonly batch: ((sql: string, rows: ParameterValue[][]) => Promise<number>) | null;
  /** True if a transaction is open or calls do not commit, by the last answer's status flags. Null: it was an error. */
  inTransaction(): boolean | null;
  wireBytes(): { readonly sent: number; readonly received: number };
  end(): Promise<void>;
  /** Closes the connection without a word to the server, which need not answer. */
  destroy(): void;
}

/** The answer in what a driver calls back with: rows, or a header; a CALL returns several, the last without rows. */
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
 * Returns a call that the server takes. In the midst of a longer one it closes the connection, often without a word.
 * @throws DynoError 'limit' for a call of more bytes than `limit`.
 */
export function fitting<C extends PreparedCall | TextCall>(call: C, limit: number): C {
  const bytes = bytesOf(call);
  if (bytes <= limit) return call;
  throw new DynoError(
    'limit',
    `A call of ${formatCount(bytes)} bytes is longer than the server’s max_allowed_packet of ${formatCount(limit)}.`,
    { hint: 'Lower rowsPerCall, or raise max_allowed_packet on the server.' },
  );
}

/** Bytes of a call's packet; of values those that are texts and bytes, in characters. */
function bytesOf(call: PreparedCall | TextCall): number {
  if (typeof call === 'string') return call.length;
  if (call instanceof Uint8Array) return call.length - headBytes * Math.ceil(call.length / (mostBytes + headBytes));
  let sum = 0;
  for (const value of call) if (typeof value === 'string' || Buffer.isBuffer(value)) sum += value.length;
  return sum;
}

/**
 * The functions that send the calls of an operation: `start` only where calls are packets on the lean path, `run`
 * always.
 */
export const sentBy = <C extends PreparedCall | TextCall>(
  { start }: MysqlConnection,
  run: (call: C) => Promise<number>,
): Pick<Operation<C>, 'run' | 'start'> =>
  start ? { run, start: (call, caller) => start(call as Uint8Array, caller) } : { run };

/** The ms that a server may take to answer a farewell; then the connection is closed without the answer. */
export const patienceMs = 5_000;

/** Waits for something no longer than this. */
export const atMost = (ms: number, what: Promise<unknown>): Promise<unknown> =>
  Promise.race([what, sleep(ms, undefined, { ref: false })]);

/**
 * The kind of connection that a method requires: a client's file needs `localFiles`, which no custom statement uses.
 */
export type Flavour = 'usual' | 'unprepared' | 'localFiles';

export interface ConnectionRequest {
  readonly config: MysqlConfig;
  /** The program_name among the connection's attributes, by which a DBA knows the connection. */
  readonly tag: string;
  readonly flavour: Flavour;
  /** Calls take the lean path, where the driver has one. Default: the driver's own. */
  readonly lean?: boolean;
  /** Finds out how a pooler shares the server's connections, by one more of them. Default: no. */
  readonly examinesPooler?: boolean;
  /** The level of isolation in SQL's words; absent or null: the session has that of the server and the target. */
  readonly isolation?: string | null;
}

/** "10.11.19-MariaDB-0+deb12u1" → 1011; null for MySQL. */
export function mariadbVersion(version: string): number | null {
  const [, major, minor] = /(\d+)\.(\d+)\.\d+-MariaDB/i.exec(version) ?? [];
  return major === undefined ? null : Number(major) * 100 + Number(minor);
}
