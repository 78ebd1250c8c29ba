/*
 * Private members of pg that this file uses; driver-privates.test.ts has a contract for each: Client.readyForQuery,
 * Connection.parsedStatements.
 */
import type { Socket } from 'node:net';
import type pg from 'pg';
import { DynoError } from '#model/error.ts';
import { RequestQueue } from '../../shared/request-queue.ts';
import { takeReads, writerOf } from '../../shared/socket-reads.ts';
import { CallRequest, type ParsedStatements } from './call-request.ts';
import { simpleQuery, sync } from './messages.ts';
import type { OwnTransactions } from './own-transactions.ts';
import { setPipelining } from './requests.ts';

type Client = pg.Client & { readonly readyForQuery: boolean };

/** Types of the server's messages (manual, "Message Formats"). */
const parseComplete = 0x31;
const notification = 0x41;
const commandComplete = 0x43;
const dataRow = 0x44;
const error = 0x45;
const copyIn = 0x47;
const emptyQuery = 0x49;
const notice = 0x4e;
const parameterStatus = 0x53;
const rowDescription = 0x54;
const readyForQuery = 0x5a;

/** The state in ReadyForQuery: in a transaction that has not failed. */
const inTransaction = 0x54;
/** The state after an error, until a rollback. */
const inFailedTransaction = 0x45;

const commit = simpleQuery('COMMIT');
/** The call in the transaction reports the error. */
const nobody = { answered: () => {}, failed: () => {} };

const headBytes = 5;
/** The limit of a message that is kept until it is complete. */
const mostKeptBytes = 64 * 1024 * 1024;

/**
 * Calls over the connection of `pg` without its queue, its events and its objects for rows: messages are written as
 * they are, and only the needed parts of an answer are read, as they arrive.
 *
 * Only usual answers are read here. Everything else — an error, a COPY that asks for rows, messages that the server
 * sends by itself — goes to the driver, which handles the request as if it had come by client.query(). So the driver
 * handles errors, lost connections and everything else between calls, whichever path a call takes.
 */
export class LeanPath {
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #write: (bytes: Uint8Array) => void;
  readonly #parsed: ParsedStatements;
  readonly #toDriver: (bytes: Buffer, from: number, to: number) => void;
  /** Requests that wait for an answer. */
  readonly #requests = new RequestQueue<CallRequest>();
  /** The driver reads the rest of the answer to the oldest request. */
  #handedOver = false;
  /** A request of the driver has failed, and its ReadyForQuery is still to come. */
  #driverFirst = false;
  /** The bytes of the current message that are still to come, and whether they go to the driver. */
  #left = 0;
  #isDrivers = false;
  /** The beginning of a message that is not complete yet. */
  #begun: Buffer | null = null;
  #status = 0;
  /** Pipelined requests that are written together. */
  #unsent: CallRequest[] = [];
  /** Answered requests of the bytes that are being read: their callers go on after the last byte. */
  readonly #answered = new RequestQueue<CallRequest>();
  #lost: Error | null = null;
  readonly #own: OwnTransactions | null;

  /** `reason`: returns why the connection was lost. `own`: the settings of each transaction behind a pooler. */
  constructor(client: pg.Client, reason: () => Error, own: OwnTransactions | null = null) {
    this.#own = own;
    this.#client = client as Client;
    this.#socket = client.connection.stream as Socket;
    this.#write = writerOf(this.#socket);
    this.#parsed = (client.connection as pg.Connection & { parsedStatements: ParsedStatements }).parsedStatements;
    this.#toDriver = takeReads(this.#socket, (bytes, length) => this.#read(bytes, length));
    client.once('end', () => this.#end(reason()));
  }

  /** True in a transaction, which may have failed. */
  get inTransaction(): boolean {
    return this.#status === inTransaction || this.#status === inFailedTransaction;
  }

  /** Sends no more calls: from now on they fail with this error. */
  refuse(why: Error): void {
    this.#lost ??= why;
  }

  /** Sends a request. No request of the driver may be in flight. */
  send(request: CallRequest): void {
    if (this.#lost) {
      request.handleError(this.#lost);
      return;
    }
    if (this.#own?.isNeeded && !this.#own.isOpen) {
      this.#sendWithin(request, this.#own.begin);
      return;
    }
    this.#add(request);
    this.#write(request.messagesFor(this.#parsed));
  }

  /** Sends the beginning or the end of a transaction. */
  transact(request: CallRequest, begins: boolean): void {
    // Later messages follow in order; this message itself gets no transaction of its own.
    if (this.#own) this.#own.isOpen = true;
    this.send(request);
    if (this.#own) this.#own.isOpen = begins;
  }

  /**
   * Sends a call in a transaction of its own, in one piece: it costs the server two statements, and no round trip. The
   * call is answered after the commit; after an error COMMIT rolls back.
   */
  #sendWithin(request: CallRequest, begin: string): void {
    request.isHeldBack = true;
    const messages = simpleQuery(begin);
    const first = new CallRequest(messages, nobody);
    const last = new CallRequest(commit, {
      answered: () => request.tell(null),
      failed: (failure) => request.tell(failure),
    });
    for (const each of [first, request, last]) this.#add(each);
    this.#write(Buffer.concat([messages, request.messagesFor(this.#parsed), commit]));
  }

  /**
   * Sends a request together with others of this turn of the event loop. Within a transaction one Sync ends them all,
   * as in a pipeline of libpq: the server skips the requests behind a failed one.
   */
  pipeline(request: CallRequest): void {
    if (this.#lost) request.handleError(this.#lost);
    else if (this.#own?.isNeeded && !this.#own.isOpen) this.#sendWithin(request, this.#own.begin);
    else if (this.#unsent.push(request) === 1) process.nextTick(this.#flush);
  }

  /** Holds a request back until {@link sendHeld} sends it together with others, as pipeline() does. */
  hold(request: CallRequest): void {
    this.#unsent.push(request);
  }

  /** Sends the requests that were held back, in one message. */
  sendHeld(): void {
    if (this.#unsent.length > 0) this.#flush();
  }

  readonly #flush = (): void => {
    const requests = this.#unsent;
    this.#unsent = [];
    if (this.#lost) {
      for (const request of requests) request.handleError(this.#lost);
      return;
    }
    const together = this.#status === inTransaction;
    const messages: Uint8Array[] = [];
    for (const request of requests) {
      const isLast = request === requests.at(-1);
      request.endsAtComplete = together && !isLast;
      this.#add(request);
      const own = request.messagesFor(this.#parsed);
      messages.push(request.endsAtComplete ? own.subarray(0, own.length - sync.length) : own);
    }
    this.#write(messages.length === 1 ? messages[0]! : Buffer.concat(messages));
  };

  #add(request: CallRequest): void {
    if (this.#requests.first === null) this.#driverFirst = !this.#client.readyForQuery;
    this.#requests.add(request);
  }

  #end(reason: Error): void {
    this.#lost = reason;
    while (this.#requests.first) this.#requests.remove().handleError(reason);
  }

  #read(bytes: Buffer, length: number): void {
    this.#readMessages(bytes, length);
    while (this.#answered.first) this.#answered.remove().handleReadyForQuery();
  }

  #readMessages(bytes: Buffer, length: number): void {
    let at = 0;
    if (this.#left > 0) {
      at = Math.min(this.#left, length);
      this.#left -= at;
      if (this.#isDrivers) this.#toDriver(bytes, 0, at);
    } else if (this.#begun !== null) {
      bytes = Buffer.concat([this.#begun, bytes.subarray(0, length)]);
      length = bytes.length;
      this.#begun = null;
    }
    while (length - at >= headBytes) {
      const type = bytes[at]!;
      const end = at + 1 + ((bytes[at + 1]! << 24) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 8) | bytes[at + 4]!);
      this.#isDrivers = this.#goesToDriver(type);
      if (end < at + headBytes || (end - at > mostKeptBytes && this.#needsAll(type))) {
        this.#socket.destroy(new DynoError('serverGone', 'The server has sent a message of an impossible length.'));
        return;
      }
      if (end > length) {
        if (this.#needsAll(type)) break;
        if (!this.#isDrivers && type === dataRow) this.#requests.first!.received++;
        this.#left = end - length;
        if (this.#isDrivers) this.#toDriver(bytes, at, length);
        return;
      }
      if (this.#isDrivers) {
        this.#toDriver(bytes, at, end);
        if (type === readyForQuery) this.#ready(bytes[end - 1]!);
      } else this.#answer(type, bytes, at + headBytes, end);
      at = end;
    }
    if (at < length) this.#begun = Buffer.from(bytes.subarray(at, length));
  }

  /** True for a message that is read here as a whole; for others the beginning suffices. */
  #needsAll(type: number): boolean {
    return (
      type === readyForQuery || (!this.#isDrivers && (type === commandComplete || this.#requests.first!.wants(type)))
    );
  }

  /** Hands the oldest request over to the driver when its answer becomes unusual. */
  #goesToDriver(type: number): boolean {
    if (this.#requests.first === null || this.#handedOver || this.#driverFirst) return true;
    if (type === error || type === copyIn) {
      this.#handedOver = true;
      setPipelining(this.#client, false);
      this.#client.query<pg.Submittable>(this.#requests.first);
      return true;
    }
    return type === notice || type === parameterStatus || type === notification;
  }

  #answer(type: number, bytes: Buffer, from: number, end: number): void {
    const request = this.#requests.first!;
    switch (type) {
      case dataRow:
        if (request.wants(dataRow)) request.keepRow(bytes, from, end);
        request.received++;
        return;
      case commandComplete:
        request.readTag(bytes, end);
        if (request.endsAtComplete) this.#answered.add(this.#requests.remove());
        return;
      case emptyQuery:
        if (request.endsAtComplete) this.#answered.add(this.#requests.remove());
        return;
      case readyForQuery:
        this.#ready(bytes[from]!);
        return;
      case rowDescription:
        if (request.wants(rowDescription)) request.readColumns(bytes, from);
        return;
      case parseComplete:
        request.isParsed = true;
    }
  }

  /** The server has answered everything up to a Sync. */
  #ready(status: number): void {
    this.#status = status;
    const failed = this.#handedOver;
    this.#handedOver = false;
    // The driver's own request has been answered.
    if (this.#requests.first === null || this.#driverFirst) {
      this.#driverFirst = false;
      return;
    }
    let request = this.#requests.remove();
    // The server has not executed the requests between a failed one and the Sync.
    while (failed && request.endsAtComplete && this.#requests.first !== null) {
      const { failure } = request;
      request = this.#requests.remove();
      request.failure = failure;
      request.handleError(failure);
    }
    if (!failed) this.#answered.add(request);
  }
}
