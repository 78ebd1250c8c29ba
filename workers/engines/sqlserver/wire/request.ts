/*
 * Private members of tedious that this file uses; driver-privates.test.ts has a contract for each:
 * Connection.currentTransactionDescriptor, Connection.inTransaction, Connection.makeRequest.
 */
import { type Connection, ISOLATION_LEVEL, Request } from 'tedious';
import { firstLoss } from './losses.ts';
import { headersOf } from './packets.ts';

/*
 * Requests go over `tedious`' connection with bodies of our own, and through `mssql` (mssql/session.ts) only where the
 * option says so: its pool sends a SELECT 1 before every request, and a single-row call takes 550–680 µs of client CPU
 * there, 260–320 in `tedious`' own calls, 160–230 here; a row of a bulk load 5–8, 4–5 and 0.9 µs (drivers.bench.ts,
 * against Babelfish on 2 cores).
 */

/** Packet header types ([MS-TDS] 2.2.3.1.1). */
export const sqlBatch = 0x01;
export const rpcRequest = 0x03;
export const bulkLoad = 0x07;
export const transactionManager = 0x0e;

/** The body of a message, made before the clock. Bulk data have no headers. */
class Payload {
  readonly #parts: readonly Buffer[];
  constructor(parts: readonly Buffer[]) {
    this.#parts = parts;
  }
  [Symbol.iterator](): Iterator<Buffer> {
    return this.#parts[Symbol.iterator]();
  }
  /** The text for the driver's debug events must not hold values. */
  toString(): string {
    return 'body made by Dyno';
  }
}

/** Receives rows and return values. */
type Watch = (request: Request) => void;

/** Sends a body. `resultOf` converts the number of rows that the server counted; null: it did not count. */
const answered = <T>(
  connection: Connection,
  type: number,
  body: Buffer,
  resultOf: (rows: number | null) => T,
  watch: Watch | undefined,
): Promise<T> =>
  new Promise((resolve, reject) => {
    let rows: number | null = null;
    const count = (done: number | undefined) => {
      if (done !== undefined) rows = (rows ?? 0) + done;
    };
    const request = new Request(undefined, (error) =>
      error ? reject(firstLoss(connection, error)) : resolve(resultOf(rows)),
    );
    request.on('done', count);
    request.on('doneInProc', count);
    watch?.(request);
    const payload = new Payload(
      type === bulkLoad ? [body] : [headersOf(connection.currentTransactionDescriptor()), body],
    );
    connection.makeRequest(request, type, payload);
  });

/**
 * Sends a body; resolves with the number of rows inserted, changed or returned. Null: unknown, as after SET NOCOUNT ON
 * (DONE_COUNT, 2.2.7.6).
 */
export const ask = (connection: Connection, type: number, body: Buffer, watch?: Watch): Promise<number | null> =>
  answered(connection, type, body, (rows) => rows, watch);

/** Sends a body; resolves with the number of rows, which is 0 if it is unknown. Sessions have SET NOCOUNT OFF. */
export const send = (connection: Connection, type: number, body: Buffer, watch?: Watch): Promise<number> =>
  answered(connection, type, body, (rows) => rows ?? 0, watch);

/** SQL text as the body of a batch. */
export const batchBody = (sql: string): Buffer => Buffer.from(sql, 'utf16le');

/** Runs a batch, and ignores its rows. */
export const execute = (connection: Connection, sql: string): Promise<number> =>
  send(connection, sqlBatch, batchBody(sql));

/** Returns the rows of a batch's result by column name, for small answers. */
export async function query<Row extends Readonly<Record<string, unknown>>>(
  connection: Connection,
  sql: string,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  await send(connection, sqlBatch, batchBody(sql), (request) =>
    request.on(
      'row',
      (columns: readonly { readonly metadata: { readonly colName: string }; readonly value: unknown }[]) => {
        rows.push(Object.fromEntries(columns.map(({ metadata, value }) => [metadata.colName, value])) as Row);
      },
    ),
  );
  return rows;
}

type Done = (error: Error | null | undefined) => void;
const settled = (connection: Connection, start: (done: Done) => void): Promise<void> =>
  new Promise((resolve, reject) => start((error) => (error ? reject(firstLoss(connection, error)) : resolve())));

/** Transaction manager requests (2.2.6.9), which keep the session's isolation level. */
export const begin = (connection: Connection): Promise<void> =>
  settled(connection, (done) => connection.beginTransaction(done, '', ISOLATION_LEVEL.NO_CHANGE));
export const commit = (connection: Connection): Promise<void> =>
  settled(connection, (done) => connection.commitTransaction(done));
/** It is no error if the server has rolled back already, as it does for the victim of a deadlock. */
export const rollback = async (connection: Connection): Promise<void> => {
  if (connection.inTransaction) await settled(connection, (done) => connection.rollbackTransaction(done));
};
