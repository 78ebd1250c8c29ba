/*
 * Private members of tedious that this file uses; driver-privates.test.ts has a contract for each:
 * Connection._cancelAfterRequestSent, Connection.currentTransactionDescriptor, Connection.inTransaction,
 * Connection.makeRequest, Connection.messageIo, Connection.request, Connection.state,
 * Connection.transactionDescriptors, Connection.transitionTo, MessageIO.outgoingMessageStream, MessageIO.securePair.
 */
import type { Socket } from 'node:net';
import { type Connection, Request, RequestError } from 'tedious';
import type { Caller } from '#engine-api/operation.ts';
import { DynoError } from '#model/error.ts';
import { takeReads, writerOf } from '../../shared/socket-reads.ts';
import { AnswerReader } from './answer-reader.ts';
import { BatchRequest, CallRequest, newErrorsOf, type ResultOf, type SentMessage } from './call-requests.ts';
import { noteLoss } from './losses.ts';
import { headerBytes, lastPacket, packetsOf, putDescriptor, putHeader } from './packets.ts';
import { rpcRequest } from './request.ts';

const answerType = 0x04;
/** The longest packet that is handed to the driver; a header has two bytes for its length. */
const mostPayload = 0xffff - headerBytes;

/**
 * Calls over the connection of `tedious` without its streams, its events and its objects for values: packets that are
 * ready are written as they are, and the rows of an answer are counted as they arrive.
 *
 * Only usual answers are read here. From the first unusual token on — an error, a message, a return value, a change of
 * the session — the driver reads the answer, as if it had sent the request. It also reads what is left of the answer to
 * a call that is cancelled. So the driver makes all errors, and handles lost connections and everything between calls.
 */
export class LeanPath {
  /** The bytes of a packet that the server has granted. */
  readonly packetBytes: number;
  readonly #connection: Connection;
  readonly #write: (bytes: Uint8Array) => void;
  readonly #toDriver: (bytes: Buffer, from: number, to: number) => void;
  readonly #reader: AnswerReader;
  /** The message whose answer is read here. */
  #request: SentMessage | null = null;
  /** The driver has the message's request: it gets the answer from the next token on. */
  #isDrivers = false;
  /** The header of a packet that is not complete yet. */
  readonly #header = Buffer.alloc(headerBytes);
  #headerRead = 0;
  /** The bytes of the current packet that are still to come. */
  #left = 0;
  #isLast = false;
  /** The message whose answer is complete: its callers go on after the last byte that was read. */
  #answered: SentMessage | null = null;

  constructor(connection: Connection) {
    this.#connection = connection;
    const { messageIo } = connection;
    this.packetBytes = messageIo.outgoingMessageStream.packetSize;
    this.#reader = new AnswerReader(connection);
    // Within TLS that begins after a greeting, the driver has a stream of its own.
    const stream: Socket = messageIo.securePair?.cleartext ?? messageIo.socket;
    this.#write = writerOf(stream);
    this.#toDriver = takeReads(stream, (bytes, length) => this.#read(bytes, length));
    // The driver tells the reason after the end.
    connection.once('end', () => process.nextTick(() => this.#end()));
  }

  /** The packets of a message that begins with {@link messageHead}. They are sent once. */
  packets(message: Buffer): Buffer {
    return packetsOf(message, this.packetBytes);
  }

  /** Sends the packets of a call. No other request may be under way. */
  send<R>(packets: Buffer, caller: Caller<R>, resultOf: ResultOf<R>): void {
    this.#send(packets, new CallRequest(this.#connection, caller, resultOf));
  }

  /** Sends the packets of a message with a procedure call for each caller. */
  sendBatch(packets: Buffer, callers: readonly Caller[]): void {
    this.#send(packets, new BatchRequest(this.#connection, callers));
  }

  #send(packets: Buffer, message: SentMessage): void {
    const connection = this.#connection;
    if (connection.state !== connection.STATE.LOGGED_IN) {
      // The driver refuses it, and says why.
      const refused = new Request(undefined, (error) => process.nextTick(() => message.failed(error)));
      connection.makeRequest(refused, rpcRequest, []);
      return;
    }
    this.#request = message;
    this.#isDrivers = false;
    this.#reader.begin(message.ends);
    putDescriptor(packets, connection.currentTransactionDescriptor());
    this.#write(packets);
  }

  /** Cancels the call that is under way, on either path. */
  cancel(): void {
    if (this.#request !== null && !this.#isDrivers) {
      this.#giveRequest();
      if (this.#reader.isBetweenTokens) this.#giveAnswer(none, 0, 0);
    }
    this.#connection.cancel();
  }

  /** Makes the message a request of the driver's, which has been sent. */
  #giveRequest(): void {
    const connection = this.#connection;
    const reader = this.#reader;
    const message = this.#request!;
    let { told, returned } = reader;
    const request: Request = new Request(undefined, (error) => {
      if (this.#request === message) this.#request = null;
      if (error) message.failed(error);
      else message.answered(told, returned);
    });
    const count = (rows: number | undefined) => {
      if (rows !== undefined) told = (told ?? 0) + rows;
    };
    request.on('done', count);
    request.on('doneInProc', count);
    request.on('columnMetadata', () => {
      returned ??= 0;
    });
    request.on('row', () => {
      returned = (returned ?? 0) + 1;
    });
    const { ends } = message;
    if (ends !== null) {
      const newErrors = newErrorsOf(request);
      request.on('doneProc', () => {
        ends.push({ told, error: newErrors() });
        told = null;
      });
    }
    Object.assign(request, { connection, rowCount: 0, rows: [], rst: [] });
    request.once('cancel', connection._cancelAfterRequestSent);
    connection.request = request;
    connection.transitionTo(connection.STATE.SENT_CLIENT_REQUEST);
    this.#isDrivers = true;
    reader.stops = true;
  }

  /**
   * Gives the driver the rest of the answer: the description of the columns, bytes [from, to) of the current packet,
   * and all that comes.
   */
  #giveAnswer(bytes: Buffer, from: number, to: number): void {
    this.#request = null;
    const described = Buffer.from(this.#reader.columnsToken);
    for (let at = 0; at < described.length; at += mostPayload)
      this.#givePacket(described, at, Math.min(at + mostPayload, described.length), 0, false);
    const payload = to - from + this.#left;
    if (payload > 0 || this.#isLast) {
      // Bytes that were kept from the packet before may be too many for one packet.
      const more = Math.max(0, payload - mostPayload);
      if (more > 0) this.#givePacket(bytes, from, from + more, 0, false);
      this.#givePacket(bytes, from + more, to, this.#left, this.#isLast);
    }
    if (this.#headerRead > 0) this.#toDriver(Buffer.from(this.#header), 0, this.#headerRead);
    this.#headerRead = 0;
    this.#left = 0;
    this.#isLast = false;
  }

  /** Gives the driver bytes [from, to) as a packet, of which `left` bytes are still to come. */
  #givePacket(bytes: Buffer, from: number, to: number, left: number, isLast: boolean): void {
    const header = Buffer.allocUnsafe(headerBytes);
    putHeader(header, 0, answerType, isLast ? lastPacket : 0, to - from + left, 1);
    this.#toDriver(header, 0, headerBytes);
    if (from < to) this.#toDriver(bytes, from, to);
  }

  /** The connection has ended, and the driver does not know of the call. */
  #end(): void {
    const request = this.#request;
    if (request === null || this.#isDrivers) return;
    this.#request = null;
    request.failed(new RequestError('Connection closed before request completed.', 'ECLOSE'));
  }

  #read(bytes: Buffer, length: number): void {
    try {
      this.#readPackets(bytes, length);
    } catch (error) {
      noteLoss(this.#connection, error);
      this.#connection.messageIo.socket.destroy(error as Error);
      return;
    }
    const answered = this.#answered;
    if (answered === null) return;
    this.#answered = null;
    answered.answered(this.#reader.told, this.#reader.returned);
  }

  #readPackets(bytes: Buffer, length: number): void {
    let at = 0;
    while (at < length) {
      if (this.#request === null) {
        this.#toDriver(bytes, at, length);
        return;
      }
      if (this.#left === 0) {
        at = this.#readHeader(bytes, at, length);
        if (this.#headerRead > 0) return;
      }
      const to = Math.min(at + this.#left, length);
      this.#left -= to - at;
      if (to > at && !this.#reader.read(bytes, at, to)) {
        if (!this.#isDrivers) this.#giveRequest();
        this.#giveAnswer(this.#reader.rest, this.#reader.restFrom, this.#reader.restTo);
      } else if (this.#left === 0 && this.#isLast) this.#endAnswer();
      at = to;
    }
  }

  /** Reads a packet's header, or its beginning: then `#headerRead` is above 0. */
  #readHeader(bytes: Buffer, from: number, length: number): number {
    let at = from;
    while (at < length && this.#headerRead < headerBytes) this.#header[this.#headerRead++] = bytes[at++]!;
    if (this.#headerRead < headerBytes) return at;
    this.#headerRead = 0;
    const packet = (this.#header[2]! << 8) | this.#header[3]!;
    if (packet < headerBytes)
      throw new DynoError('serverGone', 'The server has sent a packet of an impossible length.');
    this.#left = packet - headerBytes;
    this.#isLast = (this.#header[1]! & lastPacket) !== 0;
    return at;
  }

  #endAnswer(): void {
    if (this.#isDrivers) {
      this.#giveAnswer(none, 0, 0);
      return;
    }
    if (!this.#reader.isBetweenTokens)
      throw new DynoError('serverGone', 'The server has sent an answer that ends within a token.');
    this.#isLast = false;
    this.#answered = this.#request;
    this.#request = null;
  }
}

const none = Buffer.alloc(0);
