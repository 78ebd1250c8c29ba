import { DrdaError } from '../errors.ts';

/** Takes each whole DSS: its correlation, whether more of the chain follows, and where its objects lie. */
type TakeFrame = (correlation: number, more: boolean, buffer: Buffer, start: number, end: number) => void;

const headerBytes = 6;
const longest = 0x7fff;
const replyFrame = 2;
const objectFrame = 3;

/**
 * Cuts the stream of bytes into data stream structures. A DSS that lies whole within one chunk is handed on where it
 * lies. Only a DSS that is cut off by a chunk's end (less than 32 KiB), or that has segments, is copied. A DSS of more
 * than `limitBytes` is an error as soon as it is seen.
 */
export class FrameReader {
  readonly #take: TakeFrame;
  /** The limit may be raised between two DSSs. */
  limitBytes: number;
  #rest: Buffer | null = null;
  /** The segments of a DSS that goes on, with the header's correlation and chaining. */
  #segments: Buffer[] = [];
  #segmentBytes = 0;
  #correlation = 0;
  #more = false;

  constructor(limitBytes: number, take: TakeFrame) {
    this.limitBytes = limitBytes;
    this.#take = take;
  }

  push(chunk: Buffer): void {
    const bytes = this.#rest === null ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = null;
    let at = 0;
    while (at < bytes.length) {
      const next = this.#segments.length > 0 ? this.#nextSegment(bytes, at) : this.#nextFrame(bytes, at);
      if (next === at) break;
      at = next;
    }
    if (at < bytes.length) this.#rest = bytes.subarray(at);
  }

  /** The position behind the DSS at `at`; `at` itself if the DSS is not whole yet. */
  #nextFrame(bytes: Buffer, at: number): number {
    if (bytes.length - at < headerBytes) return at;
    const claimed = bytes.readUInt16BE(at);
    const length = claimed & longest;
    const format = bytes[at + 3]!;
    const type = format & 0x0f;
    if (bytes[at + 2] !== 0xd0) throw malformed('it is not DRDA');
    if (type !== replyFrame && type !== objectFrame) throw malformed(`a DSS of type ${type}`);
    if (length < headerBytes) throw malformed('a DSS shorter than its header');
    if (claimed > longest && length !== longest) throw malformed(shortSegment);
    if (bytes.length - at < length) return at;
    const correlation = bytes.readUInt16BE(at + 4);
    const more = (format & 0x40) !== 0;
    if (claimed <= longest) {
      this.#take(correlation, more, bytes, at + headerBytes, at + length);
      return at + length;
    }
    this.#correlation = correlation;
    this.#more = more;
    this.#keep(bytes.subarray(at + headerBytes, at + length));
    return at + length;
  }

  #nextSegment(bytes: Buffer, at: number): number {
    if (bytes.length - at < 2) return at;
    const claimed = bytes.readUInt16BE(at);
    const length = claimed & longest;
    if (length <= 2) throw malformed('an empty segment of a DSS');
    // All segments but the last are full: small ones would cost more memory than they claim.
    if (claimed > longest && length !== longest) throw malformed(shortSegment);
    if (bytes.length - at < length) return at;
    this.#keep(bytes.subarray(at + 2, at + length));
    if (claimed <= longest) {
      const whole = Buffer.concat(this.#segments);
      this.#segments = [];
      this.#segmentBytes = 0;
      this.#take(this.#correlation, this.#more, whole, 0, whole.length);
    }
    return at + length;
  }

  #keep(segment: Buffer): void {
    this.#segmentBytes += segment.length;
    if (this.#segmentBytes > this.limitBytes)
      throw new DrdaError('limit', `The server sent an object of more than ${this.limitBytes} bytes.`);
    this.#segments.push(segment);
  }
}

const shortSegment = 'a DSS goes on after a segment that is not full';

const malformed = (words: string): DrdaError => new DrdaError('protocol', `Malformed reply: ${words}.`);
