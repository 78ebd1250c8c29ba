import * as v from 'valibot';
import { identifier } from '#model/dataset/column-parts.ts';
import { datasetSchema, mostRows } from '#model/dataset/dataset.ts';
import { tableSchema, tablesSchema } from '#model/dataset/tables.ts';
import { described } from '#model/described.ts';
import { decimal, integer } from '#model/numbers.ts';
import { optionsSchema } from '#model/settings/options.ts';
import { settingSchemas } from '#model/settings/settings.ts';
import { stagesSchema } from '#model/stages.ts';
import {
  checksSchema,
  parameterSchema,
  scenariosSchema,
  statementsSchema,
  transactionsSchema,
} from '#model/statements/statements.ts';
import { galleryCardSchema } from './gallery-card.ts';
import { publishedSchema } from './published.ts';
import { searchSchema } from './search.ts';
import { untilSchema } from './until.ts';

/** The version that this program writes. The parser refuses files of a newer version with that reason. */
export const experimentVersion = 1;

const name = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(120),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names must not hold them
  v.regex(/^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*$/, 'must be one line without control characters'),
);
const partialSettings = v.strictObject({
  ...v.partial(v.strictObject(settingSchemas)).entries,
  options: v.optional(optionsSchema),
});
const scalar = v.union([v.string(), v.number(), v.boolean()]);

/** An inline target. The engine's descriptor lists its keys; secrets only as `${env:NAME}`. */
const targetSchema = v.looseObject({
  name: described(name, 'The name of the target in charts and reports.'),
  engine: described(v.string(), 'Engine id: postgres, sqlite, noop…'),
});
/** A target as the file specifies it. */
export type TargetSpec = v.InferOutput<typeof targetSchema>;

const mostLevels = 1_000;
/** A factor: levels of one setting, or named bundles of settings. */
export const factorSchema = v.union([
  v.pipe(
    v.array(scalar),
    v.minLength(1),
    v.maxLength(mostLevels),
    v.description('Levels of the setting (or engine.option) that gives the factor its name.'),
  ),
  v.pipe(
    v.record(name, partialSettings),
    v.minEntries(1),
    v.maxEntries(mostLevels),
    v.description('Named levels, each a bundle of settings.'),
  ),
]);

const count = (least: number, description: string) => described(integer(least, 1_000), description);

/** The bounds of repeats that end with a precision. */
const varyingRepeatsSchema = v.strictObject({
  min: v.optional(count(2, 'Repeats that always run, before Dyno first examines the intervals.'), 5),
  max: v.optional(count(2, 'The most repeats.'), 30),
});

/** The measurement plan of the file: repeats, phases, search and order. Durations in seconds. */
export const measureSchema = v.strictObject({
  until: v.optional(untilSchema),
  repeats: v.optional(
    described(
      v.union([count(1, 'The number of trials of each variant on each target.'), varyingRepeatsSchema]),
      'Trials of every variant on every target: a number; with until.precision { min, max }. Default: 3; with until.precision { min: 5, max: 30 }.',
    ),
  ),
  budgetSeconds: v.optional(
    described(
      decimal(1, 604_800),
      'With until.precision: after repeats.min no round of trials begins that would end beyond so many seconds of trials.',
    ),
  ),
  stages: v.optional(stagesSchema),
  search: v.optional(searchSchema),
  warmupSeconds: v.optional(described(decimal(0, 86_400), 'Warm-up of trials that end after a time.'), 1),
  warmupRows: v.optional(
    described(
      integer(0, mostRows),
      'Warm-up of trials that end by rows; the same rows for every method. Default: a tenth of the measured rows, 10,000 at most.',
    ),
  ),
  timeoutSeconds: v.optional(
    described(decimal(1, 604_800), 'A trial that takes longer is cancelled and kept as "did not finish".'),
    600,
  ),
  leastFreeMib: v.optional(
    described(
      decimal(0, 1_000_000_000),
      'The run ends itself, and drops its tables, before less than so many MiB are free at a server that tells. Default: 1024. 0: it does not.',
    ),
  ),
  order: v.optional(
    described(
      v.picklist(['interleaved', 'declared']),
      'interleaved: repeats in seeded random order, so that drift hits all variants alike.',
    ),
    'interleaved',
  ),
  seed: v.optional(v.pipe(v.number(), v.safeInteger(), v.description('Seed of the order.')), 1),
});
/** `leastFreeMib` of files that do not set it. */
export const usualLeastFreeMib = 1_024;
/** A valid measurement plan as the file has it (planning/planned-measure.ts fills in what it leaves open). */
export type MeasurePlan = v.InferOutput<typeof measureSchema>;

type Entries = v.ObjectEntries;
type Bare<E extends Entries> = {
  [K in keyof E]: v.OptionalSchema<
    E[K] extends v.OptionalSchema<infer S extends v.GenericSchema, unknown> ? S : E[K],
    undefined
  >;
};

/** The same entries, all optional and without defaults: an absent entry changes nothing. */
function changesOf<E extends Entries>(entries: E): Bare<E> {
  const bare = Object.entries(entries).map(([key, schema]) => [
    key,
    v.optional((schema.type === 'optional' && 'wrapped' in schema ? schema.wrapped : schema) as v.GenericSchema),
  ]);
  // The keys of all entries are unchanged; only the static type of fromEntries is wider.
  return Object.fromEntries(bare) as Bare<E>;
}

const factorsSchema = v.pipe(
  v.record(v.pipe(v.string(), v.minLength(1), v.maxLength(60)), factorSchema),
  v.maxEntries(50),
);
const baselineSchema = v.record(v.string(), scalar);

/** The changes of one size of an experiment (see sizes.ts). */
const sizeSchema = v.strictObject({
  note: v.optional(
    v.pipe(v.string(), v.maxLength(600), v.description('The purpose of the size and the resources that it needs.')),
  ),
  dataset: v.optional(v.strictObject(changesOf(datasetSchema.entries))),
  tables: v.optional(
    described(
      v.record(identifier, v.strictObject(changesOf(tableSchema.entries))),
      'Each changes the table with its name.',
    ),
  ),
  workload: v.optional(partialSettings),
  statements: v.optional(
    described(
      v.record(name, v.strictObject({ parameters: v.record(identifier, parameterSchema) })),
      'Each takes the place of the parameter with its name, of the statement with that name.',
    ),
  ),
  factors: v.optional(described(factorsSchema, 'Each takes the place of the factor with its name.')),
  baseline: v.optional(baselineSchema),
  measure: v.optional(v.strictObject(changesOf(measureSchema.entries))),
});

/** The whole experiment file. */
export const experimentSchema = v.strictObject({
  dyno: described(v.literal(experimentVersion), 'Version of the file format.'),
  name,
  question: v.pipe(v.string(), v.minLength(1), v.maxLength(1_000)),
  about: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(20_000),
      v.description('Background of the question and advice for reading the results, in Markdown.'),
    ),
  ),
  dataset: v.optional(
    described(datasetSchema, 'The table that Dyno creates, fills and drops. Custom statements do not need one.'),
    { rows: 1, columns: {} },
  ),
  tables: v.optional(tablesSchema),
  workload: described(partialSettings, 'Settings that all variants share.'),
  statements: v.optional(statementsSchema),
  transactions: v.optional(transactionsSchema),
  scenarios: v.optional(scenariosSchema),
  checks: v.optional(checksSchema),
  factors: v.optional(factorsSchema, {}),
  targets: v.pipe(
    v.array(v.union([name, targetSchema])),
    v.minLength(1),
    v.maxLength(100),
    v.description(
      'Names of built-in targets and connections (see `dyno targets`), or targets with their own connection fields.',
    ),
  ),
  baseline: v.optional(
    described(baselineSchema, 'The variant (factor: level) and the target (`target: NAME`) to which ratios refer.'),
  ),
  measure: v.optional(measureSchema, {}),
  size: v.optional(described(name, 'The size of `sizes` that runs. Without it, the file runs as written.')),
  sizes: v.optional(
    v.pipe(
      v.record(name, sizeSchema),
      v.maxEntries(20),
      v.description('Other sizes of the same experiment, each with its changes to this file.'),
    ),
  ),
  published: v.optional(
    v.pipe(
      v.array(publishedSchema),
      v.maxLength(20),
      v.description('Published figures with which the results are compared.'),
    ),
  ),
  gallery: v.optional(described(galleryCardSchema, 'The experiment’s card in the gallery.')),
});
/** A valid experiment, with defaults filled in. */
export type Experiment = v.InferOutput<typeof experimentSchema>;
