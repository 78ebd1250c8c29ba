import type { Settings } from '#model/settings/settings.ts';
import { tableSettingNames } from '#model/settings/settings.ts';
import { isPlainLoop, loadModel } from '#model/statements/load-model.ts';
import { fnv1a } from '#model/text/fnv1a.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Plan, PlannedTrial } from '#protocol/plan.ts';
import { experimentsOf, planOf, variantOf } from './variant-of.ts';

/** The durations of earlier runs on this machine, by the keys of this file. */
export interface Durations {
  /** Rows per second (or calls, where no rows move), by {@link rateKey}. */
  readonly rates: ReadonlyMap<string, number>;
  /** Seconds of a trial without its tables, by {@link trialKey}. */
  readonly trials: ReadonlyMap<string, number>;
  /** Seconds of a trial beside its calls: fork, logins, verification; by {@link besideKey}. */
  readonly besides: ReadonlyMap<string, number>;
  /** Seconds of making a trial's tables, by {@link tablesKey}. */
  readonly tables: ReadonlyMap<string, number>;
  /** Seconds of a run beside its trials, by {@link experimentKey}. */
  readonly starts: ReadonlyMap<string, number>;
  /** The number of rounds after which a run with varying repeats ended, by {@link experimentKey}. */
  readonly rounds: ReadonlyMap<string, number>;
  /** True before the first run, which calibrates the machine and creates the data of managed servers. */
  readonly isEmpty: boolean;
}

/** Nothing is known, and this is not the first run. */
export const noDurations: Durations = {
  rates: new Map(),
  trials: new Map(),
  besides: new Map(),
  tables: new Map(),
  starts: new Map(),
  rounds: new Map(),
  isEmpty: false,
};

/** A trial that has ended, with the time from the end of the trial before it. */
export interface FinishedTrial extends PlannedTrial {
  readonly seconds: number;
  /** Seconds in which the trial made its tables and the server settled; 0 if the trial used existing tables. */
  readonly tablesSeconds: number;
}

/** The phases that make a trial's tables. */
const tablePhases = ['schema', 'load', 'build', 'settle'] as const;

/** The trial with its durations. `seconds`: the time from the end of the trial before it. */
export const finishedTrial = (
  trial: PlannedTrial,
  { phaseMs }: Pick<TrialResult, 'phaseMs'>,
  seconds: number,
): FinishedTrial => ({
  ...trial,
  seconds,
  tablesSeconds: Math.min(seconds, tablePhases.reduce((sum, phase) => sum + (phaseMs[phase] ?? 0), 0) / 1_000),
});

/** Two trials with the same key are alike enough for the speed of one to predict the other. */
export function rateKey(engine: string, settings: Settings): string {
  const { operation, method, rowsPerCall, callsPerCommit, connections, fetchSize, networkRoundTripMs = 0 } = settings;
  const { callsPerConnection, load, users, thinkMs } = settings;
  return [
    engine,
    operation,
    method,
    rowsPerCall,
    callsPerCommit,
    callsPerConnection,
    connections,
    fetchSize,
    networkRoundTripMs,
    ...(isPlainLoop(loadModel(settings)) ? [] : [load, users, thinkMs]),
  ].join(' ');
}

/** Trials with the same key take about equally long beside their calls. */
export const besideKey = (engine: string, { operation, connections, processes }: Settings): string =>
  [engine, operation, connections, processes].join(' ');

/** Trials with the same key do the same on the same target, and take equally long. */
export const trialKey = (plan: Plan, { variant, target }: PlannedTrial): string =>
  remembered(plan, `trial ${variant} on ${target}`, () => {
    const own = planOf(plan, variantOf(plan, variant));
    const { dataset, tables, setup, teardown, statements, transactions, scenarios, checks } = own.experiment;
    const { repeats: _, budgetSeconds: __, ...measure } = own.measure;
    const settings = variantOf(plan, variant)?.settings;
    const work = settings?.operation === 'statement' ? { statements, transactions, scenarios, checks } : {};
    return [targetOf(plan, target), settings, dataset, tables, setup, teardown, work, measure];
  });

/** Trials with the same key have the same tables on the same target. */
export const tablesKey = (plan: Plan, { variant, target }: PlannedTrial): string =>
  remembered(plan, `tables of ${variant} on ${target}`, () => {
    const { dataset, tables, setup } = planOf(plan, variantOf(plan, variant)).experiment;
    const settings = variantOf(plan, variant)?.settings;
    const own = settings && [settings.options, ...tableSettingNames.map((name) => settings[name])];
    return [targetOf(plan, target), settings?.operation === 'insert', own, dataset, tables, setup];
  });

/** Runs with the same key have the same trials on the same targets. */
export const experimentKey = (plan: Plan): string =>
  remembered(plan, 'experiment', () => {
    const settings = plan.variants.map((variant) => variant.settings);
    const work = experimentsOf(plan).map(
      ({ dataset, tables, setup, teardown, statements, transactions, scenarios, checks }) => {
        return { dataset, tables, setup, teardown, statements, transactions, scenarios, checks };
      },
    );
    return [plan.targets, settings, work, plan.measure];
  });

/** The planned target of this name. */
export const targetOf = ({ targets }: Plan, target: string) => targets.find(({ name }) => name === target);

const keys = new WeakMap<Plan, Map<string, string>>();

/** The key of a part of a plan. Progress asks for the same keys again and again. */
function remembered(plan: Plan, part: string, facts: () => unknown): string {
  const own = keys.get(plan) ?? new Map<string, string>();
  keys.set(plan, own);
  const known = own.get(part);
  if (known !== undefined) return known;
  const text = JSON.stringify(facts());
  // Equal hashes of different keys are rare, and only make an estimate worse.
  const key = `${fnv1a(text)}-${fnv1a(text, 0x050c5d1f)}`;
  own.set(part, key);
  return key;
}
