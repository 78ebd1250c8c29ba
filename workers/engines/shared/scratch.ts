import { writeBytes } from './wire-bytes.ts';

/** Room for the messages of short calls. */
const usualBytes = 65_536;

/** Memory for a message whose length is not known in advance. */
export class Scratch {
  bytes: Buffer = Buffer.allocUnsafeSlow(usualBytes);

  /** Makes room for this many bytes in all; the first `used` bytes stay. */
  room(needed: number, used: number): Buffer {
    if (needed <= this.bytes.length) return this.bytes;
    const grown = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, needed));
    this.bytes.copy(grown, 0, 0, used);
    this.bytes = grown;
    return grown;
  }

  /** The finished message: a copy of the first bytes. Memory of a long message is released. */
  take(length: number): Buffer {
    const message = Buffer.allocUnsafe(length);
    writeBytes(message, 0, this.bytes, 0, length);
    if (this.bytes.length > usualBytes) this.bytes = Buffer.allocUnsafeSlow(usualBytes);
    return message;
  }
}
