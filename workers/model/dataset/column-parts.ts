import * as v from 'valibot';
import { described } from '../described.ts';
import { decimal, integer } from '../numbers.ts';

/** Schemas that the specifications of several kinds of columns share. */

/** A name of a column, a table or a parameter. */
export const identifier = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_]{0,29}$/, 'must be a lower-case name of letters, digits and _ (30 at most)'),
);
/** True if the text can name a column, a table or a parameter. */
export const isIdentifier = (text: string): boolean => v.is(identifier, text);
/** A share from 0 to 1. */
export const share = decimal(0, 1);
/** A length in characters or bytes. */
export const length = integer(0, 1_000_000);
/** A whole number that a double represents exactly. */
export const exactInteger = v.pipe(v.number(), v.safeInteger());
/** A positive number. */
export const positive = decimal(1, 1_000_000_000);
/** The member `nulls` of a column. */
export const nulls = v.optional(described(share, 'Share of rows in which the column is null.'), 0);

const exponent = v.optional(
  described(decimal(0.1, 5), 'zipf: value r is drawn in proportion to 1 / r^exponent. Default: 0.99.'),
);

/** The distribution of the numbers in a range; default: uniform. */
export const distribution = {
  distribution: v.optional(
    described(
      v.picklist(['uniform', 'normal', 'exponential', 'zipf']),
      'normal, exponential: a value outside of the range is drawn again. zipf: the smallest value is the most frequent.',
    ),
  ),
  exponent,
  mean: v.optional(
    described(
      v.number(),
      'normal: default the middle of the range. exponential: above the smallest value; default a fifth of the range.',
    ),
  ),
  deviation: v.optional(described(v.number(), 'normal: default a sixth of the range.')),
};

/** The keys that say how often each entry of a pool occurs. */
export const poolDistribution = {
  distribution: v.optional(v.picklist(['uniform', 'zipf'])),
  exponent,
};
