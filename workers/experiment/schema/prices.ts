import * as v from 'valibot';
import { described, fileKey } from '#model/file-key.ts';

/** An amount that is 0 would make the operations for one unit of money infinite. */
const price = described(
  v.pipe(v.number(), v.gtValue(0), v.maxValue(1_000_000_000)),
  'The price of an hour of this target, above 0: of its instance, its licence, or both. Leave a target without a price out.',
);

/** The prices of targets, by which a run shows the cost of its operations. */
export const pricesSchema = fileKey(
  v.strictObject({
    perHour: v.optional(
      fileKey(v.record(v.pipe(v.string(), v.minLength(1), v.maxLength(120)), price), {
        label: 'Prices per hour',
        help: 'The price of an hour of each target, by the name of the target. A target that is not listed has no price.',
      }),
      {},
    ),
    currency: v.optional(
      fileKey(
        v.pipe(
          v.string(),
          v.minLength(1),
          v.maxLength(12),
          v.regex(/^[\p{L}\p{Sc}]*$/u, 'must be letters or the sign of a currency'),
        ),
        {
          label: 'Currency',
          help: 'The currency of all prices: EUR, $. Default: amounts have no currency.',
          usual: 'none',
        },
      ),
    ),
  }),
  {
    label: 'Prices',
    help: 'The prices of targets per hour: { currency: EUR, perHour: { staging: 1.20 } }. The run then shows the cost of a million operations, and the operations for one unit of money.',
  },
);
/** Valid prices. */
export type Prices = v.InferOutput<typeof pricesSchema>;
