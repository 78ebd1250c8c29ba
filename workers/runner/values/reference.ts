import type { ColumnSpec } from '#contract/column-specs.ts';
import type { Stream } from '#stats/random.ts';
import { firstWord, secondWord } from '../hash.ts';
import { createPermutation } from '../permutation.ts';
import { listed, type Rows, rowAt } from '../rows.ts';
import { chooseUniform, chooseZipf } from './distributed.ts';

export type ReferenceSpec = ColumnSpec & { readonly type: 'reference' };

const scatterLane = 400;

/** Which row of the other table each row refers to. Favourites lie scattered over that table, and are the same whatever refers to it. */
export function parentRows(spec: ReferenceSpec, seed: number): (rows: Rows, key: Stream) => Rows {
  const { rows: parents, distribution = 'uniform', children = 1 } = spec;
  if (distribution === 'sequential') return (rows) => each(rows, (row) => Math.floor(row / children) % parents);
  const choose = distribution === 'zipf' ? scattered(spec, seed) : chooseUniform(parents);
  return (rows, key) =>
    each(rows, (row) => {
      const first = firstWord(key, row);
      return choose(first, secondWord(key, row, first));
    });
}

function scattered({ rows, exponent }: ReferenceSpec, seed: number) {
  const choose = chooseZipf(rows, exponent);
  const order = createPermutation(rows, seed, scatterLane);
  return (first: number, second: number) => order(choose(first, second));
}

function each(rows: Rows, parentOf: (row: number) => number): Rows {
  const list = new Float64Array(rows.count);
  for (let r = 0; r < rows.count; r++) list[r] = parentOf(rowAt(rows, r));
  return listed(list);
}
