import { writeBytes } from './wire-bytes.ts';

/** Room for the messages of short calls. */
const usualBytes = 65_536;

/** Memory into which a message is written whose length is not known before. */
export class Scratch {
  bytes: Buffer = Buffer.allocUnsafeSlow(usualBytes);

  /** Makes room for so many bytes in all; the first `used` stay what they are. */
  room(needed: number, used: number): Buffer {
    if (needed <= this.bytes.length) return this.bytes;
    const grown = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, needed));
    this.bytes.copy(grown, 0, 0, used);
    this.bytes = grown;
    return grown;
  }

  /** The message that has been written: a copy of the first bytes. What a long one needed is given back. */
  take(length: number): Buffer {
    const message = Buffer.allocUnsafe(length);
    writeBytes(message, 0, this.bytes, 0, length);
    if (this.bytes.length > usualBytes) this.bytes = Buffer.allocUnsafeSlow(usualBytes);
    return message;
  }
}
