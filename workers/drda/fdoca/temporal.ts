import type { ByteWriter } from '../bytes/byte-writer.ts';

/**
 * Dates, times and timestamps are text on the wire: 2024-02-29, 23:59:58, 2024-02-29-23.59.58.123456 (DRDA Volume 1,
 * "DRDA types"; Derby sends nine digits of a second where the client says it takes them). Here timestamps have the form
 * SQL has: 2024-02-29 23:59:58.123456.
 */

const zero = 48;

function digitsAt(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - zero;
    if (!(digit >= 0 && digit <= 9)) return false;
  }
  return true;
}

const isDate = (text: string): boolean =>
  text[4] === '-' && text[7] === '-' && digitsAt(text, 0, 4) && digitsAt(text, 5, 7) && digitsAt(text, 8, 10);

/** Reads hh, mm and ss from `at` on, with one of the given separators between them. */
function isTime(text: string, at: number, separators: string): boolean {
  const one = text[at + 2];
  const other = text[at + 5];
  if (one === undefined || other === undefined || !separators.includes(one) || !separators.includes(other))
    return false;
  return digitsAt(text, at, at + 2) && digitsAt(text, at + 3, at + 5) && digitsAt(text, at + 6, at + 8);
}

export function writeDate(to: ByteWriter, text: string): boolean {
  if (text.length !== 10 || !isDate(text)) return false;
  to.ascii(text);
  return true;
}

export function writeTime(to: ByteWriter, text: string): boolean {
  if (text.length !== 8 || !isTime(text, 0, ':')) return false;
  to.ascii(text);
  return true;
}

/**
 * Writes "2024-02-29 23:59:58.5", with a blank or a T, or the wire's own form. False: digits other than 0 would be cut
 * off.
 */
export function writeTimestamp(to: ByteWriter, text: string, length: number): boolean {
  const separator = text[10];
  if (text.length < 19 || !isDate(text) || (separator !== ' ' && separator !== 'T' && separator !== '-')) return false;
  if (!isTime(text, 11, ':.')) return false;
  if (text.length > 19 && text[19] !== '.') return false;
  const room = length - 20;
  if (room < 0 || !digitsAt(text, 20, text.length)) return false;
  for (let at = 20 + room; at < text.length; at++) if (text.charCodeAt(at) !== zero) return false;
  to.ensure(length);
  const { buffer } = to;
  const start = to.length;
  for (let at = 0; at < length; at++) buffer[start + at] = at < text.length ? text.charCodeAt(at) : zero;
  buffer[start + 10] = 45;
  buffer[start + 13] = 46;
  buffer[start + 16] = 46;
  buffer[start + 19] = 46;
  to.length += length;
  return true;
}

/** Changes the wire's form to SQL's; the rest of the text stays as it is. */
export function timestampText(wire: string): string {
  return `${wire.slice(0, 10)} ${wire.slice(11, 13)}:${wire.slice(14, 16)}:${wire.slice(17)}`;
}
