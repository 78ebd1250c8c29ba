import { DynoError } from '#contract/error.ts';

/** Base64 (RFC 4648 §4, with padding) without Buffer or atob, so that it runs in any room of the house. */

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const codes = Uint8Array.from(alphabet, (char) => char.charCodeAt(0));
const pad = 61; // "="

export function toBase64(bytes: Uint8Array): string {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let out = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    const word = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    text[out++] = codes[word >>> 18]!;
    text[out++] = codes[(word >>> 12) & 63]!;
    text[out++] = i + 1 < bytes.length ? codes[(word >>> 6) & 63]! : pad;
    text[out++] = i + 2 < bytes.length ? codes[word & 63]! : pad;
  }
  // In slices: a call takes a limited number of arguments.
  let result = '';
  for (let i = 0; i < text.length; i += 8_192) {
    // apply, because spreading a typed array walks an iterator and is ten times slower.
    result += String.fromCharCode.apply(null, text.subarray(i, i + 8_192) as unknown as number[]);
  }
  return result;
}

interface Base64Reader {
  fromBase64(text: string, options: { readonly lastChunkHandling: 'strict' }): Uint8Array;
}
// Ten times as fast as a loop of ours. Workers and the window have it; the types of es2024 do not.
const native = Uint8Array as unknown as Base64Reader;

/** Throws DynoError('badInput') for anything that is not base64. */
export function fromBase64(text: string): Uint8Array {
  try {
    return native.fromBase64(text, { lastChunkHandling: 'strict' });
  } catch {
    throw new DynoError('badInput', 'Could not decode a histogram: the text is not base64.');
  }
}
