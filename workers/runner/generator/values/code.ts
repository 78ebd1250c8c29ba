import { codeParts } from '#model/text/code-pattern.ts';
import type { Stream } from '#stats/random/random.ts';
import { firstWord, furtherWord, innerSeed, secondWord } from '../hash.ts';
import { createPermutation } from '../permutation.ts';
import { rowAt } from '../rows.ts';
import type { WriteFixed } from '../value-bytes.ts';

/**
 * If the placeholders of a pattern allow at most this many codes, all of them are unique. Further placeholders are
 * random.
 */
const widest = 2 ** 48;

interface Place {
  readonly at: number;
  readonly first: number;
  readonly count: number;
}

/**
 * Remembers the last result, because a column has one stream for its rows' values and calls of one row ask repeatedly.
 */
function kept<T>(make: (key: Stream) => T): (key: Stream) => T {
  let last: Stream | null = null;
  let made: T;
  return (key) => {
    if (key !== last) {
      made = make(key);
      last = key;
    }
    return made;
  };
}

/** Codes of a pattern: row n has the code number π(n), so that none repeats before all have been used. */
export function codes(pattern: string): { readonly width: number; readonly write: WriteFixed } {
  const parts = codeParts(pattern);
  const literals = parts.flatMap((part, at) => ('literal' in part ? [{ at, byte: part.literal.charCodeAt(0) }] : []));
  const places = parts.flatMap((part, at): Place[] =>
    'count' in part ? [{ at, first: part.first.charCodeAt(0), count: part.count }] : [],
  );
  const unique: Place[] = [];
  let space = 1;
  for (const place of places) {
    if (space * place.count > widest) break;
    space *= place.count;
    unique.push(place);
  }
  const random = places.slice(unique.length);
  const orderOf = kept((key: Stream) => createPermutation(space, innerSeed(key), 0));
  return {
    width: parts.length,
    write(rows, key, to, offset, stride) {
      const order = orderOf(key);
      for (let r = 0, start = offset; r < rows.count; r++, start += stride) {
        const row = rowAt(rows, r);
        for (const { at, byte } of literals) to.setUint8(start + at, byte);
        let number = order(row % space);
        for (const { at, first, count } of unique) {
          const rest = Math.floor(number / count);
          to.setUint8(start + at, first + number - rest * count);
          number = rest;
        }
        if (random.length === 0) continue;
        const one = firstWord(key, row);
        const two = secondWord(key, row, one);
        for (const [i, { at, first, count }] of random.entries())
          to.setUint8(start + at, first + Math.floor((furtherWord(one, two, i + 1) >>> 0) * 2 ** -32 * count));
      }
    },
  };
}
