import type { ColumnSpec } from '#model/dataset/column-specs.ts';
import { madeFrom } from '#model/dataset/columns.ts';
import { type ValueMaker, valueMaker } from './value-maker.ts';
import { documents } from './values/document.ts';
import { correlate, delay, type WriteFollowing } from './values/followers.ts';

/** How the values of one column are made: from row numbers alone, or from other columns of the row. */
export type ColumnMaker = ValueMaker | { readonly kind: 'following'; readonly write: WriteFollowing };

/** What a column needs to know of its dataset. */
interface ColumnContext {
  readonly seed: number;
  /** Documents are written as canonical JSON. */
  readonly canonical: boolean;
  /** The integer that stands for the value 1 of a column. */
  unitOf(column: string): number;
  /** The first values of a column, as those integers; the same number of each column. */
  sample(column: string): Float64Array;
}

/** How to make a column. Throws 'badInput' for ranges that are empty or too wide to be exact. */
export function columnMaker(spec: ColumnSpec, context: ColumnContext): ColumnMaker {
  switch (spec.type) {
    case 'document':
      return { kind: 'variable', make: documents(spec.fields, context) };
    case 'correlated': {
      const of = madeFrom(spec);
      return { kind: 'following', write: correlate(spec, of.map(context.unitOf), () => of.map(context.sample)) };
    }
    case 'delayed':
      return { kind: 'following', write: delay(spec) };
    default:
      return valueMaker(spec, context.seed);
  }
}
