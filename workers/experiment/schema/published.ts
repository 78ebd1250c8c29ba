import * as v from 'valibot';
import { described } from '#model/file-key.ts';
import { integer } from '#model/numbers.ts';

const scalar = v.union([v.string(), v.number(), v.boolean()]);
const levels = v.record(v.string(), scalar);
const words = (most: number, description: string) =>
  v.pipe(v.string(), v.minLength(1), v.maxLength(most), v.description(description));

const valueSchema = v.strictObject({
  label: v.optional(words(200, 'Name of the value in the source. Required without `levels`.')),
  levels: v.optional(
    described(
      levels,
      'Levels of factors (or settings, or `target`) to which this value corresponds. Without it, the value is shown only in the table.',
    ),
  ),
  value: v.pipe(v.number(), v.gtValue(0), v.description('The value, in the unit of `of`.')),
  bound: v.optional(
    described(
      v.picklist(['atLeast', 'atMost']),
      'Set it if the source gives only a bound: atLeast for “more than”, atMost for “under”.',
    ),
  ),
});

/** Published figures of the same experiment: shapes of curves to compare with, not measurements of this machine. */
export const publishedSchema = v.strictObject({
  source: words(200, 'The source of the figures, for example "SQL Server 2008 R2 against MongoDB".'),
  year: v.optional(integer(1970, 2100)),
  hardware: v.optional(words(300, 'The hardware, if it is known.')),
  note: v.optional(words(600, 'Differences from this experiment.')),
  of: described(
    v.picklist(['rate', 'seconds', 'ratio']),
    'Unit of the values. rate: rows (or calls) per second. seconds: duration of the same work. ratio: speed as a multiple of the baseline.',
  ),
  baseline: v.optional(
    described(levels, 'Levels of the value with which the others are compared. Without it, only a table is shown.'),
  ),
  values: v.pipe(v.array(valueSchema), v.minLength(1), v.maxLength(100)),
});
/** Published figures that an experiment reproduces. */
export type Published = v.InferOutput<typeof publishedSchema>;
/** One published figure, with the levels that it was measured at. */
export type PublishedValue = Published['values'][number];

type Levels = Readonly<Record<string, string | number | boolean>>;

/** True if two sets of levels are equal. */
export const sameLevels = (a: Levels, b: Levels): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([name, level]) => Object.hasOwn(b, name) && String(b[name]) === String(level));

/** The denominator of published ratios: the value with the baseline's levels; 1 if the values are ratios; else null. */
function publishedBaseline({ of, baseline, values }: Pick<Published, 'of' | 'baseline' | 'values'>): number | null {
  if (baseline === undefined) return null;
  if (of === 'ratio') return 1;
  return values.find(({ levels: own }) => own !== undefined && sameLevels(own, baseline))?.value ?? null;
}

/** The ratio of a published value to the baseline's; null without a baseline. */
export function publishedRatio(published: Published, { value }: PublishedValue): number | null {
  const base = publishedBaseline(published);
  if (base === null) return null;
  return published.of === 'seconds' ? base / value : value / base;
}
