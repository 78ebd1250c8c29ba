import { firstWord, furtherWord, mix, secondWord } from '../hash.ts';
import { allocate, viewOf } from '../memory.ts';
import { rowAt } from '../rows.ts';
import { type MakeVariable, slack } from '../value-bytes.ts';
import { aliasTable } from './distributed.ts';
import { copyEntry, poolOf } from './pool.ts';

/** On average, one word of this many ends a sentence or precedes a comma. */
const wordsPerSentence = 11;
const wordsPerComma = 14;

const capital = 0x20;
const [comma, stop, space] = [44, 46, 32];

/**
 * Writes text like prose: `min` to `max` words, the r-th of the vocabulary in proportion to 1 / r (Zipf 1949), capitals
 * and marks. The words of a row, and what follows each, depend on the row's own words of random bits alone.
 */
export function proseOf(vocabulary: readonly string[], min: number, max: number): MakeVariable {
  const pool = poolOf(vocabulary);
  const wordAt = aliasTable(vocabulary.map((_, rank) => 1 / (rank + 1)));
  const span = max - min + 1;
  return (rows, key) => {
    const chosen = new Uint16Array(rows.count * max);
    const marks = new Uint8Array(rows.count * max);
    const counts = new Uint16Array(rows.count);
    const offsets = new Uint32Array(rows.count + 1);
    for (let r = 0, at = 0; r < rows.count; r++) {
      const row = rowAt(rows, r);
      const first = firstWord(key, row);
      const second = secondWord(key, row, first);
      const count = min + Math.floor((mix(first ^ 0x5bd1e995) >>> 0) * 2 ** -32 * span);
      let length = 0;
      for (let i = 0; i < count; i++, at++) {
        const bits = furtherWord(first, second, i + 1);
        const word = wordAt(bits);
        const mark = i === count - 1 ? stop : markFrom(mix(bits));
        chosen[at] = word;
        marks[at] = mark;
        length += pool.offsets[word + 1]! - pool.offsets[word]! + (mark === 0 ? 1 : 2);
      }
      counts[r] = count;
      offsets[r + 1] = offsets[r]! + length - 1; // The last mark has no space behind it.
    }
    const bytes = allocate(offsets[rows.count]! + slack);
    const to = viewOf(bytes);
    for (let r = 0, at = 0; r < rows.count; r++) {
      let position = offsets[r]!;
      let starts = true;
      for (let i = 0; i < counts[r]!; i++, at++) {
        const from = position;
        position = copyEntry(pool, chosen[at]!, to, from);
        if (starts) to.setUint8(from, to.getUint8(from) & ~capital);
        const mark = marks[at]!;
        starts = mark === stop;
        if (mark !== 0) to.setUint8(position++, mark);
        to.setUint8(position++, space);
      }
    }
    return { bytes, offsets };
  };
}

function markFrom(bits: number): number {
  const at = (bits >>> 0) * 2 ** -32;
  return at < 1 / wordsPerSentence ? stop : at < 1 / wordsPerSentence + 1 / wordsPerComma ? comma : 0;
}
