import type { ByteWriter } from '../bytes/byte-writer.ts';

/**
 * DDM objects (DRDA Volume 3, DDM data stream structures: "Layer B") consist of a length in two bytes (the header's
 * four included), a code point and a value. An object longer than 32,767 bytes has a header of eight bytes: 0x8008, the
 * code point, and the length of the value in four bytes.
 */

const longest = 0x7fff;

/** Starts an object and returns its position for `endObject`. Objects can be nested. */
export function beginObject(to: ByteWriter, codePoint: number): number {
  const start = to.length;
  to.u16(0);
  to.u16(codePoint);
  return start;
}

export function endObject(to: ByteWriter, start: number): void {
  const length = to.length - start;
  if (length <= longest) {
    to.patchU16(start, length);
    return;
  }
  to.ensure(4);
  to.buffer.copyWithin(start + 8, start + 4, to.length);
  to.length += 4;
  to.patchU16(start, 0x8008);
  to.buffer.writeUInt32BE(length - 4, start + 4);
}

export function bytesObject(to: ByteWriter, codePoint: number, value: Uint8Array): void {
  const start = beginObject(to, codePoint);
  to.bytes(value);
  endObject(to, start);
}

export function u8Object(to: ByteWriter, codePoint: number, value: number): void {
  to.u16(5);
  to.u16(codePoint);
  to.u8(value);
}

export function u16Object(to: ByteWriter, codePoint: number, value: number): void {
  to.u16(6);
  to.u16(codePoint);
  to.u16(value);
}

export function u32Object(to: ByteWriter, codePoint: number, value: number): void {
  to.u16(8);
  to.u16(codePoint);
  to.u32(value);
}
