import type { ByteWriter } from '../bytes/byte-writer.ts';

/**
 * Packed decimal (FD:OCA field type 0x30) has two digits a byte, the most significant first, and the sign in the last
 * half byte: C or F is plus, D or B is minus. In JavaScript it is a string, because a number would round it.
 */

export const packedBytes = (precision: number): number => (precision >> 1) + 1;

/** Writes a decimal. False: the text is no decimal, or has more digits than `precision` and `scale` allow. */
export function writePacked(to: ByteWriter, text: string, precision: number, scale: number): boolean {
  const bytes = packedBytes(precision);
  to.ensure(bytes);
  const { buffer } = to;
  const start = to.length;
  const negative = text.charCodeAt(0) === 45;
  const from = negative || text.charCodeAt(0) === 43 ? 1 : 0;
  let point = text.indexOf('.');
  if (point === -1) point = text.length;
  if (text.length - from - (point < text.length ? 1 : 0) < 1) return false;
  buffer.fill(0, start, start + bytes);
  // Digit n (counted from the right; 0 is the last of `scale`) lies in half byte n + 1 from the right.
  let significant = false;
  for (let at = from; at < text.length; at++) {
    if (at === point) continue;
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return false;
    if (digit === 0) continue;
    significant = true;
    const n = at < point ? point - at - 1 + scale : scale - (at - point);
    if (n < 0 || n >= precision) return false;
    const half = n + 1;
    const byte = start + bytes - 1 - (half >> 1);
    buffer[byte] = buffer[byte]! | (half & 1 ? digit << 4 : digit);
  }
  buffer[start + bytes - 1] = buffer[start + bytes - 1]! | (negative && significant ? 0x0d : 0x0c);
  to.length += bytes;
  return true;
}

/** Reads a decimal with `scale` digits behind the point; null if a half byte is no digit. */
export function readPacked(buffer: Buffer, start: number, precision: number, scale: number): string | null {
  const halves = packedBytes(precision) * 2 - 1;
  let digits = '';
  let significant = false;
  for (let half = 0; half < halves; half++) {
    const byte = buffer[start + (half >> 1)]!;
    const digit = half & 1 ? byte & 0x0f : byte >> 4;
    if (digit > 9) return null;
    if (half === halves - scale && scale > 0) digits += digits === '' ? '0.' : '.';
    if (digit !== 0) significant = true;
    if (digit !== 0 || digits !== '' || half >= halves - scale) digits += String.fromCharCode(48 + digit);
  }
  const sign = buffer[start + (halves >> 1)]! & 0x0f;
  if (sign < 10) return null;
  const text = digits === '' ? '0' : digits;
  return (sign === 0x0d || sign === 0x0b) && significant ? `-${text}` : text;
}

/** A number as decimal text without an exponent: 1e-7 is 0.0000001. */
export function plainDecimal(value: number): string {
  const text = String(value);
  const e = text.indexOf('e');
  if (e === -1) return text;
  const exponent = Number(text.slice(e + 1));
  const negative = text.startsWith('-');
  const [whole = '', fraction = ''] = text.slice(negative ? 1 : 0, e).split('.');
  const digits = whole + fraction;
  const point = whole.length + exponent;
  const plain =
    point <= 0
      ? `0.${'0'.repeat(-point)}${digits}`
      : point >= digits.length
        ? digits.padEnd(point, '0')
        : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return negative ? `-${plain}` : plain;
}
