import * as v from 'valibot';
import type { Options } from './settings.ts';

const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const length = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000));
const integer = v.pipe(v.number(), v.safeInteger());
const nulls = v.optional(v.pipe(share, v.description('Share of rows in which the column is null.')), 0);
const alphabet = v.optional(v.picklist(['alphanumeric', 'letters', 'digits', 'hex', 'unicode']), 'alphanumeric');

/** One column of the dataset: its logical type and how its values are made. Values depend on seed and row number alone. */
export const columnSchema = v.variant('type', [
  v.strictObject({ type: v.literal('uuid4'), nulls }),
  v.strictObject({ type: v.literal('uuid7'), nulls }),
  v.strictObject({ type: v.literal('sequence'), start: v.optional(integer, 1), nulls }),
  v.strictObject({
    type: v.literal('integer'),
    min: v.optional(integer, 0),
    max: v.optional(integer, 2_147_483_647),
    nulls,
  }),
  v.strictObject({
    type: v.literal('text'),
    length: v.optional(length),
    minLength: v.optional(length),
    maxLength: v.optional(length),
    alphabet,
    nulls,
  }),
  v.strictObject({
    type: v.literal('decimal'),
    precision: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(15)), 12),
    scale: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(15)), 2),
    nulls,
  }),
  v.strictObject({
    type: v.literal('timestamp'),
    from: v.optional(v.pipe(v.string(), v.isoDate()), '2020-01-01'),
    to: v.optional(v.pipe(v.string(), v.isoDate()), '2026-01-01'),
    nulls,
  }),
  v.strictObject({ type: v.literal('boolean'), trueShare: v.optional(share, 0.5), nulls }),
  v.strictObject({
    type: v.literal('bytes'),
    length: v.optional(length),
    minLength: v.optional(length),
    maxLength: v.optional(length),
    nulls,
  }),
]);
export type ColumnSpec = v.InferOutput<typeof columnSchema>;

const identifier = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_]{0,29}$/, 'must be a lower-case name of letters, digits and _ (30 at most)'),
);

export const datasetSchema = v.strictObject({
  rows: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1),
    v.maxValue(10_000_000_000),
    v.description('Rows inserted, or loaded before the clock for reads, updates and deletes.'),
  ),
  seed: v.optional(v.pipe(integer, v.description('Same seed, same rows.')), 1),
  key: v.optional(v.pipe(identifier, v.description('Column that is the primary key; without it the table has none.'))),
  columns: v.pipe(v.record(identifier, columnSchema), v.minEntries(1)),
});
export type Dataset = v.InferOutput<typeof datasetSchema>;

/** What an engine needs to declare a column. Lengths in characters (text) or bytes. */
export type ColumnType =
  | { readonly kind: 'uuid' }
  | { readonly kind: 'bigint' }
  | { readonly kind: 'text'; readonly maxLength: number; readonly fixed: boolean; readonly ascii: boolean }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'timestamp' } // UTC, microseconds
  | { readonly kind: 'boolean' }
  | { readonly kind: 'bytes'; readonly maxLength: number; readonly fixed: boolean };

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
}

/** A table that Dyno creates, owns and drops. The name is unique to the run and carries Dyno's prefix. */
export interface TablePlan {
  /** `dyno_` + run tag + trial; engines put it in their own schema, directory or database named `dyno`. */
  readonly name: string;
  readonly columns: readonly Column[];
  /** Index into `columns` of the primary key, or null for none. */
  readonly key: number | null;
  /** The engine's own options of the variant, complete with defaults, keyed by their names: how to organise the table, bind, send… */
  readonly options: Options;
}
