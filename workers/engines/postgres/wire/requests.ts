import { once } from 'node:events';
import type { Socket } from 'node:net';
import type pg from 'pg';
import { parse, simpleQueryType } from './messages.ts';

/**
 * Requests of our own to `pg` (its Submittable interface, as pg-cursor and pg-copy-streams use it), for what
 * client.query() cannot say. A request is submitted when the connection is free, gets the server's messages, and ends
 * with handleReadyForQuery or handleError.
 */
abstract class Request {
  readonly done: Promise<number>;
  #settle!: { resolve: (rows: number) => void; reject: (error: unknown) => void };
  protected rows = 0;
  /** A command tag had a number of rows: one of CALL, SHOW or DDL has none. */
  protected isCounted = false;

  constructor() {
    this.done = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }
  /** Present so that `pg` sees a request that answers by itself. */
  callback(): void {}
  handleCommandComplete(message: { readonly text: string }): void {
    // "INSERT 0 5", "SELECT 5"; of others there is no number.
    const [, number] = / (\d+)$/.exec(message.text) ?? [];
    if (number === undefined) return;
    this.rows += Number(number);
    this.isCounted = true;
  }
  handleError(error: unknown): void {
    this.#settle.reject(error);
  }
  handleReadyForQuery(): void {
    this.#settle.resolve(this.rows);
  }
}

interface RowDescription {
  readonly fields: readonly { readonly name: string }[];
}

/** Parses a named statement without running it, so that the first timed call finds it there. */
export class ParseRequest extends Request {
  /** The names of the answer's columns. */
  columns: readonly string[] = [];
  // `pg` notes the statement as parsed under these two.
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
    this.columns = fields.map(({ name }) => name);
  }
}

/** A statement with a name, which the server parses with its first call. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
  readonly types: readonly number[];
}

/** What the server is asked in one write: one message after another. */
export class MessagesRequest extends Request {
  // `pg` notes the statement as parsed under these two.
  readonly name: string | undefined;
  readonly text: string | undefined;
  /** The first row, if there is one; of the others nothing is kept. */
  first: readonly (string | null)[] | null = null;
  #fields: RowDescription['fields'] | null = null;
  #received = 0;
  readonly #messages: Uint8Array;
  readonly #types: readonly number[];
  constructor(messages: Uint8Array, statement: NamedStatement | null = null) {
    super();
    this.#messages = messages;
    this.name = statement?.name;
    this.text = statement?.text;
    this.#types = statement?.types ?? [];
  }
  /** When it has been answered: rows returned or changed; null: the server did not say, and returned none. */
  get touched(): number | null {
    if (this.isCounted) return this.rows;
    return this.#received > 0 ? this.#received : null;
  }
  /** Null where the messages do not ask for a description. */
  get columns(): readonly string[] | null {
    return this.#fields?.map(({ name }) => name) ?? null;
  }
  submit(connection: pg.Connection & { readonly parsedStatements: Readonly<Record<string, string>> }): void {
    const { name, text } = this;
    const isParsed = name === undefined || text === undefined || connection.parsedStatements[name] !== undefined;
    const messages = isParsed ? this.#messages : Buffer.concat([parse(name, text, this.#types), this.#messages]);
    (connection.stream as Socket).write(messages);
  }
  handleEmptyQuery(): void {}
  handleRowDescription({ fields }: RowDescription): void {
    this.#fields = fields;
  }
  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.first ??= fields;
    this.#received++;
  }
  /** COPY TO STDOUT: rows are received, and not kept. */
  handleCopyData(): void {}
  /**
   * COPY FROM STDIN among statements of the user's own. While it waits for rows the server drops the Sync of the
   * extended protocol; a simple query has none, and one more would be answered, too.
   */
  handleCopyInResponse(connection: pg.Connection & { sendCopyFail(why: string): void }): void {
    connection.sendCopyFail('There are no rows to copy.');
    if (this.#messages[0] !== simpleQueryType) connection.sync();
  }
}

const chunkBytes = 65_536;
const chunksPerWrite = 16;

/**
 * COPY FROM STDIN of one buffer that is ready: CopyData messages of 64 KiB — the server starts on the first while we
 * send the next — handed to the socket sixteen at a time without copying, and no faster than it drains.
 * (pg-copy-streams makes two unbatched writes a chunk.)
 *
 * The data follows the statement without waiting for CopyInResponse: it saves a round trip, and the server works while
 * the caller makes the next batch. Should the statement fail, the server ignores what follows (manual, "COPY
 * Operations"; postgres.c accepts and drops copy messages outside of a COPY).
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
    connection.query(this.#text);
    // A lost connection reaches handleError through the client.
    this.#send(connection.stream as Socket).catch(() => {});
  }
  handleCopyInResponse(): void {}
  override handleError(error: unknown): void {
    this.#failed = true;
    super.handleError(error);
  }
  async #send(socket: Socket): Promise<void> {
    const data = this.#data;
    for (let at = 0; at < data.length && !this.#failed; ) {
      socket.cork();
      let room = true;
      for (let i = 0; i < chunksPerWrite && at < data.length; i++) {
        const chunk = data.subarray(at, at + chunkBytes);
        const header = Buffer.allocUnsafe(5);
        header[0] = 0x64; // d: CopyData
        header.writeInt32BE(chunk.length + 4, 1);
        socket.write(header);
        room = socket.write(chunk);
        at += chunk.length;
      }
      socket.uncork();
      if (!room) await once(socket, 'drain');
    }
    if (!this.#failed) socket.write(copyDone);
  }
}
const copyDone = Buffer.from([0x63, 0, 0, 0, 4]);

/** Returns the rows that the server reported. */
export function send(client: pg.Client, request: Request): Promise<number> {
  setPipelining(client, false);
  client.query<pg.Submittable>(request as Request & pg.Submittable);
  return request.done;
}

/**
 * `pg` takes pipelining as an option of the connection and reads it anew at every query, so a session can turn it on
 * for calls that want it; it refuses portals and requests of our own meanwhile. To be changed only while nothing is in
 * flight.
 */
export function setPipelining(client: pg.Client, on: boolean): void {
  (client as { pipeline: boolean }).pipeline = on;
}
