/** A position in the values of a page. */
interface ValueCursor {
  readonly bytes: Uint8Array;
  offset: number;
}

const damaged = (): Error => new Error('the values of a page are damaged.');

function byte(cursor: ValueCursor): number {
  const read = cursor.bytes[cursor.offset++];
  if (read === undefined) throw damaged();
  return read;
}

/** A varint of at most 32 bits, without a sign. */
function varint(cursor: ValueCursor): number {
  let result = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const read = byte(cursor);
    if (shift === 28 && read > 0x0f) throw damaged();
    result |= (read & 0x7f) << shift;
    if (read < 0x80) return result >>> 0;
  }
  throw damaged();
}

/** A varint of at most 32 bits, with a sign. */
function zigzag(cursor: ValueCursor): number {
  const read = varint(cursor);
  return (read >>> 1) ^ -(read & 1);
}

/** The four bytes of a length, at the cursor. */
export function readLength(cursor: ValueCursor): number {
  let result = 0;
  for (let shift = 0; shift < 32; shift += 8) result |= byte(cursor) << shift;
  if (result < 0) throw damaged();
  return result;
}

/**
 * Checks the runs of Parquet’s hybrid of run lengths and packed bits, which must have `count` values of `width` bits. A
 * few bytes can declare a run of 2,000,000,000 values, and hyparquet makes as many. Returns the number of values that
 * are 1, if `width` is 1.
 * The format: https://parquet.apache.org/docs/file-format/data-pages/encodings/, RLE.
 */
export function checkRuns(cursor: ValueCursor, width: number, count: number): number {
  let seen = 0;
  let ones = 0;
  while (seen < count) {
    const head = varint(cursor);
    const length = head >>> 1;
    if ((head & 1) === 0) {
      if (length > count - seen) throw damaged();
      if (width === 1 && cursor.bytes[cursor.offset] === 1) ones += length;
      cursor.offset += (width + 7) >> 3;
      seen += length;
      continue;
    }
    // The last group of eight values may be padded.
    if (length * 8 > count - seen + 7) throw damaged();
    if (width === 1)
      for (let i = 0; i < length * 8 && seen + i < count; i++)
        ones += (cursor.bytes[cursor.offset + (i >> 3)]! >> (i & 7)) & 1;
    cursor.offset += length * width;
    seen += length * 8;
  }
  return ones;
}

/** The blocks of DELTA_BINARY_PACKED, from the beginning of its header. */
export function readBlocks(cursor: ValueCursor): { readonly miniblocks: number; readonly perMiniblock: number } {
  const perBlock = varint(cursor);
  const miniblocks = varint(cursor);
  varint(cursor);
  const perMiniblock = perBlock / miniblocks;
  if (!Number.isInteger(perMiniblock) || perMiniblock === 0 || perMiniblock % 8 !== 0) throw damaged();
  return { miniblocks, perMiniblock };
}

/**
 * The sum of `count` lengths in DELTA_BINARY_PACKED at the cursor: in DELTA_BYTE_ARRAY, the bytes that values share
 * with the values before them, which a reader copies. Throws an error above `most`.
 * The format: https://parquet.apache.org/docs/file-format/data-pages/encodings/#delta-encoding-delta_binary_packed--5
 */
export function sumOfLengths(cursor: ValueCursor, count: number, most: number): number {
  if (count === 0) return 0;
  const { miniblocks, perMiniblock } = readBlocks(cursor);
  let value = zigzag(cursor);
  let sum = 0;
  let read = 0;
  const add = () => {
    if (value < 0) throw damaged();
    sum += value;
    read++;
    if (sum > most) throw new Error('the values of a page take too much memory.');
  };
  for (add(); read < count; ) {
    const least = zigzag(cursor);
    const widths = cursor.offset;
    if (miniblocks > cursor.bytes.length - widths) throw damaged();
    cursor.offset += miniblocks;
    for (let m = 0; m < miniblocks && read < count; m++) {
      const width = cursor.bytes[widths + m]!;
      if (width > 32) throw damaged();
      const start = cursor.offset;
      for (let i = 0; i < perMiniblock && read < count; i++) {
        value = (value + least + bitsAt(cursor.bytes, start, i * width, width)) | 0;
        add();
      }
      cursor.offset = start + (perMiniblock * width) / 8;
      if (cursor.offset > cursor.bytes.length) throw damaged();
    }
  }
  return sum;
}

/** `width` bits behind `at` bits from byte `start` on, the lowest bit first. */
function bitsAt(bytes: Uint8Array, start: number, at: number, width: number): number {
  let result = 0;
  for (let bit = 0; bit < width; bit++) {
    const read = bytes[start + ((at + bit) >> 3)];
    if (read === undefined) throw damaged();
    result |= ((read >> ((at + bit) & 7)) & 1) << bit;
  }
  return result;
}
