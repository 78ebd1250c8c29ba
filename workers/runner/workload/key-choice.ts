import type { Settings } from '#model/settings/settings.ts';
import { createZipf } from '#stats/random/zipf.ts';
import { createPermutation } from '../generator/permutation.ts';
import { CallRandom } from './call-random.ts';

/** Chooses existing rows. */
export interface KeyChoice {
  /**
   * Puts the row numbers of one call into `to[from … from + count)`, all different: a server answers a key named twice
   * only once. `call`: its number in the trial; the same call gets the same rows again.
   */
  choose(call: number, to: Float64Array, from: number, count: number): void;
}

const hotShareOfKeys = 0.2;
const hotShareOfCalls = 0.8;
const zipfExponent = 0.99;
/** After this many draws of taken rows, the next free row is taken, so a call for nearly all rows ends. */
const mostDraws = 20;

const randomLane = 100;
const scatterLane = 200;

/**
 * Chooses among rows 0 … rows − 1. The favourites of zipf (exponent 0.99) and hotspot (80 % of the keys drawn from 20 %
 * of the rows) are scattered over the key space, and are the same for all workers; those of latest (zipf as well) are
 * the last rows. `seed` differs by trial.
 */
export function createKeyChoice(choice: Settings['keyDistribution'], rows: number, seed: number): KeyChoice {
  const random = new CallRandom(seed, randomLane);
  const draw = createDraw(choice, rows, seed, random);
  return {
    choose(call, to, from, count) {
      random.begin(call);
      if (count === 1) {
        to[from] = draw();
        return;
      }
      const taken = new Set<number>();
      for (let i = from; i < from + count; i++) {
        let row = draw();
        for (let draws = 1; taken.has(row) && draws < mostDraws; draws++) row = draw();
        while (taken.has(row)) row = (row + 1) % rows;
        taken.add(row);
        to[i] = row;
      }
    },
  };
}

/** Draws ranks 0 … rows − 1 by Zipf's law, 0 the most frequent. */
function ranksOf(rows: number, random: CallRandom): () => number {
  const zipf = createZipf(rows, zipfExponent);
  const unit = () => random.unit();
  return () => zipf.sample(unit);
}

/** Draws one rank by Zipf's law if `rows` differs from draw to draw. */
export const rankOf = (rows: number, random: CallRandom): number => ranksOf(rows, random)();

function createDraw(choice: Settings['keyDistribution'], rows: number, seed: number, random: CallRandom): () => number {
  if (choice === 'uniform') return () => random.below(rows);
  if (choice === 'latest') {
    const rank = ranksOf(rows, random);
    return () => rows - 1 - rank();
  }
  const scatter = createPermutation(rows, seed, scatterLane);
  if (choice === 'zipf') {
    const rank = ranksOf(rows, random);
    return () => scatter(rank());
  }
  const hot = Math.max(1, Math.floor(rows * hotShareOfKeys));
  const cold = rows - hot;
  return () => scatter(cold === 0 || random.unit() < hotShareOfCalls ? random.below(hot) : hot + random.below(cold));
}
