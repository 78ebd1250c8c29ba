import { stringify } from 'yaml';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import type { Settings } from '#model/settings/settings.ts';
import { expandVariants } from '#planning/expand-variants.ts';
import { plannedMeasure } from '#planning/planned-measure.ts';
import { type JournalRecord, journalVersion, type TargetRecord } from '#protocol/journal.ts';
import type { CalibrationEntry, CallTime, PhaseHealth, ProcessTime, TrialResult } from '#protocol/measurement.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import {
  aMoment as at,
  countsOf,
  descriptorOf,
  healthOf,
  resultOf,
  targetOf,
} from '../../run-model/journal-parts.fixture.ts';
import { readRun } from '../../run-model/run.fixture.ts';
import type { RunModel } from '../../run-model/run-model.ts';
import { type RunFacts, runFacts } from './facts.ts';
import type { Outcome, Rule, Shown } from './finding.ts';

/** Made-up runs, only for tests, with the data that a rule reads. */

export interface MadeRun {
  readonly workload?: Partial<Settings>;
  readonly factors?: Experiment['factors'];
  readonly baseline?: Experiment['baseline'];
  readonly compare?: Experiment['compare'];
  readonly dataset?: Partial<Experiment['dataset']>;
  readonly measure?: Experiment['measure'] | { readonly repeats: number };
  readonly targets?: readonly MadeTarget[];
  readonly repeats?: number;
  /** Measurements of the machine before the run. */
  readonly calibration?: readonly CalibrationEntry[];
  /** The server's figures beside every trial. */
  readonly roundTrip?: NonNullable<TrialResult['roundTrip']>;
  readonly trial?: (of: { readonly settings: Settings; readonly target: string; readonly repeat: number }) => MadeTrial;
}

type MadeTarget = Partial<Omit<TargetRecord, 'descriptor'>> & {
  readonly name: string;
  readonly descriptor?: Partial<EngineDescriptor>;
};

interface MadeTrial {
  /** Rows per second; default: 1,000. */
  readonly rate?: number;
  readonly elapsedMs?: number;
  readonly rowsPerCall?: number;
  readonly health?: Partial<PhaseHealth>;
  readonly result?: Partial<Omit<TrialResult, 'totals' | 'health'>>;
  readonly totals?: Partial<TrialResult['totals']>;
  /** Service times of the calls, ms; default: all are equal. */
  readonly latencyMs?: (call: number) => number;
  /** Rates second by second. */
  readonly seconds?: readonly number[];
  /** Health in one second only, counted from 0. */
  readonly healthAt?: (second: number) => Partial<PhaseHealth>;
  /** Samples of each second. */
  readonly gauges?: Readonly<Record<string, number>>;
}

export const everything: EngineDescriptor['support'] = Object.fromEntries(
  (['insert', 'readByKey', 'readRange', 'scan', 'update', 'delete'] as const).map((operation) => [
    operation,
    Object.fromEntries(
      (['literal', 'bind', 'prepared', 'pipelined', 'multiRow', 'bulk'] as const).map((method) => [
        method,
        {
          implementation: method,
          maxRowsPerCall: method === 'multiRow' || method === 'bulk' ? 65_535 : 1,
          ...(operation === 'readRange' || operation === 'scan' ? { uses: ['fetchSize'] as const } : {}),
        },
      ]),
    ),
  ]),
);

const madeTarget = ({ name, descriptor, ...more }: MadeTarget): TargetRecord =>
  targetOf(name, descriptorOf({ support: everything, ...descriptor }), more);

const process: ProcessTime = {
  wallMs: 10_000,
  generateMs: 0,
  encodeMs: 500,
  decodeMs: 500,
  engineMs: 0,
  otherMs: 500,
  waitMs: 8_500,
  idleMs: 0,
};

/** A process's time of 10 s, with these parts; waiting takes the rest. */
export function processTime(parts: Partial<ProcessTime>): ProcessTime {
  const made = { ...process, ...parts };
  const { wallMs, generateMs, encodeMs, decodeMs, engineMs, otherMs, idleMs } = made;
  return { ...made, waitMs: wallMs - generateMs - encodeMs - decodeMs - engineMs - otherMs - idleMs };
}

export const callTime = (calls: number, each: Partial<Omit<CallTime, 'calls'>>): CallTime => ({
  calls,
  seen: calls,
  sendMs: calls * (each.sendMs ?? 0),
  waitMs: calls * (each.waitMs ?? 0),
  receiveMs: calls * (each.receiveMs ?? 0),
  gapMs: calls * (each.gapMs ?? 0),
  roundTrips: calls * (each.roundTrips ?? 1),
});

const withoutCalls = new Histogram().encode();
/** All trials share it, because its buckets take 300 KB. */
const service = new Histogram();

/** The run's journal, record by record. */
export function madeJournal({
  workload,
  factors = {},
  baseline,
  compare,
  dataset,
  measure,
  targets = [{ name: 'server' }],
  repeats = 5,
  calibration = [],
  roundTrip,
  trial = () => ({}),
}: MadeRun = {}): readonly JournalRecord[] {
  const text = stringify({
    dyno: 1,
    name: 'Made up',
    question: 'What does a rule say?',
    dataset: {
      rows: 10_000,
      key: 'id',
      columns: { id: { type: 'uuid4' }, payload: { type: 'text', length: 20 } },
      ...dataset,
    },
    workload: { operation: 'insert', ...workload },
    factors,
    targets: targets.map(({ name }) => name),
    baseline,
    compare,
    measure: { repeats, ...measure },
  });
  const { experiment, diagnostics } = parseFile(text);
  if (!experiment) throw new Error(`The made up experiment is wrong: ${JSON.stringify(diagnostics)}`);
  const variants = expandVariants(experiment);
  const made = targets.map(madeTarget);
  const cells = variants.flatMap((variant) => made.map(({ name }) => ({ variant, target: name })));
  const trials = Array.from({ length: repeats }, (_, round) =>
    cells.map(({ variant, target }, i) => ({
      number: round * cells.length + i + 1,
      repeat: round + 1,
      variant: variant.id,
      target,
    })),
  ).flat();
  const records: JournalRecord[] = [];
  records.push({
    record: 'header',
    version: journalVersion,
    runId: '20261120-080000-made-up',
    at,
    yaml: text,
    plan: {
      experiment,
      variants,
      targets: made.map(({ name, engine }, index) => ({ name, engine, index })),
      skipped: [],
      trials,
      measure: plannedMeasure(experiment, variants),
    },
    environment: { app: '0', runtime: {}, host: '', drivers: {}, os: '', cpu: '', cores: 4, memoryBytes: 8 * 2 ** 30 },
  });
  for (const target of made) records.push({ record: 'target', at, target });
  if (calibration.length > 0) records.push({ record: 'calibration', at, entries: calibration });
  for (const planned of trials) {
    const { settings } = variants.find(({ id }) => id === planned.variant)!;
    const one = trial({ settings, target: planned.target, repeat: planned.repeat });
    const elapsedMs = one.elapsedMs ?? (one.seconds ? one.seconds.length * 1_000 : 10_000);
    // Repeats scatter a little, because an interval needs scatter.
    const rows = Math.round(((one.rate ?? 1_000) * (1 + ((planned.repeat * 7) % 5) / 1_000) * elapsedMs) / 1_000);
    const calls = Math.ceil(rows / (one.rowsPerCall ?? settings.rowsPerCall));
    service.reset();
    for (let call = 0; call < Math.min(calls, 10_000); call++)
      service.record(Math.round((one.latencyMs?.(call) ?? 1) * 1e6));
    records.push({ record: 'trial', at, trial: planned });
    const counts = countsOf({ calls, rows, service: service.encode(), ...one.totals });
    const health = healthOf(elapsedMs, { inCallsMs: elapsedMs, ...one.health });
    records.push({
      record: 'probe',
      trial: planned.number,
      atMs: 0,
      tookMs: 1,
      sample: { counters: {}, gauges: {}, unavailable: [] },
    });
    const seconds =
      one.seconds ?? Array.from({ length: Math.round(elapsedMs / 1_000) }, () => rows / (elapsedMs / 1_000));
    seconds.forEach((rate, second) => {
      const atMs = (second + 1) * 1_000;
      const own = {
        ...counts,
        calls: Math.round(rate / settings.rowsPerCall),
        rows: Math.round(rate),
        errors: {},
        service: withoutCalls,
      };
      records.push({
        record: 'snapshot',
        trial: planned.number,
        snapshot: { worker: 0, atMs, lengthMs: 1_000, counts: own, health: { ...health, ...one.healthAt?.(second) } },
      });
      if (one.gauges)
        records.push({
          record: 'probe',
          trial: planned.number,
          atMs,
          tookMs: 1,
          sample: { counters: {}, gauges: one.gauges, unavailable: [] },
        });
    });
    records.push({
      record: 'result',
      at,
      result: resultOf(
        planned,
        { elapsedMs, totals: counts, health },
        {
          workers: settings.processes,
          ...(roundTrip && { roundTrip }),
          ...one.result,
        },
      ),
    });
  }
  records.push({ record: 'end', at, status: 'complete' });
  return records;
}

export const madeRun = (run: MadeRun = {}): RunModel => readRun(madeJournal(run));

export const madeFacts = (made: MadeRun = {}): RunFacts => runFacts(madeRun(made));

/** A rule's outcomes for each cell, in order. */
export const outcomesOf = (rule: Rule, made: MadeRun): readonly Outcome[] => rule.find(madeFacts(made));

/** The only finding of a rule. */
export function onlyShown(rule: Rule, made: MadeRun): Shown {
  const shown = outcomesOf(rule, made).filter((one) => one.status === 'shown');
  if (shown.length !== 1)
    throw new Error(`“${rule.title}” shows ${shown.length} things: ${JSON.stringify(outcomesOf(rule, made))}`);
  return shown[0]!;
}

type RoundTrip = NonNullable<TrialResult['roundTrip']>;

/** A round trip of the cheapest statement beside the trials, with handshakes over the same network. */
export const timed = (
  cheapestMs: number,
  shortestMs: number | null = cheapestMs * 0.9,
  sameMachine = false,
): RoundTrip => ({
  cheapestMs,
  handshakes: { shortestMs, sameMachine },
});
