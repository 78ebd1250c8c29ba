import * as v from 'valibot';
import { datasetSchema } from './dataset.ts';
import { optionsSchema, settingsEntries } from './settings.ts';

/** The version this program writes. Files of a newer version are refused with that reason. */
export const experimentVersion = 1;

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(120));
const partialSettings = v.strictObject({
  ...v.partial(v.strictObject(settingsEntries)).entries,
  options: v.optional(optionsSchema),
});
const scalar = v.union([v.string(), v.number(), v.boolean()]);

/** A target written out in the file. Which keys an engine takes is in its descriptor; secrets only as `${env:NAME}`. */
export const targetSchema = v.looseObject({
  name: v.pipe(name, v.description('How the target is called in charts and reports.')),
  engine: v.pipe(v.string(), v.description('Engine id: postgres, sqlite, null…')),
});
export type TargetSpec = v.InferOutput<typeof targetSchema>;

/** A factor: levels of one setting, or named bundles of settings. */
export const factorSchema = v.union([
  v.pipe(
    v.array(scalar),
    v.minLength(1),
    v.description('Levels of the setting (or engine.option) that gives the factor its name.'),
  ),
  v.pipe(v.record(name, partialSettings), v.minEntries(1), v.description('Named levels, each a bundle of settings.')),
]);

const seconds = v.pipe(v.number(), v.minValue(0), v.maxValue(86_400));

export const measureSchema = v.strictObject({
  repeats: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(1_000),
      v.description('Trials of every variant on every target.'),
    ),
    3,
  ),
  until: v.optional(
    v.pipe(
      v.picklist(['rows', 'time']),
      v.description(
        'rows: the measured phase ends when dataset.rows are done; time: after `seconds`. Default: rows for insert and delete, time otherwise.',
      ),
    ),
  ),
  seconds: v.optional(v.pipe(seconds, v.minValue(0.1), v.description('Length of the measured phase by time.')), 5),
  warmupSeconds: v.optional(v.pipe(seconds, v.description('Warm-up of trials by time.')), 1),
  warmupRows: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.description(
        'Warm-up of trials by rows; the same rows for every method. Default: a tenth of dataset.rows, 10,000 at most.',
      ),
    ),
  ),
  timeoutSeconds: v.optional(
    v.pipe(
      v.number(),
      v.minValue(1),
      v.maxValue(604_800),
      v.description('A trial that takes longer is cancelled and kept as "did not finish".'),
    ),
    600,
  ),
  order: v.optional(
    v.pipe(
      v.picklist(['interleaved', 'asWritten']),
      v.description('interleaved: repeats in seeded random order, so that drift hits all variants alike.'),
    ),
    'interleaved',
  ),
  seed: v.optional(v.pipe(v.number(), v.safeInteger(), v.description('Seed of the order.')), 1),
});
export type MeasurePlan = v.InferOutput<typeof measureSchema>;

/** The whole experiment file. */
export const experimentSchema = v.strictObject({
  dyno: v.pipe(v.literal(experimentVersion), v.description('Version of the file format.')),
  name,
  question: v.pipe(v.string(), v.minLength(1), v.maxLength(1_000)),
  about: v.optional(
    v.pipe(v.string(), v.maxLength(20_000), v.description('Why it matters and what to look at. Markdown.')),
  ),
  dataset: datasetSchema,
  workload: v.pipe(partialSettings, v.description('Settings that are the same in every variant.')),
  factors: v.optional(v.record(v.pipe(v.string(), v.minLength(1), v.maxLength(60)), factorSchema), {}),
  targets: v.pipe(
    v.array(v.union([name, targetSchema])),
    v.minLength(1),
    v.description('Names of built-in targets and of connections (see `dyno targets`), or targets written out.'),
  ),
  baseline: v.optional(
    v.pipe(
      v.record(v.string(), scalar),
      v.description('The variant (factor: level) and, as `target`, the target that ratios refer to.'),
    ),
  ),
  measure: v.optional(measureSchema, {}),
});
export type Experiment = v.InferOutput<typeof experimentSchema>;
