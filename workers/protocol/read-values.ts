import * as v from 'valibot';
import { errorKinds } from '#model/error.ts';

/**
 * What the values in a run file have in common: bounds within which sums, ratios and dates of them stay what they are.
 */

/** Differences of times may be less than none by what floating-point numbers leave over. */
const rounding = 0.001;
const longestMs = 1e12;

export const finite = v.pipe(v.number(), v.minValue(-1e30), v.maxValue(1e30));
export const amount = v.pipe(v.number(), v.minValue(0), v.maxValue(1e18));
export const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const ordinal = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
export const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1e9));
export const ms = v.pipe(v.number(), v.minValue(-rounding), v.maxValue(longestMs));
export const signedMs = v.pipe(v.number(), v.minValue(-longestMs), v.maxValue(longestMs));
export const texts = v.record(v.string(), v.string());

/** Wall-clock ISO time. */
export const moment = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\dT/, 'is no ISO time'),
  v.check((text) => !Number.isNaN(Date.parse(text)), 'is no ISO time'),
);

export const errorSchema = v.object({
  kind: v.picklist(errorKinds),
  code: v.nullable(v.string()),
  message: v.string(),
  hint: v.nullable(v.string()),
  retryable: v.boolean(),
});
