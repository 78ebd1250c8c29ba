import type { ReferenceSpec } from '#model/dataset/column-specs.ts';
import type { Stream } from '#stats/random/random.ts';
import { firstWord, secondWord } from '../hash.ts';
import { createPermutation } from '../permutation.ts';
import { listed, type Rows, rowAt } from '../rows.ts';
import { chooseUniform, chooseZipf } from './distributed.ts';

const scatterLane = 400;

/** Chooses the row 0 … parents − 1 that each row refers to. Favourites are scattered, and the same for all columns. */
export function parentRows(
  { distribution = 'uniform', children = 1, exponent }: ReferenceSpec,
  parents: number,
  seed: number,
): (rows: Rows, key: Stream) => Rows {
  if (distribution === 'sequential') return (rows) => each(rows, (row) => Math.floor(row / children) % parents);
  const choose = distribution === 'zipf' ? scattered(parents, exponent, seed) : chooseUniform(parents);
  return (rows, key) =>
    each(rows, (row) => {
      const first = firstWord(key, row);
      return choose(first, secondWord(key, row, first));
    });
}

function scattered(rows: number, exponent: number | undefined, seed: number) {
  const choose = chooseZipf(rows, exponent);
  const order = createPermutation(rows, seed, scatterLane);
  return (first: number, second: number) => order(choose(first, second));
}

function each(rows: Rows, parentOf: (row: number) => number): Rows {
  const list = new Float64Array(rows.count);
  for (let r = 0; r < rows.count; r++) list[r] = parentOf(rowAt(rows, r));
  return listed(list);
}
