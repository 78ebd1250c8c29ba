import * as v from 'valibot';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Fingerprint } from '#engine-api/fingerprint.ts';
import type { ProbeInfo, ProbeSample } from '#engine-api/probe.ts';
import type { QueryPlan } from '#engine-api/query-plan.ts';
import { experimentSchema, measureSchema } from '#experiment/schema/experiment.ts';
import { searchSchema } from '#experiment/schema/search.ts';
import { untilSchema } from '#experiment/schema/until.ts';
import type { ErrorData } from '#model/error.ts';
import { optionsSchema } from '#model/settings/options.ts';
import { settingSchemas } from '#model/settings/settings.ts';
import { stagesSchema } from '#model/stages.ts';
import { adviceSchema } from './advice.ts';
import { targetRecordSchema } from './engine-schema.ts';
import { hostFactsSchema, hostSecondSchema, unmeasuredServerSchema } from './host-second.ts';
import {
  calibrationSchema,
  loadHostSampleSchema,
  phases,
  plannedTrialSchema,
  probeSampleSchema,
  snapshotSchema,
  trialResultSchema,
  withinTrialMs,
} from './measurement.ts';
import type { Plan, PlannedTrial } from './plan.ts';
import { askedPlanSchema, planMoments, type queryPlanSchema } from './query-plans.ts';
import { amount, finite, moment, ms, ordinal, type Read, share, texts, whole } from './read-values.ts';

/** The version that this program writes, and the only one that it reads: it goes up with every change of a record. */
export const journalVersion = 11;

/** A target as found at the start of the run. */
export interface TargetRecord {
  readonly name: string;
  readonly engine: string;
  readonly descriptor: EngineDescriptor;
  /** The address without secrets. */
  readonly address: string;
  readonly details: Readonly<Record<string, string>>;
  readonly fingerprint: Fingerprint | null;
  readonly probeInfo: Readonly<Record<string, ProbeInfo>>;
  /**
   * The error by which the target could not be used; the journal records its trials as failed, and the other targets
   * run. Null: it can be used.
   */
  readonly error: ErrorData | null;
}

/**
 * No plan has more trials, targets or variants than this (plan-experiment.ts); a file with more would only fill the
 * memory.
 */
const mostTrials = 100_000;
const mostTargets = 1_000;

const cell = { variant: v.string(), target: v.string() };

const settings = v.object({ ...settingSchemas, options: optionsSchema });

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
          sharedLoads: v.exactOptional(v.array(v.array(v.string()))),
          changesServer: v.exactOptional(v.literal(true)),
          production: v.exactOptional(v.literal(true)),
        }),
      ),
      v.maxLength(mostTargets),
    ),
    skipped: v.array(v.object({ ...cell, reason: v.string(), sameAs: v.exactOptional(v.string()) })),
    trials: v.pipe(v.array(plannedTrialSchema), v.maxLength(mostTrials)),
    measure: v.object({
      ...measureSchema.entries,
      search: v.optional(v.object(searchSchema.entries)),
      // The sum of all stages' lengths.
      seconds: v.pipe(v.number(), v.minValue(0.1), v.maxValue(stagesSchema.pipe[2].requirement * 86_400)),
      until: v.picklist(['rows', 'time', 'calls']),
      rows: whole,
      calls: untilSchema.entries.calls,
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
  if (new Set(targets.map(({ index }) => index)).size < targets.length) return 'two targets look the same';
  if (targets.length > experiment.targets.length) return 'a target is not in the experiment';
  const stray = [...trials, ...skipped].find(
    ({ variant, target }) => !variantIds.has(variant) || !targetNames.has(target),
  );
  return stray === undefined ? null : `there is no ${JSON.stringify(stray.variant)} on ${JSON.stringify(stray.target)}`;
}

/** The schemas of types that are declared elsewhere. */
const target: v.GenericSchema<unknown, TargetRecord> = targetRecordSchema;
const plan: v.GenericSchema<unknown, Plan> = planSchema;
const trial: v.GenericSchema<unknown, PlannedTrial> = plannedTrialSchema;
const sample: v.GenericSchema<unknown, ProbeSample> = probeSampleSchema;

const environment = v.object({
  app: v.string(),
  runtime: texts,
  /** "node 24.21.0" or "electron 42.0.0": the runtime of Dyno itself, and of its fixed calculation (MachineUse). */
  host: v.string(),
  drivers: texts,
  os: v.string(),
  cpu: v.string(),
  cores: whole,
  memoryBytes: amount,
});
/** The software and hardware that ran the workers. */
export type Environment = Read<typeof environment>;

const foundFiles = v.object({ folder: v.string(), files: v.array(v.object({ file: v.string(), sha256: v.string() })) });
/** Location and contents of the files that an experiment names (`file`), as the run found them. */
export type FoundFiles = Read<typeof foundFiles>;

const cellPrecision = v.object({
  ...cell,
  /** The quantity of the interval: the ratio to the baseline where the cell has one, else the mean. */
  of: v.picklist(['ratio', 'mean']),
  /** The time that the interval is about (planning/judged/trial-times.ts). Absent: throughput. */
  time: v.exactOptional(v.object({ work: v.nullable(v.string()), figure: v.union([v.literal('mean'), v.number()]) })),
  /** Half the width of the 95 % interval, as a share of its value; null where too few repeats succeeded for one. */
  halfWidth: v.nullable(share),
});
/** A cell's interval after a complete round of trials. */
export type CellPrecision = Read<typeof cellPrecision>;

const precision = v.object({
  /** Number of the last complete round. */
  round: ordinal,
  relativeMargin: share,
  /**
   * The widest interval first. The list omits the baselines of ratios, ratios that the load set and, where other
   * targets exist, reference targets and emulators, which need no verdict.
   */
  cells: v.array(cellPrecision),
  /** Expected number of further rounds for the widest interval; null where its scatter is unknown. */
  roundsMore: v.nullable(whole),
});
/** The precision after a complete round of trials, where the number of repeats may vary (measure.repeats). */
export type Precision = Read<typeof precision>;

const enoughReason = v.picklist(['narrow', 'budget', 'max', 'outOfReach', 'setByLoad', 'nothing']);
/**
 * The reason why no more rounds follow. narrow: every interval is narrow enough; budget: another round would exceed the
 * time budget; max: all rounds are done and some interval is still too wide; outOfReach: some interval would stay far
 * too wide even after the most rounds; setByLoad: the load set every throughput that is compared, and no time could be
 * judged; nothing: no trial succeeded.
 */
export type EnoughReason = Read<typeof enoughReason>;
/** The reasons why an advice, or a gate that goes on until it is decided, ends its run. */
const endReason = v.picklist(['answered', 'timeUsed']);
/**
 * The reason why an advice or a gate has ended its run. answered: more repeats would hardly change its answer;
 * timeUsed: its budget is used up.
 */
export type EndReason = Read<typeof endReason>;

/** The schema of each kind of record. Members that are not named here are left out. */
const recordSchemas = {
  header: v.object({
    record: v.literal('header'),
    version: v.literal(journalVersion),
    runId: v.string(),
    at: moment,
    yaml: v.string(),
    plan,
    environment,
    /** Absent: the experiment names no files. */
    files: v.exactOptional(foundFiles),
  }),
  target: v.object({ record: v.literal('target'), at: moment, target }),
  calibration: v.object({ record: v.literal('calibration'), at: moment, entries: v.array(calibrationSchema) }),
  trial: v.object({ record: v.literal('trial'), at: moment, trial }),
  phase: v.object({ record: v.literal('phase'), at: moment, trial: ordinal, phase: v.picklist(phases) }),
  snapshot: v.object({ record: v.literal('snapshot'), trial: ordinal, snapshot: snapshotSchema }),
  /**
   * One probe of the server during the measured phase; atMs: ms since the phase's start. The first sample is the
   * baseline, without events. A later event began at atMs − agoMs. tookMs: from request to answer.
   */
  probe: v.object({
    record: v.literal('probe'),
    trial: ordinal,
    atMs: withinTrialMs,
    tookMs: ms,
    sample,
  }),
  /** The load hosts of a trial during its measured phase, once a second; atMs: ms since the phase's start. */
  loadHosts: v.object({
    record: v.literal('loadHosts'),
    trial: ordinal,
    atMs: withinTrialMs,
    hosts: v.array(loadHostSampleSchema),
  }),
  /** The machines of a trial whose use the records `hostSecond` have, at the begin of its measured phase. */
  hosts: v.object({
    record: v.literal('hosts'),
    trial: ordinal,
    hosts: v.array(hostFactsSchema),
    unmeasured: v.array(unmeasuredServerSchema),
  }),
  /** The use of a host in a second of the measured phase; atMs: its end, in ms since the phase's start. */
  hostSecond: v.object({
    record: v.literal('hostSecond'),
    trial: ordinal,
    host: v.string(),
    atMs: withinTrialMs,
    second: hostSecondSchema,
  }),
  /** The query plans of a trial's statements, after its warm-up. */
  queryPlans: v.object({
    record: v.literal('queryPlans'),
    trial: ordinal,
    when: v.picklist(planMoments),
    plans: v.array(askedPlanSchema),
  }),
  result: v.object({ record: v.literal('result'), at: moment, result: trialResultSchema }),
  /**
   * After the last round, if repeats may vary, or if an advice or a gate has ended its run; a resumed run that makes up
   * for an unreachable target writes it again. `round`: the number of the last complete round; 0: none.
   */
  enough: v.variant('reason', [
    v.object({ record: v.literal('enough'), at: moment, reason: enoughReason, precision }),
    v.object({ record: v.literal('enough'), at: moment, reason: endReason, round: whole }),
  ]),
  /**
   * After the last trial: how many sessions of the run a server still has; null: it does not tell. `tables`: names of
   * tables that could not be dropped; `held`: why the server does not drop tables; `parameters`: parameters that the
   * run has changed and not restored, both as sentences. Absent: there are none.
   */
  sessions: v.object({
    record: v.literal('sessions'),
    at: moment,
    target: v.string(),
    left: v.nullable(whole),
    tables: v.exactOptional(v.array(v.string())),
    held: v.exactOptional(v.array(v.string())),
    parameters: v.exactOptional(v.array(v.string())),
  }),
  /** The record of a run that ended itself before its last trial; the reason is a sentence. */
  halted: v.object({ record: v.literal('halted'), at: moment, reason: v.string() }),
  /** `tag`: marks the sessions and tables at the servers from now on, as the end of the run's id did before. */
  resumed: v.object({ record: v.literal('resumed'), at: moment, tag: v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/)) }),
  /** Behind the end of a run that `dyno advise` has made. */
  advice: v.object({ record: v.literal('advice'), at: moment, advice: adviceSchema }),
  end: v.object({ record: v.literal('end'), at: moment, status: v.picklist(['complete', 'cancelled']) }),
};

type Kind = keyof typeof recordSchemas;
/** Plans come from parsed experiments, whose types are not deeply read-only. */
type Of<K extends Kind> =
  Read<(typeof recordSchemas)[K]> extends infer R
    ? 'plan' extends keyof R
      ? Omit<R, 'plan'> & { readonly plan: Plan }
      : R
    : never;

/** One line of a run journal. `at` is ISO wall-clock time; no duration is computed from it. */
export type JournalRecord = { [K in Kind]: Of<K> }[Kind];

/** A line of a run file that is no record, or has invalid values. The reader goes on with the rest of the run. */
export interface DamagedLine {
  readonly record: 'damaged';
  /** Line number, from 1. */
  readonly line: number;
  /** Number of the record's trial; null: unreadable. */
  readonly trial: number | null;
  /** The problem of the line, as a sentence. */
  readonly message: string;
}

/** A record of a kind that only newer versions know. */
interface UnknownLine {
  readonly record: 'unknown';
  readonly line: number;
  readonly kind: string;
}

/** One line of a run file, as parsed. */
export type JournalEntry = JournalRecord | DamagedLine | UnknownLine;

/** True if this version reads records of this kind. */
export const isRecordKind = (kind: string): kind is Kind => Object.hasOwn(recordSchemas, kind);

/** Parses a record of a kind; otherwise returns its first problem. */
export function readRecord<K extends Kind>(
  kind: K,
  value: unknown,
): { readonly record: Of<K> } | { readonly issue: v.BaseIssue<unknown> } {
  const schema: v.GenericSchema = recordSchemas[kind];
  const parsed = v.safeParse(schema, value, { abortEarly: true });
  return parsed.success ? { record: parsed.output as Of<K> } : { issue: parsed.issues[0] };
}

/** T with all members required: two types whose Whole is equal have the same optional members, too. */
type Whole<T> = T extends readonly (infer I)[]
  ? readonly Whole<I>[]
  : T extends object
    ? { readonly [M in keyof T]-?: Whole<T[M]> }
    : T;
type Same<Schema extends v.GenericSchema, T> = [Whole<v.InferOutput<Schema>>] extends [Whole<T>]
  ? [Whole<T>] extends [Whole<v.InferOutput<Schema>>]
    ? true
    : false
  : false;

/** A compile error where a type has a member that its schema would leave out, or vice versa. */
({ target: true, plan: true, trial: true, sample: true, queryPlan: true }) satisfies {
  readonly target: Same<typeof targetRecordSchema, TargetRecord>;
  readonly plan: Same<typeof planSchema, Plan>;
  readonly trial: Same<typeof plannedTrialSchema, PlannedTrial>;
  readonly sample: Same<typeof probeSampleSchema, ProbeSample>;
  readonly queryPlan: Same<typeof queryPlanSchema, QueryPlan>;
};
