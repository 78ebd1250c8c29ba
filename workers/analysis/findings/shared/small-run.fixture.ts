import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { ProbeInfo, ProbeSample } from '#engine-api/probe.ts';
import type { ErrorData, ErrorKind } from '#model/error.ts';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { plannedMeasure } from '#planning/planned-measure.ts';
import { formatLevels } from '#planning/variant-of.ts';
import { type JournalRecord, journalVersion, type TargetRecord } from '#protocol/journal.ts';
import type { CallCounts, PhaseHealth, TrialResult } from '#protocol/measurement.ts';
import type { Cell, Plan, Variant } from '#protocol/plan.ts';
import type { AskedPlan } from '#protocol/query-plans.ts';
import { parseFile } from '#rules/parsed-file.ts';
import {
  aMoment as at,
  countsOf,
  descriptorOf,
  fingerprintOf,
  healthOf,
  resultOf,
  targetOf,
  timesOf,
} from '../../run-model/journal-parts.fixture.ts';
import { readRun } from '../../run-model/run.fixture.ts';
import type { RunModel } from '../../run-model/run-model.ts';
import { confirmText } from './confirm.ts';
import { type RunFacts, runFacts } from './facts.ts';
import type { Outcome, Rule } from './finding.ts';

/** A run of one target with the data that a rule reads, made through the journal like every run; only for tests. */

export interface SmallTrial {
  /** Rows in each second; calls carry `rowsPerCall` rows. */
  readonly perSecond: readonly number[];
  /** Service times: [ms, calls], including the last second. Default: 1 ms for each call. */
  readonly service?: readonly (readonly [number, number])[];
  /** Samples of the server at 0 s, 1 s, 2 s…; counters continue between trials. */
  readonly samples?: readonly Partial<ProbeSample>[];
  readonly status?: TrialResult['status'];
  readonly error?: ErrorData;
  readonly errors?: Readonly<Partial<Record<ErrorKind, number>>>;
  /** Further totals of the trial. */
  readonly counts?: Partial<CallCounts>;
  readonly more?: Partial<TrialResult>;
  readonly health?: Partial<PhaseHealth>;
  readonly queryPlans?: readonly AskedPlan[];
  /** Plans from after the measured phase. */
  readonly laterPlans?: readonly AskedPlan[];
}

export interface SmallCell {
  readonly levels?: Variant['levels'];
  /** Settings in `levels` need no repetition here. */
  readonly settings?: Partial<Settings>;
  readonly trials: readonly SmallTrial[];
}

export interface SmallRun {
  readonly cells: readonly SmallCell[];
  readonly columns?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Further keys of the dataset. */
  readonly dataset?: Readonly<Record<string, unknown>>;
  readonly descriptor?: Partial<EngineDescriptor>;
  readonly probeInfo?: Readonly<Record<string, ProbeInfo>>;
  readonly fingerprint?: Partial<NonNullable<TargetRecord['fingerprint']>>;
  /** Round trip of the cheapest statement, over a network; null: not timed. */
  readonly roundTripMs?: number | null;
  /** Further keys of the experiment's file. */
  readonly more?: Readonly<Record<string, unknown>>;
}

const cellDone = { implementation: 'a call', maxRowsPerCall: 10_000 };
const methods = { prepared: cellDone, bind: cellDone, pipelined: { ...cellDone, pipelines: true } };
const operations = ['insert', 'readByKey', 'readRange', 'scan', 'update', 'delete', 'statement'] as const;
const server = descriptorOf({
  support: Object.fromEntries(operations.map((operation) => [operation, methods])),
  statements: { language: 'sql' },
  builtIn: [{ target: 'Server', label: 'Server', about: 'For tests.' }],
});

const plainDataset = { rows: 100_000, key: 'id' };
const plainColumns = { id: { type: 'uuid4' }, payload: { type: 'text', length: 20 } };

/** The run, read from its journal. */
export const smallRun = (run: SmallRun): RunModel => readRun(smallJournal(run));

/** A rule's outcomes for the run, and the facts given to the rule. */
export function judged(rule: Rule, run: SmallRun): { readonly facts: RunFacts; readonly outcomes: readonly Outcome[] } {
  const facts = runFacts(smallRun(run));
  return { facts, outcomes: rule.find(facts) };
}

/** The errors in the experiment that an outcome proposes; empty if it is valid. Null: it proposes none. */
export function mistakesOf({ model }: RunFacts, outcome: Outcome | undefined): readonly string[] | null {
  if (outcome?.status !== 'shown' || outcome.confirm === null) return null;
  const { diagnostics } = planExperiment(parseFile(confirmText(model, outcome.confirm)), {
    catalog: model.targets.map((target) => target.descriptor),
  });
  return diagnostics.map(({ path, message }) => `${path}: ${message}`);
}

/** The journal of the run. */
export function* smallJournal({
  cells,
  columns = plainColumns,
  dataset = {},
  descriptor,
  probeInfo = {},
  fingerprint,
  roundTripMs = 0.05,
  more = {},
}: SmallRun): Generator<JournalRecord> {
  const own = { ...server, ...descriptor };
  const variants = cells.map(({ levels = {}, settings = {} }): Variant => {
    const options = Object.fromEntries(Object.entries(levels).filter(([name]) => name.includes('.')));
    const plain = Object.fromEntries(Object.entries(levels).filter(([name]) => !name.includes('.')));
    const parts = Object.entries(levels).map(([name, level]) => `${name}=${level}`);
    return {
      id: parts.join(' ') || 'default',
      label: formatLevels(levels) || 'default',
      levels,
      settings: { ...defaultSettings, ...settings, ...plain, options: { ...settings.options, ...options } },
    };
  });
  const factors = Object.fromEntries(
    [...new Set(cells.flatMap(({ levels = {} }) => Object.keys(levels)))].map((name) => [
      name,
      [...new Set(cells.map(({ levels = {} }) => levels[name]!))],
    ]),
  );
  const workload = cells[0]?.settings ?? {};
  const repeats = Math.max(...cells.map(({ trials }) => trials.length));
  const yaml = [
    'dyno: 1',
    'name: A small run',
    'question: What limits it?',
    `dataset: ${JSON.stringify({ ...plainDataset, ...dataset, columns })}`,
    `workload: ${JSON.stringify({ operation: 'insert', ...workload })}`,
    `factors: ${JSON.stringify(factors)}`,
    'targets: [Server]',
    `measure: ${JSON.stringify({ until: { seconds: 5 }, repeats })}`,
    ...Object.entries(more).map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
    '',
  ].join('\n');
  const { experiment, diagnostics } = parseFile(yaml);
  if (experiment === null) throw new Error(JSON.stringify(diagnostics));
  const order = variants.flatMap((variant, i) =>
    cells[i]!.trials.map((_, repeat) => ({ variant: variant.id, target: 'Server', repeat: repeat + 1 })),
  );
  const plan: Plan = {
    experiment,
    variants,
    targets: [{ name: 'Server', engine: own.id, index: 0 }],
    skipped: [],
    trials: order.map((trial, i) => ({ ...trial, number: i + 1 })),
    measure: plannedMeasure(experiment, variants),
  };
  const environment = {
    app: '0',
    runtime: {},
    host: '',
    drivers: {},
    os: 'Linux',
    cpu: 'a processor',
    cores: 2,
    memoryBytes: 2 ** 33,
  };
  yield { record: 'header', version: journalVersion, runId: 'small', at, yaml, plan, environment };
  const target = targetOf('Server', own, { fingerprint: fingerprintOf(fingerprint), probeInfo });
  yield { record: 'target', at, target };
  for (const trial of plan.trials) {
    const i = variants.findIndex(({ id }) => id === trial.variant);
    yield { record: 'trial', at, trial };
    yield* trialOf(trial, cells[i]!.trials[trial.repeat - 1]!, variants[i]!.settings, roundTripMs);
  }
  yield { record: 'end', at, status: 'complete' };
}

function* trialOf(
  trial: Cell & { readonly number: number; readonly repeat: number },
  own: SmallTrial,
  { rowsPerCall }: Settings,
  roundTripMs: number | null,
): Generator<JournalRecord> {
  if (own.queryPlans) yield { record: 'queryPlans', trial: trial.number, when: 'warm', plans: own.queryPlans };
  yield { record: 'phase', at, trial: trial.number, phase: 'measure' };
  const samples = (own.samples ?? []).map(
    (one): ProbeSample => ({ counters: {}, gauges: {}, unavailable: [], ...one }),
  );
  const probe = (i: number): readonly JournalRecord[] =>
    samples[i] === undefined
      ? []
      : [{ record: 'probe', trial: trial.number, atMs: i * 1_000, tookMs: 1, sample: samples[i] }];
  yield* probe(0);
  for (const [i, rows] of own.perSecond.entries()) {
    const isLast = i === own.perSecond.length - 1;
    const counts = callsOf(rows, Math.round(rows / rowsPerCall), isLast ? own.service : undefined);
    const health = ownHealth(1_000, own.health);
    yield {
      record: 'snapshot',
      trial: trial.number,
      snapshot: { worker: 0, atMs: (i + 1) * 1_000, lengthMs: 1_000, counts, health },
    };
    yield* probe(i + 1);
  }
  const rows = own.perSecond.reduce((sum, one) => sum + one, 0);
  const elapsedMs = own.perSecond.length * 1_000;
  const [first, last] = [samples[0]?.counters ?? {}, samples.at(-1)?.counters ?? {}];
  const measured = {
    elapsedMs,
    totals: { ...callsOf(rows, Math.round(rows / rowsPerCall), own.service), errors: own.errors ?? {}, ...own.counts },
    health: ownHealth(elapsedMs, own.health),
  };
  const result = resultOf(trial, measured, {
    status: own.status ?? 'ok',
    error: own.error ?? null,
    littleError: 0,
    probeDelta: Object.fromEntries(Object.entries(last).map(([name, value]) => [name, value - (first[name] ?? 0)])),
    phaseMs: { measure: elapsedMs },
    ...(roundTripMs !== null && {
      roundTrip: { cheapestMs: roundTripMs, handshakes: { shortestMs: roundTripMs * 0.8, sameMachine: false } },
    }),
    ...own.more,
  });
  if (own.laterPlans) yield { record: 'queryPlans', trial: trial.number, when: 'measured', plans: own.laterPlans };
  yield { record: 'result', at, result };
}

const callsOf = (rows: number, calls: number, service: SmallTrial['service'] = [[1, calls]]): CallCounts =>
  countsOf({ calls, rows, service: timesOf(...service) });

const ownHealth = (lengthMs: number, own: Partial<PhaseHealth> = {}): PhaseHealth =>
  healthOf(lengthMs, {
    cpuUserMs: lengthMs * 0.2,
    cpuSystemMs: lengthMs * 0.05,
    eventLoopUtilisation: 0.3,
    eventLoopDelayP99Ms: 1,
    encodeMs: lengthMs * 0.02,
    inCallsMs: lengthMs * 0.9,
    ...own,
  });
