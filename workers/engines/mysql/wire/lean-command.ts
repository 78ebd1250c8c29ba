import type { Socket } from 'node:net';
import type { Caller } from '#engine-api/operation.ts';
import { writeAtOnce } from '../../shared/socket-reads.ts';
import { packetsOf } from './packets.ts';

/** A packet as mysql2 hands it out; its parser uses one of them for all. */
interface DriverPacket {
  offset: number;
  isError(): boolean;
  isEOF(): boolean;
  asError(encoding: string): Error;
  eofStatusFlags(): number;
  peekByte(): number;
  readInt16(): number;
  readLengthCodedNumber(): number;
}

/** What mysql2 has at run time and its types leave out. */
export interface DriverConnection {
  readonly stream: Socket;
  readonly clientEncoding: string;
  addCommand(command: unknown): void;
  _resetSequenceId(): void;
  _bumpSequenceId(packets: number): void;
}

/** What the next packet of an answer is. */
const header = 0;
const column = 1;
const columnsEnd = 2;
const row = 3;

/** A flag of the server's status: another result follows. */
const moreResults = 0x08;

/**
 * A call among mysql2's commands, which sends a packet that is ready, and of the answer counts rows without making
 * values of them. All else is the driver's: its connection, its parser of packets, its errors.
 */
export class LeanCommand {
  /** Hears of the rows of the first result, or of those affected by it. */
  readonly #caller: Caller;
  readonly #reason: (error: unknown) => unknown;
  readonly #call: Uint8Array;
  #isSent = false;
  #expects = header;
  #columns = 0;
  #result = 0;
  #rows = 0;

  /** `reason`: what the call's error is where the connection is lost, and the error itself where it is not. */
  constructor(call: Uint8Array, caller: Caller, reason: (error: unknown) => unknown) {
    this.#call = call;
    this.#caller = caller;
    this.#reason = reason;
  }

  /** mysql2 calls it with the error of a connection that is lost. */
  onResult(error: Error): void {
    process.nextTick(() => this.#caller.failed(this.#reason(error)));
  }

  /** Is called when its turn comes, then with every packet of the answer. True: it was the last. */
  execute(packet: DriverPacket | undefined, connection: DriverConnection): boolean {
    if (!this.#isSent || packet === undefined) {
      this.#isSent = true;
      connection._resetSequenceId();
      connection._bumpSequenceId(packetsOf(this.#call));
      writeAtOnce(connection.stream, this.#call);
      return false;
    }
    if (packet.isError()) {
      this.onResult(packet.asError(connection.clientEncoding));
      return true;
    }
    switch (this.#expects) {
      case header:
        return this.#header(packet);
      case column:
        if (--this.#columns === 0) this.#expects = columnsEnd;
        return false;
      case columnsEnd:
        this.#expects = row;
        return false;
      default:
        if (packet.isEOF()) return this.#resultEnds(packet.eofStatusFlags());
        if (this.#result === 0) this.#rows++;
        return false;
    }
  }

  #header(packet: DriverPacket): boolean {
    this.#columns = packet.readLengthCodedNumber();
    if (this.#columns > 0) {
      this.#expects = column;
      return false;
    }
    const affected = packet.readLengthCodedNumber();
    packet.readLengthCodedNumber(); // the last key that the server made
    if (this.#result === 0) this.#rows = affected;
    return this.#resultEnds(packet.readInt16());
  }

  #resultEnds(status: number): boolean {
    if ((status & moreResults) !== 0) {
      this.#result++;
      this.#expects = header;
      return false;
    }
    this.#caller.answered(this.#rows);
    return true;
  }
}
