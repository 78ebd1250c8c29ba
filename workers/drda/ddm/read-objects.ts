import { DrdaError } from '../errors.ts';
import { nameOf } from './code-points.ts';

/** Takes each object: its code point and the place of its value. */
type TakeObject = (codePoint: number, buffer: Buffer, start: number, end: number) => void;

/**
 * Walks the DDM objects that lie one after another in a stretch of bytes (a reply, or a collection within it). A length
 * shorter than a header or longer than the bytes that are there is malformed, so each step moves on by at least four
 * bytes.
 */
export function readObjects(buffer: Buffer, start: number, end: number, take: TakeObject): void {
  let at = start;
  while (at < end) {
    if (end - at < 4) throw malformed('a reply ends within an object’s header', null);
    const length = buffer.readUInt16BE(at);
    const codePoint = buffer.readUInt16BE(at + 2);
    if (length < 0x8000) {
      if (length < 4 || length > end - at) throw malformed(`${nameOf(codePoint)} has a wrong length`, codePoint);
      take(codePoint, buffer, at + 4, at + length);
      at += length;
      continue;
    }
    const header = length & 0x7fff;
    if (header > end - at) throw malformed(`${nameOf(codePoint)} ends within its length`, codePoint);
    const valueEnd = extendedEnd(buffer, at, header, end, codePoint);
    take(codePoint, buffer, at + header, valueEnd);
    at = valueEnd;
  }
}

/**
 * Reads an extended length (DDM: "Extended length fields") of four, six or eight bytes. A value that ends its DSS has
 * none.
 */
function extendedEnd(buffer: Buffer, at: number, header: number, end: number, codePoint: number): number {
  if (header === 4) return end;
  if (header !== 8 && header !== 10 && header !== 12)
    throw malformed(`${nameOf(codePoint)} has a length of ${header - 4} bytes`, codePoint);
  const length =
    header === 12 ? Number(buffer.readBigUInt64BE(at + 4)) : buffer.readUIntBE(at + 4, header === 8 ? 4 : 6);
  if (length > end - at - header) throw malformed(`${nameOf(codePoint)} has a wrong length`, codePoint);
  return at + header + length;
}

const malformed = (words: string, codePoint: number | null): DrdaError =>
  new DrdaError('protocol', `Malformed reply: ${words}.`, { codePoint });
