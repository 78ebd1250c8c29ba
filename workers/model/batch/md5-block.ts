/** Longest message that fits one MD5 block together with its padding, bytes. */
export const oneBlockBytes = 55;

/** floor(2^32 × |sin(i + 1)|), the constants of RFC 1321. */
const sines = Int32Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) | 0);
const shifts = Int32Array.from(
  [
    [7, 12, 17, 22],
    [5, 9, 14, 20],
    [4, 11, 16, 23],
    [6, 10, 15, 21],
  ].flatMap((four) => [...four, ...four, ...four, ...four]),
);
const block = new Int32Array(16);

/**
 * First 4 bytes of md5(bytes[start … end)), big-endian and unsigned, of {@link oneBlockBytes} at most. Nearly all
 * values are that short, and a call of OpenSSL costs several times the hash itself (per value 0.2 and 2.9 µs).
 */
export function md5PrefixOfBlock(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  block.fill(0);
  for (let i = 0; i < length; i++) block[i >> 2]! |= bytes[start + i]! << ((i & 3) << 3);
  block[length >> 2]! |= 0x80 << ((length & 3) << 3);
  block[14] = length << 3;
  return swapBytes((firstRegister() + 0x67452301) | 0);
}

/** Register A after the 64 steps of RFC 1321 over `block`. */
function firstRegister(): number {
  let a = 0x67452301;
  let b = 0xefcdab89 | 0;
  let c = 0x98badcfe | 0;
  let d = 0x10325476;
  for (let i = 0; i < 16; i++) {
    const next = (b + rotate(step(a, (b & c) | (~b & d), block[i]!, i), shifts[i]!)) | 0;
    a = d;
    d = c;
    c = b;
    b = next;
  }
  for (let i = 16; i < 32; i++) {
    const next = (b + rotate(step(a, (d & b) | (~d & c), block[(5 * i + 1) & 15]!, i), shifts[i]!)) | 0;
    a = d;
    d = c;
    c = b;
    b = next;
  }
  for (let i = 32; i < 48; i++) {
    const next = (b + rotate(step(a, b ^ c ^ d, block[(3 * i + 5) & 15]!, i), shifts[i]!)) | 0;
    a = d;
    d = c;
    c = b;
    b = next;
  }
  for (let i = 48; i < 64; i++) {
    const next = (b + rotate(step(a, c ^ (b | ~d), block[(7 * i) & 15]!, i), shifts[i]!)) | 0;
    a = d;
    d = c;
    c = b;
    b = next;
  }
  return a;
}

const step = (a: number, f: number, word: number, i: number): number => (((a + f) | 0) + ((word + sines[i]!) | 0)) | 0;

const rotate = (x: number, by: number): number => (x << by) | (x >>> (32 - by));

const swapBytes = (x: number): number => ((x << 24) | ((x << 8) & 0xff0000) | ((x >>> 8) & 0xff00) | (x >>> 24)) >>> 0;
