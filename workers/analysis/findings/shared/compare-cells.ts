import { factorText } from '#planning/variant-of.ts';
import { type Comparison, compareMeans } from '#stats/intervals/compare-means.ts';
import { comparisonText } from '../../text/verdict-text.ts';
import { linkTo } from './evidence.ts';
import type { CellFacts, Neighbour } from './facts.ts';
import type { Evidence } from './finding.ts';

/** A neighbour with the ratio of its throughput to the cell's. */
export interface Compared extends Neighbour {
  readonly comparison: Comparison;
}

/**
 * An interval that ends below this factor excludes a relevant gain; an interval that extends beyond it excludes
 * nothing.
 */
const noGain = 1.2;

/** True if the neighbour is faster; null if the repeats do not decide it. */
export const helps = ({ comparison: { verdict, ratio } }: Compared): boolean | null =>
  verdict === 'faster' ? true : ratio.high !== null && ratio.high < noGain ? false : null;

/** Neighbours in one factor that have repeats to compare, the fastest first. */
export const comparedBy = (cell: CellFacts, factor: string): readonly Compared[] =>
  cell
    .neighbours()
    .flatMap((one): Compared[] => {
      const comparison = one.factor === factor ? compareMeans(one.cell.rates, cell.rates) : null;
      return comparison === null ? [] : [{ ...one, comparison }];
    })
    .toSorted((a, b) => b.comparison.ratio.value - a.comparison.ratio.value);

/** Neighbours with a higher level of a numeric factor. */
export const comparedAbove = (cell: CellFacts, factor: string): readonly Compared[] =>
  comparedBy(cell, factor).filter(({ own, level }) => Number(level) > Number(own));

/** "Throughput with Rows per call 100 instead of 1: 9.1× faster (8.8–9.4×)". */
export const ratioEvidence = ({ factor, own, level, comparison, cell }: Compared): Evidence => ({
  label: `Throughput with ${factorText(factor)} ${level} instead of ${own}`,
  value: comparison.ratio.value,
  unit: 'ratio',
  text: comparisonText(comparison),
  link: linkTo('results', cell.cell),
});
