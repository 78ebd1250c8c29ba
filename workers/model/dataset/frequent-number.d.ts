import type { FrequencySpec } from './column-specs.ts';
/** µs of a day. */
export declare const dayUs = 86400000000;
/**
 * The integer that stands in batches for a listed value or a bound of a column: decimals × 10^scale, times in µs; 0 for
 * a text. Null: the value does not have the type of the column.
 */
export declare function frequentNumber(spec: FrequencySpec, value: string | number): number | null;
