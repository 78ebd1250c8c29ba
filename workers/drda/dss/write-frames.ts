import type { ByteWriter } from '../bytes/byte-writer.ts';

/**
 * Data stream structures (DRDA Volume 3, DSS: "Layer A") put six bytes before each command or object: length, 0xD0,
 * format and correlation. A structure has at most 32,767 bytes. A longer one goes on in segments: each has its own
 * length in two bytes, whose top bit is set in all but the last.
 */

export const requestFrame = 1;
export const objectFrame = 3;
/**
 * Bits of the format. chained: another DSS follows in the chain. chainedSame: it has the same correlation, which binds
 * data to its command.
 */
export const chained = 0x40;
export const chainedSame = 0x50;

const longest = 0x7fff;
const headerBytes = 6;

/** Starts a DSS and returns its position for `endFrame`. */
export function beginFrame(to: ByteWriter, type: number, correlation: number): number {
  const start = to.length;
  to.u16(0);
  to.u8(0xd0);
  to.u8(type);
  to.u16(correlation);
  return start;
}

/** Ends a DSS: writes its lengths and what follows it (0, `chained` or `chainedSame`). */
export function endFrame(to: ByteWriter, start: number, follows: number): void {
  to.buffer[start + 3] = to.buffer[start + 3]! | follows;
  const length = to.length - start;
  if (length <= longest) to.patchU16(start, length);
  else segment(to, start);
}

function segment(to: ByteWriter, start: number): void {
  const value = to.copy(start + headerBytes);
  to.patchU16(start, 0xffff);
  to.length = start + headerBytes;
  const first = longest - headerBytes;
  to.bytes(value.subarray(0, first));
  for (let at = first; at < value.length; ) {
    const rest = value.length - at;
    const bytes = Math.min(rest, longest - 2);
    to.u16(rest > bytes ? 0xffff : bytes + 2);
    to.bytes(value.subarray(at, at + bytes));
    at += bytes;
  }
}
