import * as v from 'valibot';

/** A whole number from `min` to `max`. */
export const integer = (min: number, max: number) => v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));

/** A number from `min` to `max`. */
export const decimal = (min: number, max: number) => v.pipe(v.number(), v.minValue(min), v.maxValue(max));
