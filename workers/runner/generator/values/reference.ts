import type { ReferenceSpec } from '#model/dataset/column-specs.ts';
import { type Stream, toUnit } from '#stats/random/random.ts';
import { firstWord, furtherWord, secondWord } from '../hash.ts';
import { createPermutation } from '../permutation.ts';
import { listed, type Rows, rowAt } from '../rows.ts';
import { chooseUniform, chooseWeighted, chooseZipf } from './distributed.ts';
import { placesIn } from './row-order.ts';

const scatterLane = 400;

/**
 * Chooses the row 0 … parents − 1 that each row refers to. Favourites are scattered, and the same for all columns.
 * `rows`: the rows of the table that refers, whose order the parents may follow.
 */
export function parentRows(
  { distribution = 'uniform', children = 1, exponent, shares, distinct, rowOrder }: ReferenceSpec,
  parents: number,
  seed: number,
  rows = 1,
): (rows: Rows, key: Stream) => Rows {
  if (distribution === 'sequential') return (rows) => each(rows, (row) => Math.floor(row / children) % parents);
  const some = Math.min(distinct ?? parents, parents);
  if (shares !== undefined) return byShares(shares, some, createPermutation(parents, seed, scatterLane));
  if (rowOrder !== undefined || some < parents) {
    const placeOf = placesIn(rows, rowOrder);
    return (wanted, key) =>
      each(wanted, (row) => {
        const first = firstWord(key, row);
        const place = placeOf(row, first, secondWord(key, row, first));
        return Math.floor((Math.floor(place * some) * parents) / some);
      });
  }
  const choose = distribution === 'zipf' ? scattered(parents, exponent, seed) : chooseUniform(parents);
  return (rows, key) =>
    each(rows, (row) => {
      const first = firstWord(key, row);
      return choose(first, secondWord(key, row, first));
    });
}

/** The first parents of the order have their shares, and the others share the rest evenly. */
function byShares(shares: readonly number[], distinct: number, order: (position: number) => number) {
  const listed = shares.slice(0, distinct);
  const others = distinct - listed.length;
  const sum = listed.reduce((total, share) => total + share, 0);
  const rest = others > 0 ? Math.max(0, 1 - sum) : 0;
  const choose = chooseWeighted([...listed, rest]);
  return (rows: Rows, key: Stream): Rows =>
    each(rows, (row) => {
      const first = firstWord(key, row);
      const second = secondWord(key, row, first);
      const chosen = choose(first, second);
      if (chosen < listed.length) return order(chosen);
      const unit = toUnit(furtherWord(first, second, 1), furtherWord(first, second, 2));
      return order(listed.length + Math.floor(unit * others));
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
