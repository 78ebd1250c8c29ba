import type { Stream } from '#stats/random/random.ts';
import { firstWord, secondWord } from '../hash.ts';
import { allocate, viewOf } from '../memory.ts';
import { type Rows, rowAt } from '../rows.ts';
import { type MakeVariable, slack } from '../value-bytes.ts';
import type { Choose } from './distributed.ts';

/** Texts to choose from, as UTF-8: text i is bytes[offsets[i] … offsets[i + 1]). */
interface Pool {
  readonly bytes: DataView;
  readonly offsets: Uint32Array;
}

export function poolOf(texts: readonly string[]): Pool {
  const encoded = texts.map((text) => new TextEncoder().encode(text));
  const offsets = new Uint32Array(texts.length + 1);
  for (const [i, { length }] of encoded.entries()) offsets[i + 1] = offsets[i]! + length;
  const bytes = new Uint8Array(offsets[texts.length]! + slack);
  for (const [i, text] of encoded.entries()) bytes.set(text, offsets[i]!);
  return { bytes: viewOf(bytes), offsets };
}

/** Copies an entry word by word; the next entry overwrites what runs over its end. */
export function copyEntry({ bytes, offsets }: Pool, entry: number, to: DataView, at: number): number {
  const from = offsets[entry]!;
  const length = offsets[entry + 1]! - from;
  for (let i = 0; i < length; i += 4) to.setUint32(at + i, bytes.getUint32(from + i, true), true);
  return at + length;
}

/** Writes one of the pool's texts for every row. */
export const pooled =
  (pool: Pool, choose: Choose): MakeVariable =>
  (rows, key) => {
    const chosen = chooseEach(rows, key, choose);
    const offsets = new Uint32Array(rows.count + 1);
    for (let r = 0; r < rows.count; r++) {
      const entry = chosen[r]!;
      offsets[r + 1] = offsets[r]! + pool.offsets[entry + 1]! - pool.offsets[entry]!;
    }
    const bytes = allocate(offsets[rows.count]! + slack);
    const to = viewOf(bytes);
    for (let r = 0; r < rows.count; r++) copyEntry(pool, chosen[r]!, to, offsets[r]!);
    return { bytes, offsets };
  };

function chooseEach(rows: Rows, key: Stream, choose: Choose): Uint32Array {
  const chosen = new Uint32Array(rows.count);
  for (let r = 0; r < rows.count; r++) {
    const row = rowAt(rows, r);
    const first = firstWord(key, row);
    chosen[r] = choose(first, secondWord(key, row, first));
  }
  return chosen;
}
