const asciiAtMost = 48;

/** A growing buffer, big-endian like everything in DDM. It never shrinks, so that one buffer is kept and reused. */
export class ByteWriter {
  buffer: Buffer;
  length = 0;

  constructor(bytes = 256) {
    this.buffer = Buffer.allocUnsafe(bytes);
  }

  /** Makes room for `bytes` more; `buffer` may be another one afterwards. */
  ensure(bytes: number): void {
    if (this.length + bytes <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.length + bytes));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }

  u8(value: number): void {
    this.ensure(1);
    this.buffer[this.length++] = value;
  }

  u16(value: number): void {
    this.ensure(2);
    this.buffer[this.length++] = value >> 8;
    this.buffer[this.length++] = value;
  }

  u32(value: number): void {
    this.ensure(4);
    this.length = this.buffer.writeUInt32BE(value, this.length);
  }

  i32(value: number): void {
    this.ensure(4);
    this.length = this.buffer.writeInt32BE(value, this.length);
  }

  i64(value: bigint): void {
    this.ensure(8);
    this.length = this.buffer.writeBigInt64BE(value, this.length);
  }

  f32(value: number): void {
    this.ensure(4);
    this.length = this.buffer.writeFloatBE(value, this.length);
  }

  f64(value: number): void {
    this.ensure(8);
    this.length = this.buffer.writeDoubleBE(value, this.length);
  }

  bytes(value: Uint8Array): void {
    this.ensure(value.length);
    this.buffer.set(value, this.length);
    this.length += value.length;
  }

  /** Writes text of ASCII characters. Other characters would lose all but their lowest byte. */
  ascii(text: string): void {
    this.ensure(text.length);
    for (let at = 0; at < text.length; at++) this.buffer[this.length++] = text.charCodeAt(at);
  }

  /** Writes UTF-8. For short ASCII text a loop is several times faster than the call into the runtime. */
  utf8(text: string): void {
    this.ensure(text.length * 3);
    if (text.length <= asciiAtMost) {
      const start = this.length;
      let at = 0;
      for (; at < text.length; at++) {
        const code = text.charCodeAt(at);
        if (code > 0x7f) break;
        this.buffer[start + at] = code;
      }
      if (at === text.length) {
        this.length += at;
        return;
      }
    }
    this.length += this.buffer.write(text, this.length, 'utf8');
  }

  patchU16(at: number, value: number): void {
    this.buffer.writeUInt16BE(value, at);
  }

  /** Copies the bytes written from `start` on, so that the writer can be used again. */
  copy(start = 0): Buffer {
    const copy = Buffer.allocUnsafe(this.length - start);
    this.buffer.copy(copy, 0, start, this.length);
    return copy;
  }
}

const sharedBytesAtMost = 4 * 1024 * 1024;
let shared = new ByteWriter(64 * 1024);

/**
 * The empty writer in which all messages are made. Use it only in code that does not wait between writing and copying.
 */
export function sharedWriter(): ByteWriter {
  if (shared.buffer.length > sharedBytesAtMost) shared = new ByteWriter(64 * 1024);
  shared.length = 0;
  return shared;
}
