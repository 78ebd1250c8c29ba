import type { Stream } from '#stats/random/random.ts';
import { type AlphabetName, pairMask, pairTable, unicodeCodes, unicodeLengths } from './alphabet.ts';
import { firstWord, furtherWord, mix, secondWord } from './hash.ts';
import { allocate, viewOf } from './memory.ts';
import { type Rows, rowAt } from './rows.ts';

/** Writes value r of `rows` to offset + r·stride. */
export type WriteFixed = (rows: Rows, key: Stream, to: DataView, offset: number, stride: number) => void;
export type MakeVariable = (rows: Rows, key: Stream) => { readonly bytes: Uint8Array; readonly offsets: Uint32Array };

type AsciiName = Exclude<AlphabetName, 'unicode'>;

/** Random version 4 UUIDs (RFC 9562), all distinct: the words without version and variant bits never repeat. */
export const uuid4: WriteFixed = (rows, key, to, offset, stride) => {
  for (let r = 0, at = offset; r < rows.count; r++, at += stride) {
    const row = rowAt(rows, r);
    const first = firstWord(key, row);
    const second = secondWord(key, row, first);
    to.setUint32(at, first);
    to.setUint32(at + 4, (furtherWord(first, second, 1) & 0xffff0fff) | 0x4000);
    to.setUint32(at + 8, (furtherWord(first, second, 2) & 0x3fffffff) | 0x80000000);
    to.setUint32(at + 12, second);
  }
};

/** Time of row 0 in uuid7 columns: 2024-01-01T00:00:00Z. */
const uuid7EpochMs = 1_704_067_200_000;

/** Version 7 UUIDs (RFC 9562, monotonic counter in rand_a) as of 4,096 rows a millisecond: ascending with the row. */
export const uuid7: WriteFixed = (rows, key, to, offset, stride) => {
  for (let r = 0, at = offset; r < rows.count; r++, at += stride) {
    const row = rowAt(rows, r);
    const first = firstWord(key, row);
    const second = secondWord(key, row, first);
    const ms = uuid7EpochMs + Math.floor(row / 4_096);
    to.setUint32(at, Math.floor(ms / 65_536));
    to.setUint32(at + 4, ((ms & 0xffff) << 16) | 0x7000 | (row & 0xfff));
    to.setUint32(at + 8, (first & 0x3fffffff) | 0x80000000);
    to.setUint32(at + 12, second);
  }
};

/** Version 8 UUIDs (RFC 9562) of the same times and counters, ascending by bytes 10–15, then 8 and 9: COMB. */
export const uuidByLastBytes: WriteFixed = (rows, key, to, offset, stride) => {
  for (let r = 0, at = offset; r < rows.count; r++, at += stride) {
    const row = rowAt(rows, r);
    const first = firstWord(key, row);
    const ms = uuid7EpochMs + Math.floor(row / 4_096);
    to.setUint32(at, first);
    to.setUint32(at + 4, (secondWord(key, row, first) & 0xffff0fff) | 0x8000);
    to.setUint32(at + 8, ((0x8000 | (row & 0xfff)) << 16) | Math.floor(ms / 2 ** 32));
    to.setUint32(at + 12, ms % 2 ** 32);
  }
};

// Text and bytes have separate loops on purpose: a shared loop that calls a function for its words is no longer inlined
// once a dataset has both, which makes five such columns 2.6 times slower.

export function fixedText(width: number, alphabet: AsciiName): WriteFixed {
  const pairs = pairTable(alphabet);
  const whole = width & ~3;
  const rest = width & 3;
  return (rows, key, to, offset, stride) => {
    for (let r = 0, at = offset; r < rows.count; r++, at += stride) {
      const row = rowAt(rows, r);
      const first = firstWord(key, row);
      const second = secondWord(key, row, first);
      for (let i = 0; i < whole; i += 4) to.setUint32(at + i, fourCharacters(pairs, first, second, i), true);
      if (rest !== 0) writeRest(to, at + whole, rest, fourCharacters(pairs, first, second, whole));
    }
  };
}

const fourCharacters = (pairs: Uint16Array, first: number, second: number, index: number): number => {
  const word = furtherWord(first, second, index + 1);
  return pairs[word & pairMask]! | (pairs[(word >>> 12) & pairMask]! << 16);
};

function writeRest(to: DataView, at: number, count: number, word: number): void {
  for (let i = 0; i < count; i++) to.setUint8(at + i, word >>> (8 * i));
}

export function fixedBytes(width: number): WriteFixed {
  const whole = width & ~3;
  const rest = width & 3;
  return (rows, key, to, offset, stride) => {
    for (let r = 0, at = offset; r < rows.count; r++, at += stride) {
      const row = rowAt(rows, r);
      const first = firstWord(key, row);
      const second = secondWord(key, row, first);
      for (let i = 0; i < whole; i += 4) to.setUint32(at + i, furtherWord(first, second, i + 1), true);
      if (rest !== 0) writeRest(to, at + whole, rest, furtherWord(first, second, whole + 1));
    }
  };
}

/**
 * Values are written in whole words, and the next value overwrites the excess. The last value needs this many more
 * bytes.
 */
export const slack = 4;

/** Offsets of values with uniform lengths min…max, each drawn from a word of its own. */
function uniformOffsets(rows: Rows, key: Stream, min: number, max: number): Uint32Array {
  const offsets = new Uint32Array(rows.count + 1);
  const span = max - min + 1;
  for (let r = 0, at = 0; r < rows.count; r++) {
    at += min + Math.floor((mix(firstWord(key, rowAt(rows, r)) ^ 0x5bd1e995) >>> 0) * 2 ** -32 * span);
    offsets[r + 1] = at;
  }
  return offsets;
}

export function variableText(min: number, max: number, alphabet: AsciiName): MakeVariable {
  const pairs = pairTable(alphabet);
  return (rows, key) => {
    const offsets = uniformOffsets(rows, key, min, max);
    const bytes = allocate(offsets[rows.count]! + slack);
    const to = viewOf(bytes);
    for (let r = 0; r < rows.count; r++) {
      const row = rowAt(rows, r);
      const first = firstWord(key, row);
      const second = secondWord(key, row, first);
      const start = offsets[r]!;
      for (let i = 0, length = offsets[r + 1]! - start; i < length; i += 4) {
        to.setUint32(start + i, fourCharacters(pairs, first, second, i), true);
      }
    }
    return { bytes, offsets };
  };
}

export function variableBytes(min: number, max: number): MakeVariable {
  return (rows, key) => {
    const offsets = uniformOffsets(rows, key, min, max);
    const bytes = allocate(offsets[rows.count]! + slack);
    const to = viewOf(bytes);
    for (let r = 0; r < rows.count; r++) {
      const row = rowAt(rows, r);
      const first = firstWord(key, row);
      const second = secondWord(key, row, first);
      const start = offsets[r]!;
      for (let i = 0, length = offsets[r + 1]! - start; i < length; i += 4) {
        to.setUint32(start + i, furtherWord(first, second, i + 1), true);
      }
    }
    return { bytes, offsets };
  };
}

/** Lengths count characters; their UTF-8 bytes are known only once written. */
export function variableUnicode(min: number, max: number): MakeVariable {
  return (rows, key) => {
    const lengths = uniformOffsets(rows, key, min, max);
    const offsets = new Uint32Array(rows.count + 1);
    const bytes = allocate(lengths[rows.count]! * 3 + slack);
    const to = viewOf(bytes);
    for (let r = 0, at = 0; r < rows.count; r++) {
      const row = rowAt(rows, r);
      const first = firstWord(key, row);
      const second = secondWord(key, row, first);
      const length = lengths[r + 1]! - lengths[r]!;
      for (let i = 0, word = 0; i < length; i++, word >>>= 8) {
        if ((i & 3) === 0) word = furtherWord(first, second, i + 1);
        to.setUint32(at, unicodeCodes[word & 255]!, true);
        at += unicodeLengths[word & 255]!;
      }
      offsets[r + 1] = at;
    }
    return { bytes, offsets };
  };
}
