import { toUnit } from '#stats/random/random.ts';
import { furtherWord } from '../hash.ts';

/** A position in [0, 1) for a row, from its two words. All positions are equally likely. */
type Place = (row: number, first: number, second: number) => number;

/** The place of a row is not used for anything else. */
const ownPlace: Place = (_row, first, second) => toUnit(first, second);

/** Terms of the series below; the next term is smaller than 10⁻⁷. */
const terms = 40;

/**
 * Rank correlation of a uniform position with the same position after a uniform step of at most `width`, which the ends
 * of the range reflect. A cosine series: reflection multiplies cos(kπx) by sin(kπw) / (kπw), and x has the coefficients
 * 4 / (π k)² for odd k.
 */
function correlationAt(width: number): number {
  let sum = 0;
  for (let k = 1; k <= terms; k += 2) sum += Math.sin(k * Math.PI * width) / (k * Math.PI * width) / k ** 4;
  return (96 / Math.PI ** 4) * sum;
}

/** The widest step with this rank correlation, which is above 0 and below 1. */
function widthFor(correlation: number): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (correlationAt(middle) > correlation) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const stepWord = 7;

/**
 * Places that follow the rows' numbers with this rank correlation. `rows`: the number of rows of the table; rows behind
 * them begin anew. Without an order, or with one row, places are random.
 */
export function placesIn(rows: number, correlation = 0): Place {
  if (correlation === 0 || rows <= 1) return ownPlace;
  const width = Math.abs(correlation) >= 1 ? 0 : widthFor(Math.abs(correlation));
  return (row, first, second) => {
    const own = ((row % rows) + 0.5) / rows;
    const step = width === 0 ? 0 : (2 * toUnit(furtherWord(first, second, stepWord), first) - 1) * width;
    const moved = Math.abs(own + step);
    const place = Math.min(moved > 1 ? 2 - moved : moved, 1 - Number.EPSILON);
    return correlation > 0 ? place : 1 - Number.EPSILON - place;
  };
}
