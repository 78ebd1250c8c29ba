import * as v from 'valibot';
import { experimentSchema, measureSchema } from '#experiment/schema/experiment.ts';
import { untilSchema } from '#experiment/schema/until.ts';
import { optionsSchema } from '#model/settings/options.ts';
import { defaultSettings, type Settings, settingSchemas } from '#model/settings/settings.ts';
import { stagesSchema } from '#model/stages.ts';
import { targetRecordSchema } from './engine-schema.ts';
import { type JournalRecord, journalVersion } from './journal.ts';
import { phases } from './measurement.ts';
import {
  calibrationSchema,
  environmentSchema,
  plannedTrialSchema,
  probeAtMs,
  probeSampleSchema,
  snapshotSchema,
  trialResultSchema,
} from './measurement-schema.ts';
import type { Plan } from './plan.ts';
import { finite, moment, ms, ordinal, share, whole } from './read-values.ts';

/** No plan has more of these (make-plan.ts); a file with more would only fill the memory. */
const mostTrials = 100_000;
const mostTargets = 1_000;

const cell = { variant: v.string(), target: v.string() };

/** A missing setting was added after the run, which therefore ran with the setting's default. */
const settings = v.pipe(
  v.object({ ...v.partial(v.object(settingSchemas)).entries, options: v.optional(optionsSchema) }),
  // JSON has no undefined: a setting is present or absent.
  v.transform((own) => ({ ...defaultSettings, ...own }) as Settings),
);

const planSchema = v.pipe(
  v.object({
    experiment: experimentSchema,
    variants: v.pipe(
      v.array(
        v.object({
          id: v.string(),
          label: v.string(),
          levels: v.record(v.string(), v.union([v.string(), finite, v.boolean()])),
          settings,
        }),
      ),
      v.maxLength(mostTrials),
    ),
    targets: v.pipe(
      v.array(
        v.object({
          name: v.string(),
          engine: v.string(),
          index: whole,
          restartEmptiesCache: v.exactOptional(v.literal(true)),
        }),
      ),
      v.maxLength(mostTargets),
    ),
    skipped: v.array(v.object({ ...cell, reason: v.string() })),
    trials: v.pipe(v.array(plannedTrialSchema), v.maxLength(mostTrials)),
    measure: v.object({
      ...measureSchema.entries,
      // The sum of all stages' lengths.
      seconds: v.pipe(v.number(), v.minValue(0.1), v.maxValue(stagesSchema.pipe[2].requirement * 86_400)),
      until: v.picklist(['rows', 'time', 'calls']),
      rows: whole,
      calls: untilSchema.pipe[0].entries.calls,
      warmupRows: whole,
      repeats: v.union([ordinal, v.object({ min: ordinal, max: ordinal, relativeMargin: share })]),
    }),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    const problem = dataset.typed ? contradiction(dataset.value) : null;
    if (problem !== null) addIssue({ message: problem });
  }),
);

/** The first contradiction between the parts of a plan; null: there is none. */
function contradiction({ experiment, variants, targets, skipped, trials }: Plan): string | null {
  const variantIds = new Set(variants.map(({ id }) => id));
  const targetNames = new Set(targets.map(({ name }) => name));
  if (variantIds.size < variants.length) return 'two variants have one id';
  if (targetNames.size < targets.length) return 'two targets have one name';
  if (new Set(trials.map(({ number }) => number)).size < trials.length) return 'two trials have one number';
  if (targets.some(({ index }) => index >= experiment.targets.length)) return 'a target is not in the experiment';
  const stray = [...trials, ...skipped].find(
    ({ variant, target }) => !variantIds.has(variant) || !targetNames.has(target),
  );
  return stray === undefined ? null : `there is no ${JSON.stringify(stray.variant)} on ${JSON.stringify(stray.target)}`;
}

const precision = v.object({
  round: ordinal,
  relativeMargin: share,
  cells: v.array(v.object({ ...cell, of: v.picklist(['ratio', 'mean']), halfWidth: v.nullable(share) })),
  roundsMore: v.nullable(whole),
});

/** The schema of each kind of record. Members that are not named here are left out. */
const recordSchemas = {
  header: v.object({
    record: v.literal('header'),
    version: v.literal(journalVersion),
    runId: v.string(),
    at: moment,
    yaml: v.string(),
    plan: planSchema,
    environment: environmentSchema,
    files: v.exactOptional(
      v.object({ folder: v.string(), files: v.array(v.object({ file: v.string(), sha256: v.string() })) }),
    ),
  }),
  target: v.object({ record: v.literal('target'), at: moment, target: targetRecordSchema }),
  calibration: v.object({ record: v.literal('calibration'), at: moment, entries: v.array(calibrationSchema) }),
  trial: v.object({ record: v.literal('trial'), at: moment, trial: plannedTrialSchema }),
  phase: v.object({ record: v.literal('phase'), at: moment, trial: ordinal, phase: v.picklist(phases) }),
  snapshot: v.object({ record: v.literal('snapshot'), trial: ordinal, snapshot: snapshotSchema }),
  probe: v.object({
    record: v.literal('probe'),
    trial: ordinal,
    atMs: probeAtMs,
    tookMs: v.exactOptional(ms),
    sample: probeSampleSchema,
  }),
  result: v.object({ record: v.literal('result'), at: moment, result: trialResultSchema }),
  enough: v.object({
    record: v.literal('enough'),
    at: moment,
    reason: v.picklist(['narrow', 'budget', 'max', 'nothing']),
    precision,
  }),
  resumed: v.object({ record: v.literal('resumed'), at: moment }),
  end: v.object({ record: v.literal('end'), at: moment, status: v.picklist(['complete', 'cancelled']) }),
} satisfies { readonly [K in Kind]: v.GenericSchema<unknown, Of<K>> };

/** True if this version reads records of this kind. */
export const isRecordKind = (kind: string): kind is Kind => Object.hasOwn(recordSchemas, kind);

/** Parses a record of a kind; otherwise returns its first problem. */
export function readRecord<K extends Kind>(
  kind: K,
  value: unknown,
): { readonly record: Of<K> } | { readonly issue: v.BaseIssue<unknown> } {
  const schema: v.GenericSchema = recordSchemas[kind];
  const parsed = v.safeParse(schema, value, { abortEarly: true });
  // The `satisfies` above has checked the output type of each kind.
  return parsed.success ? { record: parsed.output as Of<K> } : { issue: parsed.issues[0] };
}

type Kind = JournalRecord['record'];
type Of<K extends Kind> = Extract<JournalRecord, { readonly record: K }>;

/** T with all members required: two types whose Whole is equal have the same optional members, too. */
type Whole<T> = T extends readonly (infer I)[]
  ? readonly Whole<I>[]
  : T extends object
    ? { readonly [M in keyof T]-?: Whole<T[M]> }
    : T;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** A compile error where a type has a member that its schema would leave out, or vice versa. */
({
  header: true,
  target: true,
  calibration: true,
  trial: true,
  phase: true,
  snapshot: true,
  probe: true,
  result: true,
  enough: true,
  resumed: true,
  end: true,
}) satisfies { readonly [K in Kind]: Same<Whole<v.InferOutput<(typeof recordSchemas)[K]>>, Whole<Of<K>>> };
