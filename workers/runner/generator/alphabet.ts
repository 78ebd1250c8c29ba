import type { ColumnSpec } from '#model/dataset/column-specs.ts';

export type AlphabetName = Extract<ColumnSpec, { type: 'text' }>['alphabet'];

const lower = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const ascii = {
  alphanumeric: lower.toUpperCase() + lower + digits,
  letters: lower.toUpperCase() + lower,
  digits,
  hex: `${digits}abcdef`,
} as const satisfies Record<Exclude<AlphabetName, 'unicode'>, string>;

/** Entries of a pair table; 12 random bits choose one. */
export const pairMask = 4_095;

/**
 * Two ASCII characters per entry (the first in the low byte), so that one 32-bit word gives four characters. Where
 * pairs do not divide 4,096, they come once or twice, evenly spread: characters stay within 2 % of uniform.
 */
export function pairTable(name: Exclude<AlphabetName, 'unicode'>): Uint16Array {
  const letters = ascii[name];
  const pairs = letters.length ** 2;
  return Uint16Array.from({ length: pairMask + 1 }, (_, i) => {
    const pair = Math.floor((i * pairs) / (pairMask + 1));
    return letters.charCodeAt(Math.floor(pair / letters.length)) | (letters.charCodeAt(pair % letters.length) << 8);
  });
}

/** 256 characters of 1 to 3 UTF-8 bytes, basic plane, none combining: characters = code points = UTF-16 units. */
export const unicodeCharacters: readonly string[] = [
  ...ascii.alphanumeric,
  ...range(0xc0, 0x100).filter((c) => c !== '×' && c !== '÷'),
  ...range(0x3b1, 0x3c9),
  ...range(0x410, 0x450),
  ...range(0x4e00, 0x4e00 + 256),
].slice(0, 256);

function range(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, i) => String.fromCharCode(from + i));
}

/** UTF-8 code of each character, first byte lowest, and its length. */
export const unicodeCodes: Uint32Array = Uint32Array.from(unicodeCharacters, (character) =>
  new TextEncoder().encode(character).reduceRight((code, byte) => code * 256 + byte, 0),
);
export const unicodeLengths: Uint8Array = Uint8Array.from(
  unicodeCharacters,
  (character) => new TextEncoder().encode(character).length,
);
