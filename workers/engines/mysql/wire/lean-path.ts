/*
 * Private members of mysql2 that this file uses; driver-privates.test.ts has a contract for each: Connection.stream,
 * Connection.clientEncoding, Connection.addCommand, Connection._resetSequenceId, Connection._bumpSequenceId,
 * Command.execute, Command.onResult, Packet.asError.
 */
import type { Socket } from 'node:net';
import type { Caller } from '#engine-api/operation.ts';
import { DynoError } from '#model/error.ts';
import { RequestQueue } from '../../shared/request-queue.ts';
import { takeReads, writerOf } from '../../shared/socket-reads.ts';
import { headBytes, mostBytes } from './packets.ts';

/** A packet as mysql2 hands it out. */
interface DriverPacket {
  asError(encoding: string): Error;
}

export interface DriverConnection {
  readonly stream: Socket;
  readonly state: string;
  readonly clientEncoding: string;
  on(event: 'error', listener: (error: Error) => void): unknown;
  addCommand(command: unknown): void;
  _resetSequenceId(): void;
  _bumpSequenceId(packets: number): void;
}

/** The kinds of packets that an answer can continue with. */
const header = 0;
const column = 1;
const columnsEnd = 2;
const row = 3;

/** First bytes of packets. */
const okPacket = 0x00;
const localFile = 0xfb;
const endPacket = 0xfe;
const errorPacket = 0xff;
/** A packet that begins like an end but is this long is a row. */
const mostEndBytes = 9;

/** A flag of the server's status: another result follows. */
const moreResults = 0x08;

/** A call that has been sent. It is also a command of mysql2, which takes the error that the server has answered. */
class CallRequest {
  next: CallRequest | null = null;
  /** The rows of the first result, or the number of rows that it touched. */
  rows = 0;
  /** The next request is a later statement of the same text, which the server runs if this one succeeds. */
  isFollowed = false;
  /** The later statements of its text, which the server has not run because of its error. */
  skipped: CallRequest[] | null = null;
  /** The number of the packet with the error. */
  sequence = 0;
  readonly caller: Caller;
  readonly #reason: (error: unknown) => unknown;

  constructor(caller: Caller, reason: (error: unknown) => unknown) {
    this.caller = caller;
    this.#reason = reason;
  }

  /** mysql2 calls it with the error of a lost connection. */
  onResult(error: Error): void {
    process.nextTick(() => this.caller.failed(this.#reason(error)));
    for (const one of this.skipped ?? []) one.onResult(error);
  }

  /** mysql2 calls it when its turn comes, then with the error. True: that was the last packet. */
  execute(packet: DriverPacket | undefined, connection: DriverConnection): boolean {
    if (packet) {
      this.onResult(packet.asError(connection.clientEncoding));
      return true;
    }
    connection._resetSequenceId();
    connection._bumpSequenceId(this.sequence);
    return false;
  }
}

/**
 * Calls over the connection of mysql2 without its queue, its events and its objects for packets: a packet that is ready
 * is written as it is, and the rows of an answer are counted as they arrive, without reading their values.
 *
 * An error goes to the driver, as does everything that arrives between calls. So the driver handles errors, lost
 * connections and its own commands, whichever path a call takes.
 */
export class LeanPath {
  readonly #driver: DriverConnection;
  readonly #socket: Socket;
  readonly #write: (bytes: Uint8Array) => void;
  readonly #reason: (error: unknown) => unknown;
  readonly #toDriver: (bytes: Buffer, from: number, to: number) => void;
  /** Requests that wait for an answer. */
  readonly #requests = new RequestQueue<CallRequest>();
  /** Answered requests of the bytes that are being read: their callers go on after the last byte. */
  readonly #answered = new RequestQueue<CallRequest>();
  /** The next packet of the answer that is being read. */
  #expects = header;
  #columns = 0;
  #isFirst = true;
  /**
   * The bytes of the current packet that are still to come and are skipped, and whether the next packet continues it.
   */
  #left = 0;
  #continues = false;
  /** The beginning of a packet that is not complete yet. */
  #begun: Buffer | null = null;

  /** The server's status flags of the last answer; null after an error, whose packet has none. */
  status: number | null;

  /** `reason` returns the reason of a lost connection for its error, and any other error as it is. */
  constructor(driver: DriverConnection, reason: (error: unknown) => unknown, status: number) {
    this.#driver = driver;
    this.status = status;
    this.#socket = driver.stream;
    this.#write = writerOf(this.#socket);
    this.#reason = reason;
    this.#toDriver = takeReads(this.#socket, (bytes, length) => this.#read(bytes, length));
    const lose = (error: Error) => {
      while (this.#requests.first) this.#requests.remove().onResult(error);
    };
    driver.on('error', lose);
    this.#socket.once('close', () => lose(connectionLost()));
  }

  /** Sends a call. No command of the driver may be in flight. */
  readonly send = (packet: Uint8Array, caller: Caller): void => {
    const request = new CallRequest(caller, this.#reason);
    if (this.#driver.state !== 'authenticated') {
      request.onResult(connectionLost());
      return;
    }
    this.#requests.add(request);
    this.#write(packet);
  };

  /** Sends a text of several statements, each with a caller. After an error the server runs none of the later ones. */
  readonly sendTogether = (packet: Uint8Array, callers: readonly Caller[]): void => {
    const requests = callers.map((caller) => new CallRequest(caller, this.#reason));
    if (this.#driver.state !== 'authenticated') {
      for (const request of requests) request.onResult(connectionLost());
      return;
    }
    for (const request of requests) {
      request.isFollowed = request !== requests.at(-1);
      this.#requests.add(request);
    }
    this.#write(packet);
  };

  #read(bytes: Buffer, length: number): void {
    this.#readPackets(bytes, length);
    while (this.#answered.first) {
      const { caller, rows } = this.#answered.remove();
      caller.answered(rows);
    }
  }

  #readPackets(bytes: Buffer, length: number): void {
    let at = 0;
    if (this.#left > 0) {
      at = Math.min(this.#left, length);
      this.#left -= at;
    } else if (this.#begun !== null) {
      bytes = Buffer.concat([this.#begun, bytes.subarray(0, length)]);
      length = bytes.length;
      this.#begun = null;
    }
    while (at < length) {
      const request = this.#requests.first;
      if (request === null) {
        this.#toDriver(bytes, at, length);
        return;
      }
      const from = at + headBytes;
      // The first byte tells the kind of the packet.
      if (from >= length && !(from === length && this.#continues)) break;
      const bodyBytes = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
      const end = from + bodyBytes;
      const type = bytes[from]!;
      const isPassed = this.#continues || this.#passes(type, bodyBytes);
      if (end > length && !isPassed) break;
      if (isPassed) {
        if (!this.#continues) this.#pass(request);
        this.#continues = bodyBytes === mostBytes;
        if (end > length) {
          this.#left = end - length;
          return;
        }
      } else if (bodyBytes === 0) {
        this.#socket.destroy(new DynoError('serverGone', 'The server has sent an empty packet.'));
        return;
      } else if (type === errorPacket) this.#hand(bytes, at, end);
      else if (this.#expects === header) this.#header(request, type, bytes, from);
      else if (this.#expects === row) this.#resultEnds(bytes, from + 3);
      else this.#expects = row;
      at = end;
    }
    if (at < length) this.#begun = Buffer.from(bytes.subarray(at, length));
  }

  /** True for a row or the description of a column, which are only counted. */
  #passes(type: number, bodyBytes: number): boolean {
    if (type === errorPacket || bodyBytes === 0) return false;
    if (this.#expects === row) return type !== endPacket || bodyBytes >= mostEndBytes;
    return this.#expects === column;
  }

  #pass(request: CallRequest): void {
    if (this.#expects === row) {
      if (this.#isFirst) request.rows++;
    } else if (--this.#columns === 0) this.#expects = columnsEnd;
  }

  #header(request: CallRequest, type: number, bytes: Buffer, from: number): void {
    if (type === localFile) {
      this.#socket.destroy(new DynoError('serverGone', 'The server has asked for a file of the client’s.'));
      return;
    }
    if (type !== okPacket) {
      this.#columns = readLength(bytes, from);
      this.#expects = column;
      return;
    }
    const affected = from + 1;
    if (this.#isFirst) request.rows = readLength(bytes, affected);
    const lastKey = affected + lengthBytes(bytes[affected]!);
    this.#resultEnds(bytes, lastKey + lengthBytes(bytes[lastKey]!));
  }

  /** `status`: the position of the server's status. */
  #resultEnds(bytes: Buffer, status: number): void {
    this.#expects = header;
    this.status = bytes[status]!;
    const isLast = (this.status & moreResults) === 0;
    const { isFollowed } = this.#requests.first!;
    if (isLast && isFollowed) {
      this.#socket.destroy(new DynoError('serverGone', 'The server has answered fewer statements than it was sent.'));
      return;
    }
    this.#isFirst = isLast || isFollowed;
    if (this.#isFirst) this.#answered.add(this.#requests.remove());
  }

  /** Hands an error to the driver, which ends the answer. */
  #hand(bytes: Buffer, at: number, end: number): void {
    const request = this.#requests.remove();
    this.#expects = header;
    this.#isFirst = true;
    this.status = null;
    request.sequence = bytes[at + 3]!;
    for (let last = request; last.isFollowed; ) {
      last = this.#requests.remove();
      request.skipped ??= [];
      request.skipped.push(last);
    }
    this.#driver.addCommand(request);
    this.#toDriver(bytes, at, end);
  }
}

/** The error if no other reason is known. */
const connectionLost = (): Error =>
  Object.assign(new Error('Connection lost: The server closed the connection.'), { code: 'PROTOCOL_CONNECTION_LOST' });

/** The bytes of a length-encoded integer, by its first one. */
const lengthBytes = (first: number): number => (first < 0xfb ? 1 : first === 0xfc ? 3 : first === 0xfd ? 4 : 9);

function readLength(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  if (first < 0xfb) return first;
  const low = bytes[at + 1]! | (bytes[at + 2]! << 8);
  if (first === 0xfc) return low;
  if (first === 0xfd) return low | (bytes[at + 3]! << 16);
  return bytes.readUInt32LE(at + 1) + 0x1_0000_0000 * bytes.readUInt32LE(at + 5);
}
