import * as v from 'valibot';
import { errorKinds } from '#model/error.ts';

/** Schemas of values in a run file: their bounds keep sums, ratios and dates finite. */

/** The type of what a schema reads, with all members readonly. */
export type Read<S extends v.GenericSchema> = ReadOnly<v.InferOutput<S>>;
type ReadOnly<T> = T extends object ? { readonly [M in keyof T]: ReadOnly<T[M]> } : T;

/** Rounding can make a difference of times slightly negative. */
const rounding = 0.001;
const longestMs = 1e12;

/** A number within ±1e30. */
export const finite = v.pipe(v.number(), v.minValue(-1e30), v.maxValue(1e30));
/** A number from 0 to 1e18, such as a count, a rate or bytes. */
export const amount = v.pipe(v.number(), v.minValue(0), v.maxValue(1e18));
/** A whole number from 0. */
export const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** A whole number from 1. */
export const ordinal = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
/** A ratio from 0; 1 is 100 %. */
export const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1e9));
/** A duration in ms; rounding errors below 0 are accepted. */
export const ms = v.pipe(v.number(), v.minValue(-rounding), v.maxValue(longestMs));
/** A difference of times in ms. */
export const signedMs = v.pipe(v.number(), v.minValue(-longestMs), v.maxValue(longestMs));
/** Texts by name. */
export const texts = v.record(v.string(), v.string());

/** Wall-clock ISO time. */
export const moment = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\dT/, 'is no ISO time'),
  v.check((text) => !Number.isNaN(Date.parse(text)), 'is no ISO time'),
);

/** The schema of ErrorData (model/error.ts). */
export const errorSchema = v.object({
  kind: v.picklist(errorKinds),
  code: v.nullable(v.string()),
  message: v.string(),
  hint: v.nullable(v.string()),
  retryable: v.boolean(),
});
