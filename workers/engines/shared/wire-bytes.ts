/**
 * Bytes and texts are written into a message that is about to be sent, without Node's calls where a loop costs less.
 */

const fewBytes = 48;

/** Writes bytes [start, end) of `from`; returns the position behind them. */
export function writeBytes(to: Uint8Array, at: number, from: Uint8Array, start = 0, end: number = from.length): number {
  const length = end - start;
  if (length > fewBytes) to.set(from.subarray(start, end), at);
  else for (let i = 0; i < length; i++) to[at + i] = from[start + i]!;
  return at + length;
}

const isShortAscii = (text: string): boolean => {
  if (text.length > fewBytes) return false;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
};

/** Bytes of a text in UTF-8. */
export const utf8Length = (text: string): number => (isShortAscii(text) ? text.length : Buffer.byteLength(text));

/** Writes a text in UTF-8; returns the position behind it. */
export function writeUtf8(to: Buffer, at: number, text: string): number {
  if (!isShortAscii(text)) return at + to.write(text, at);
  for (let i = 0; i < text.length; i++) to[at + i] = text.charCodeAt(i);
  return at + text.length;
}
