import { DynoError } from '#model/error.ts';

/**
 * Base64 (RFC 4648 §4, with padding) without Buffer or atob, so that it runs in Node, in the window and in the page of
 * a report.
 */

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const codes = Uint8Array.from(alphabet, (char) => char.charCodeAt(0));
const values = new Uint8Array(256).fill(255);
for (let i = 0; i < 64; i++) values[codes[i]!] = i;
const pad = 61; // "="

// Base64 of ES2026 is ten times as fast as a loop; Electron has it, Node 24 and the types of es2024 do not.
interface Base64Reader {
  fromBase64?(text: string, options: { readonly lastChunkHandling: 'strict' }): Uint8Array;
}
interface Base64Writer {
  toBase64?(): string;
}
const native = Uint8Array as unknown as Base64Reader;

/** Bytes as base64 text, with padding. */
export const toBase64 = (bytes: Uint8Array): string => (bytes as Base64Writer).toBase64?.() ?? toBase64InLoop(bytes);

/** Bytes as base64 text, in JavaScript alone. */
export function toBase64InLoop(bytes: Uint8Array): string {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let out = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    const word = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    text[out++] = codes[word >>> 18]!;
    text[out++] = codes[(word >>> 12) & 63]!;
    text[out++] = i + 1 < bytes.length ? codes[(word >>> 6) & 63]! : pad;
    text[out++] = i + 2 < bytes.length ? codes[word & 63]! : pad;
  }
  // The bytes go in slices, because a call takes a limited number of arguments.
  let result = '';
  for (let i = 0; i < text.length; i += 8_192) {
    // apply, because spreading a typed array walks an iterator and is ten times slower.
    result += String.fromCharCode.apply(null, text.subarray(i, i + 8_192) as unknown as number[]);
  }
  return result;
}

/** The bytes of base64 text. Throws DynoError('badInput') for other text. */
export function fromBase64(text: string): Uint8Array {
  if (native.fromBase64 === undefined) return fromBase64InLoop(text);
  try {
    return native.fromBase64(text, { lastChunkHandling: 'strict' });
  } catch {
    throw notBase64();
  }
}

/** The bytes of base64 text, in JavaScript alone. Throws DynoError 'badInput' for other text. */
export function fromBase64InLoop(text: string): Uint8Array {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (text.length % 4 !== 0) throw notBase64();
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  const end = text.length - padding;
  let out = 0;
  for (let i = 0; i < text.length; i += 4) {
    const a = valueAt(text, i, end);
    const b = valueAt(text, i + 1, end);
    const c = valueAt(text, i + 2, end);
    const d = valueAt(text, i + 3, end);
    const word = (a << 18) | (b << 12) | (c << 6) | d;
    // Writes past the end of a typed array are ignored, which drops the padding.
    bytes[out++] = word >>> 16;
    bytes[out++] = word >>> 8;
    bytes[out++] = word;
  }
  return bytes;
}

function valueAt(text: string, position: number, end: number): number {
  if (position >= end) return 0;
  const value = values[text.charCodeAt(position)] ?? 255;
  if (value === 255) throw notBase64();
  return value;
}

const notBase64 = () => new DynoError('badInput', 'Could not decode a histogram: the text is not base64.');
