import * as v from 'valibot';
import { exactInteger, identifier } from '#model/dataset/column-parts.ts';
import { datasetSchema, mostRows, tableEntries } from '#model/dataset/dataset.ts';
import { tableSchema, tablesSchema } from '#model/dataset/tables.ts';
import { described, fileKey } from '#model/file-key.ts';
import { formatCount } from '#model/format/format.ts';
import { decimal, integer } from '#model/numbers.ts';
import { optionsSchema } from '#model/settings/options.ts';
import { settingSchemas } from '#model/settings/settings.ts';
import { stagesSchema } from '#model/stages.ts';
import { setupSchema, teardownSchema } from '#model/statements/setup.ts';
import {
  checkSchema,
  checksSchema,
  scenarioSchema,
  scenariosSchema,
  statementSchema,
  statementsSchema,
  transactionSchema,
  transactionsSchema,
} from '#model/statements/statements.ts';
import { equalSchema } from './equal.ts';
import { galleryCardSchema } from './gallery-card.ts';
import { goalsSchema } from './goals.ts';
import { judgeSchema } from './judge.ts';
import { pricesSchema } from './prices.ts';
import { publishedSchema } from './published.ts';
import { rehearsalSchema } from './rehearsal.ts';
import { searchSchema } from './search.ts';
import { serverChangeSchema, serverSchema } from './server.ts';
import { sessionChangeSchema, sessionSchema } from './session.ts';
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

/** Number of repeats where the file does not say it. */
export const usualRepeats = 3;

const repeatsHelp = 'The number of trials of each variant on each target.';

/** The bounds of repeats that end with a precision. Five is the least for a bootstrap interval. */
const varyingRepeatsSchema = v.strictObject({
  min: v.optional(
    fileKey(integer(2, 1_000), {
      label: 'Minimum repeats',
      help: 'Dyno checks the intervals for the first time after these repeats.',
    }),
    5,
  ),
  max: v.optional(
    fileKey(integer(2, 1_000), { label: 'Maximum repeats', help: 'Dyno stops after these repeats at the latest.' }),
    30,
  ),
});
/** The bounds of repeats where the file has a precision and does not say them. */
export const usualRange = v.parse(varyingRepeatsSchema, {});

/** `leastFreeMib` of files that do not set it. */
export const usualLeastFreeMib = 1_024;

/** The measurement plan of the file: repeats, phases, search and order. Durations in seconds. */
export const measureSchema = v.strictObject({
  until: v.optional(untilSchema),
  repeats: v.optional(
    fileKey(v.union([described(integer(1, 1_000), repeatsHelp), varyingRepeatsSchema]), {
      label: 'Repeats',
      help: `The number of trials of each variant on each target; with until.precision { min, max }. Default: ${usualRepeats}; with until.precision { min: ${usualRange.min}, max: ${usualRange.max} }.`,
      usual: String(usualRepeats),
    }),
  ),
  budgetSeconds: v.optional(
    fileKey(decimal(1, 604_800), {
      label: 'Budget',
      unit: 's',
      help: 'No new round starts if it would exceed this time. The minimum repeats always run. A budget goes with until.precision.',
      usual: 'none',
    }),
  ),
  stages: v.optional(stagesSchema),
  search: v.optional(searchSchema),
  warmupSeconds: v.optional(
    fileKey(decimal(0, 86_400), { label: 'Warm-up', unit: 's', help: 'The warm-up of trials that end after a time.' }),
    1,
  ),
  warmupRows: v.optional(
    fileKey(integer(0, mostRows), {
      label: 'Warm-up rows',
      help: 'The warm-up of trials that end by rows. It has the same rows for every method. Default: a tenth of the measured rows, 10,000 at most.',
      usual: 'a tenth',
    }),
  ),
  timeoutSeconds: v.optional(
    fileKey(decimal(1, 604_800), {
      label: 'Time-out',
      unit: 's',
      help: 'A longer trial is cancelled and reported as “did not finish”.',
    }),
    600,
  ),
  leastFreeMib: v.optional(
    fileKey(decimal(0, 1_000_000_000), {
      label: 'Least free space',
      unit: 'MiB',
      help: `The run stops when less space is free. It drops its tables then; only a server that reports its free space is watched. Default: ${usualLeastFreeMib}. 0: the run does not stop.`,
      usual: formatCount(usualLeastFreeMib),
    }),
  ),
  order: v.optional(
    fileKey(v.picklist(['interleaved', 'declared']), {
      label: 'Order',
      help: 'Interleaved order spreads drift over all variants. interleaved: the repeats run in seeded random order. declared: the trials run as the file lists them.',
    }),
    'interleaved',
  ),
  seed: v.optional(
    fileKey(exactInteger, { label: 'Seed of the order', help: 'The same seed gives the same order of trials.' }),
    1,
  ),
});
/** A valid measurement plan as the file has it (planning/planned-measure.ts fills in what it leaves open). */
export type MeasurePlan = v.InferOutput<typeof measureSchema>;

type Entries = v.ObjectEntries;
type Bare<E extends Entries> = {
  [K in keyof E]: v.OptionalSchema<
    E[K] extends v.OptionalSchema<infer S extends v.GenericSchema, unknown> ? S : E[K],
    undefined
  >;
};

/**
 * The entries of a section for changes of it: all are optional and without defaults, and an absent entry changes
 * nothing.
 */
function changesOf<E extends Entries>(entries: E): Bare<E> {
  const bare = Object.entries(entries).map(([key, schema]) => [
    key,
    v.optional((schema.type === 'optional' && 'wrapped' in schema ? schema.wrapped : schema) as v.GenericSchema),
  ]);
  // The keys of all entries are unchanged; only the static type of fromEntries is wider.
  return Object.fromEntries(bare) as Bare<E>;
}

/**
 * The schema of changes of a section. Its static type has no keys, because the types of all sections, sizes and levels
 * together are more than the compiler writes out.
 */
const changes = (schema: v.GenericSchema): v.OptionalSchema<v.GenericSchema<Change>, undefined> =>
  v.optional(schema as v.GenericSchema<Change>);
type Change = Readonly<Record<string, unknown>>;

const changesByName = (key: v.GenericSchema<string>, entries: Entries, help: string) =>
  changes(described(v.record(key, v.strictObject(changesOf(entries))), help));

/** The schemas of changes of the sections that a size or a level may change. */
export const sectionEntries = {
  dataset: changes(v.strictObject(changesOf(tableEntries))),
  tables: changesByName(identifier, tableSchema.entries, 'Each changes the table with its name.'),
  setup: changes(
    described(
      setupSchema,
      'Each takes the place of the statement with its name. Texts per engine leave the text of other engines as it is.',
    ),
  ),
  teardown: changes(
    described(
      teardownSchema,
      'Each takes the place of the statement with its name. Texts per engine leave the text of other engines as it is.',
    ),
  ),
  statements: changesByName(
    name,
    statementSchema.entries,
    'Each changes the statement with its name; a parameter takes the place of the parameter with its name. Texts per engine leave the text of other engines as it is.',
  ),
  transactions: changesByName(name, transactionSchema.entries, 'Each changes the transaction with its name.'),
  scenarios: changesByName(name, scenarioSchema.entries, 'Each changes the scenario with its name.'),
  checks: changes(described(v.record(name, checkSchema), 'Each takes the place of the check with its name.')),
  session: changes(sessionChangeSchema),
  server: changes(serverChangeSchema),
};
/** The sections of the file that a level may change. */
export const levelSections = Object.keys(sectionEntries);

const mostLevels = 1_000;
/** A named level: settings, and changes of sections of the file. */
export const levelSchema = v.strictObject({ ...partialSettings.entries, ...sectionEntries });
/** A factor: levels of one setting, or named levels with their settings and their changes of the file. */
export const factorSchema = v.union([
  v.pipe(
    v.array(scalar),
    v.minLength(1),
    v.maxLength(mostLevels),
    v.description('Levels of the setting (or engine.option) that gives the factor its name.'),
  ),
  v.pipe(
    v.record(name, levelSchema),
    v.minEntries(1),
    v.maxEntries(mostLevels),
    v.description('Named levels, each with its settings and its changes of the file.'),
  ),
]);

const factorsSchema = v.pipe(
  v.record(v.pipe(v.string(), v.minLength(1), v.maxLength(60)), factorSchema),
  v.maxEntries(50),
);
const baselineSchema = v.record(v.string(), scalar);

/** The changes of one size of an experiment (see changes.ts). */
const sizeSchema = v.strictObject({
  note: v.optional(
    v.pipe(v.string(), v.maxLength(600), v.description('The purpose of the size and the resources that it needs.')),
  ),
  ...sectionEntries,
  workload: v.optional(partialSettings),
  factors: v.optional(described(factorsSchema, 'Each takes the place of the factor with its name.')),
  baseline: v.optional(baselineSchema),
  explain: v.optional(baselineSchema),
  judge: v.optional(judgeSchema),
  goals: v.optional(goalsSchema),
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
    fileKey(datasetSchema, {
      label: 'Table',
      help: 'The table that Dyno creates, fills and drops. Custom statements do not need one.',
    }),
    { rows: 1, columns: {} },
  ),
  tables: v.optional(tablesSchema),
  setup: v.optional(setupSchema),
  teardown: v.optional(teardownSchema),
  workload: described(partialSettings, 'Settings that all variants share.'),
  statements: v.optional(statementsSchema),
  transactions: v.optional(transactionsSchema),
  scenarios: v.optional(scenariosSchema),
  checks: v.optional(checksSchema),
  session: v.optional(sessionSchema),
  server: v.optional(serverSchema),
  factors: v.optional(factorsSchema, {}),
  targets: v.pipe(
    v.array(v.union([name, targetSchema])),
    v.minLength(1),
    v.maxLength(100),
    v.description(
      'Names of built-in targets and connections (see `dyno targets`), or targets with their own connection fields.',
    ),
  ),
  prices: v.optional(pricesSchema),
  baseline: v.optional(
    described(baselineSchema, 'The variant (factor: level) and the target (`target: NAME`) to which ratios refer.'),
  ),
  explain: v.optional(
    described(
      baselineSchema,
      'The variant (factor: level) whose gap to the variant of `baseline` the answer explains, from the variants that lie between the two: each has some of the differences.',
    ),
  ),
  compare: v.optional(
    fileKey(v.picklist(['targets', 'levels']), {
      label: 'Ratios compare',
      choices: { targets: 'Targets', levels: 'Levels' },
      help: 'targets: each variant with the same variant on another target; levels: the variants of each target with each other, always with a single target. The target or the levels of `baseline` apply. Default: both as `baseline` is written; without a baseline, targets.',
      usual: 'as baseline',
    }),
  ),
  judge: v.optional(judgeSchema),
  goals: v.optional(goalsSchema),
  equal: v.optional(equalSchema),
  rehearsal: v.optional(rehearsalSchema),
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
