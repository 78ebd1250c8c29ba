import { DrdaError } from '../errors.ts';

/**
 * Reads one reply object and checks each byte against the object's end, because a server may claim any length inside a
 * reply.
 */
export class ByteReader {
  readonly buffer: Buffer;
  readonly end: number;
  at: number;
  readonly #what: string;
  readonly #codePoint: number;

  /** `what` and `codePoint` name the object in the error's text. */
  constructor(buffer: Buffer, start: number, end: number, what: string, codePoint: number) {
    this.buffer = buffer;
    this.at = start;
    this.end = end;
    this.#what = what;
    this.#codePoint = codePoint;
  }

  get left(): number {
    return this.end - this.at;
  }

  /** Passes the next `bytes` bytes, and returns the position where they begin. */
  take(bytes: number): number {
    const start = this.at;
    if (bytes < 0 || bytes > this.end - start) throw this.malformed('is shorter than it says');
    this.at = start + bytes;
    return start;
  }

  u8(): number {
    return this.buffer[this.take(1)]!;
  }

  u16(): number {
    return this.buffer.readUInt16BE(this.take(2));
  }

  i16(): number {
    return this.buffer.readInt16BE(this.take(2));
  }

  i32(): number {
    return this.buffer.readInt32BE(this.take(4));
  }

  u64(): bigint {
    return this.buffer.readBigUInt64BE(this.take(8));
  }

  skip(bytes: number): void {
    this.take(bytes);
  }

  latin1(bytes: number): string {
    const start = this.take(bytes);
    return this.buffer.toString('latin1', start, start + bytes);
  }

  /** Reads UTF-8 text behind its length in two bytes (FD:OCA: VCM, VCS). */
  text(): string {
    const bytes = this.u16();
    const start = this.take(bytes);
    return this.buffer.toString('utf8', start, start + bytes);
  }

  /** Reads a null indicator (DRDA, early groups). True: the group is there. */
  present(): boolean {
    return this.u8() !== 0xff;
  }

  malformed(words: string): DrdaError {
    return new DrdaError('protocol', `Malformed reply: ${this.#what} ${words}.`, { codePoint: this.#codePoint });
  }
}
