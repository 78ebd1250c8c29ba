import * as v from 'valibot';
import { described, fileKey } from '../file-key.ts';
import { decimal, integer } from '../numbers.ts';

/** Schemas that the specifications of several kinds of columns share. */

/** The first problem of a value that a schema does not take, in words; null if it takes the value. */
export const firstProblem = (schema: v.GenericSchema, value: unknown): string | null =>
  v.safeParse(schema, value).issues?.[0].message ?? null;

/** A name of a column, a table or a parameter. */
export const identifier = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_]{0,29}$/, 'must be a lower-case name of letters, digits and _ (30 at most)'),
);
/** The reason why the text cannot name a column, a table or a parameter; null if it can. */
export const identifierProblem = (text: string): string | null => firstProblem(identifier, text);
/** A share from 0 to 1. */
export const share = decimal(0, 1);
const length = integer(0, 1_000_000);
/** The keys of a length in characters or bytes: a fixed one, or a range. */
export const lengths = {
  length: v.optional(
    described(length, 'The length of every value, instead of minLength and maxLength.', {
      first: 20,
      without: ['minLength', 'maxLength'],
    }),
  ),
  minLength: v.optional(length),
  maxLength: v.optional(length),
};
/** A whole number that a double represents exactly. */
export const exactInteger = v.pipe(v.number(), v.safeInteger());
/** A positive number. */
export const positive = decimal(1, 1_000_000_000);
/** The member `nulls` of a column. */
export const nulls = v.optional(
  fileKey(share, { label: 'Nulls', help: 'Share of rows in which the column is null.' }),
  0,
);

const exponent = v.optional(
  described(decimal(0.1, 5), 'zipf: value r is drawn in proportion to 1 / r^exponent. Default: 0.99.', {
    only: { distribution: ['zipf'] },
  }),
);

/** The distribution of the numbers in a range; default: uniform. */
export const distribution = {
  distribution: v.optional(
    described(
      v.picklist(['uniform', 'normal', 'exponential', 'zipf']),
      'normal, exponential: a value outside of the range is drawn again. zipf: the smallest value is the most frequent.',
      { usual: 'uniform' },
    ),
  ),
  exponent,
  mean: v.optional(
    described(
      v.number(),
      'normal: default the middle of the range. exponential: above the smallest value; default a fifth of the range.',
      { only: { distribution: ['normal', 'exponential'] } },
    ),
  ),
  deviation: v.optional(
    described(v.number(), 'normal: default a sixth of the range.', { only: { distribution: ['normal'] } }),
  ),
};

/** The key by which values follow the order of the rows. */
export const rowOrder = v.optional(
  described(
    decimal(-1, 1),
    'Rank correlation of the values with the numbers of the rows. 1: the values ascend with the rows. −1: they descend. Default: 0.',
  ),
);

/** The keys with the frequency of each entry of a pool. */
export const poolDistribution = {
  distribution: v.optional(
    described(v.picklist(['uniform', 'zipf']), 'zipf: the first entry is the most frequent.', { usual: 'uniform' }),
  ),
  exponent,
};
