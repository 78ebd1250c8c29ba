/*
 * Private members of pg that this file uses; driver-privates.test.ts has a contract for each: Client.pipeline,
 * Connection.execute with rows, Query._getRows, Query.handleCopyInResponse, Query.handlePortalSuspended, Query.portal,
 * Query.requiresPreparation, Submittable.submit, Submittable.callback, Submittable.handleCommandComplete,
 * Submittable.handleCopyInResponse, Submittable.handleError, Submittable.handleReadyForQuery,
 * Submittable.handleRowDescription.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';

/** The server's answer to a request, with the number of rows if the server reports one. */
export class Answer {
  /** The sum of the numbers in command tags. */
  protected rows = 0;
  /** True if a command tag had a number of rows; the tags of CALL, SHOW and DDL have none. */
  protected isCounted = false;
  /** Rows that have arrived. */
  received = 0;

  /** Rows returned or changed. Null: the server did not say, and returned none. */
  get touched(): number | null {
    if (this.isCounted) return this.rows;
    return this.received > 0 ? this.received : null;
  }
  /** It is present so that `pg` accepts a request that answers by itself. */
  callback(): void {}
  handleCommandComplete(message: { readonly text: string }): void {
    // "INSERT 0 5" and "SELECT 5" end in the number; others have none.
    const [, number] = / (\d+)$/.exec(message.text) ?? [];
    if (number === undefined) return;
    this.rows += Number(number);
    this.isCounted = true;
  }
}

/**
 * Dyno's own requests to `pg` (its Submittable interface, as pg-cursor and pg-copy-streams use it), for features that
 * client.query() lacks. A request is submitted when the connection is free, receives the server's messages, and ends
 * with handleReadyForQuery or handleError.
 */
export abstract class Request extends Answer {
  /** See {@link touched}. */
  readonly done: Promise<number | null>;
  #resolve!: (touched: number | null) => void;
  #reject!: (error: unknown) => void;

  constructor() {
    super();
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }
  handleError(error: unknown): void {
    this.#reject(error);
  }
  handleReadyForQuery(): void {
    this.#resolve(this.touched);
  }
}

/** A column of an answer, as the driver's fields describe it. */
export interface AnswerColumn {
  readonly name: string;
  readonly dataTypeID: number;
}

interface RowDescription {
  readonly fields: readonly AnswerColumn[];
}

/** Parses a named statement without running it, so that the first timed call finds it there. */
export class ParseRequest extends Request {
  /** The answer's columns. */
  columns: readonly AnswerColumn[] = [];
  // `pg` notes the parsed statement under these two names.
  readonly name: string;
  readonly text: string;
  constructor(name: string, text: string) {
    super();
    this.name = name;
    this.text = text;
  }
  submit(connection: pg.Connection): void {
    connection.parse({ name: this.name, text: this.text, types: [] }, true);
    connection.describe({ type: 'S', name: this.name }, true);
    connection.sync();
  }
  handleRowDescription({ fields }: RowDescription): void {
    this.columns = fields;
  }
}

interface CopyAnswer {
  handleCopyInResponse(connection: pg.Connection): void;
  requiresPreparation(): boolean;
  readonly portal: string;
  _getRows(connection: pg.Connection): void;
  handlePortalSuspended(): void;
}

/**
 * The driver's query(). A COPY FROM STDIN gets no rows: see CallRequest.handleCopyInResponse. `most`: so many rows are
 * fetched at most, by the extended protocol; the Sync behind them ends the portal with the others.
 */
export function query(client: pg.Client, config: pg.QueryArrayConfig, most?: number): Promise<pg.QueryArrayResult> {
  setPipelining(client, false);
  return new Promise((resolve, reject) => {
    // A single statement has a single result.
    const callback = (error: unknown, result: object) =>
      error ? reject(error) : resolve(result as pg.QueryArrayResult);
    const asked = new pg.Query(config, undefined, callback);
    const answer = asked as unknown as CopyAnswer;
    if (most !== undefined) {
      answer._getRows = (connection) => {
        // The types lack the number of rows, and the second argument of a call.
        connection.execute({ portal: answer.portal, rows: String(most) }, true);
        connection.sync();
      };
      answer.handlePortalSuspended = () => {};
    }
    const refuse = answer.handleCopyInResponse;
    answer.handleCopyInResponse = (connection) => {
      refuse.call(asked, connection);
      if (answer.requiresPreparation()) connection.sync();
    };
    client.query(asked);
  });
}

const chunkBytes = 65_536;
/** A connection over loopback has nearly this much room for bytes that the server has not read. */
const chunksPerWrite = 32;

/**
 * COPY FROM STDIN of one buffer that is ready: CopyData messages of 64 KiB — the server starts on the first while we
 * send the next — handed to the socket without copying, together with the statement and the end, so that the server can
 * store the rows while the caller makes the next batch and nobody listens to the socket; further bytes are written only
 * as fast as the socket drains. (pg-copy-streams makes two unbatched writes a chunk.)
 *
 * The data follows the statement without waiting for CopyInResponse, which saves a round trip. Should the statement
 * fail, the server ignores what follows (manual, "COPY Operations"; postgres.c accepts and drops copy messages outside
 * of a COPY).
 */
export class CopyInRequest extends Request {
  readonly #text: string;
  readonly #data: Uint8Array;
  #failed = false;
  constructor(text: string, data: Uint8Array) {
    super();
    this.#text = text;
    this.#data = data;
  }
  submit(connection: pg.Connection): void {
    const socket = connection.stream as Socket;
    socket.cork();
    connection.query(this.#text);
    // A lost connection reaches handleError through the client.
    this.#sendData(socket).catch(() => {});
  }
  handleCopyInResponse(): void {}
  override handleError(error: unknown): void {
    this.#failed = true;
    super.handleError(error);
  }
  /** Expects a corked socket. */
  async #sendData(socket: Socket): Promise<void> {
    const data = this.#data;
    for (let at = 0; ; ) {
      for (let i = 0; i < chunksPerWrite && at < data.length; i++) {
        const chunk = data.subarray(at, at + chunkBytes);
        const header = Buffer.allocUnsafe(5);
        header[0] = 0x64; // d: CopyData
        header.writeInt32BE(chunk.length + 4, 1);
        socket.write(header);
        socket.write(chunk);
        at += chunk.length;
      }
      if (at >= data.length) socket.write(copyDone);
      socket.uncork();
      if (at >= data.length) return;
      if (socket.writableNeedDrain) await once(socket, 'drain');
      if (this.#failed) return;
      socket.cork();
    }
  }
}
const copyDone = Buffer.from([0x63, 0, 0, 0, 4]);

/** Sends a request; resolves with Request.touched. */
export function send(client: pg.Client, request: Request): Promise<number | null> {
  setPipelining(client, false);
  client.query<pg.Submittable>(request as Request & pg.Submittable);
  return request.done;
}

/**
 * `pg` reads its option `pipeline` anew at every query, so a session can turn it on for calls that want it; meanwhile
 * `pg` refuses portals and requests of Dyno's own. Change it only while nothing is in flight.
 */
export function setPipelining(client: pg.Client, on: boolean): void {
  (client as { pipeline: boolean }).pipeline = on;
}
