import type { ProbeInfo, ProbeSample } from '#engine-api/probe.ts';
import { probeInfoOf } from '#engine-api/probe-info.ts';
import { weightsOf } from '#experiment/statements/statement-mix.ts';
import { planOf, variantOf, variantText } from '#planning/variant-of.ts';
import type { RunProgress } from '#protocol/ipc.ts';
import type { JournalRecord, TargetRecord } from '#protocol/journal.ts';
import type { CallCounts, Phase, Snapshot, StatementLatencies, TrialResult } from '#protocol/measurement.ts';
import type { Plan, PlannedTrial } from '#protocol/plan.ts';
import type { KeyOf } from './metrics.ts';
import { type Attributes, createSeriesStore, type SeriesStore } from './series-store.ts';

/** The series of a run, as its records arrive. */
export interface RunSeries extends Pick<SeriesStore, 'read' | 'version'> {
  take(record: JournalRecord): void;
}

/** The trial that runs. */
interface RunningTrial {
  readonly number: number;
  readonly attributes: Attributes;
  /** Statement of the work, where there is only one: its snapshots do not name it. */
  readonly onlyStatement: string | null;
  readonly infos: Readonly<Record<string, ProbeInfo>>;
  phase: Phase | null;
  firstProbe: ProbeSample | null;
  /** Gauges of the server that this trial has shown: a sample leaves waits out where nobody waits. */
  readonly gauges: Set<string>;
  /** The last snapshot of each worker. */
  readonly workers: Map<number, Snapshot>;
}

const timesOf = {
  statement: ['operationTime', 'dyno.statement'],
  transaction: ['transactionTime', 'dyno.transaction'],
  scenario: ['scenarioTime', 'dyno.scenario'],
} as const satisfies Record<StatementLatencies['kind'], readonly [KeyOf<'histogram'>, string]>;

/**
 * The kind of error is not part of the histogram of failed calls: `_OTHER` is OpenTelemetry's word where it is unknown.
 */
const someError = { 'error.type': '_OTHER' };

/** The metrics of counters and gauges of a server, by their unit; and how many of these units are one of the metric. */
const serverMetrics = {
  count: { counter: 'serverEvents', gauge: 'serverNow', divisor: 1 },
  bytes: { counter: 'serverBytes', gauge: 'serverSize', divisor: 1 },
  ms: { counter: 'serverTime', gauge: 'serverSpan', divisor: 1e3 },
  us: { counter: 'serverTime', gauge: 'serverSpan', divisor: 1e6 },
} as const satisfies Record<
  ProbeInfo['unit'],
  { readonly counter: KeyOf<'counter'>; readonly gauge: KeyOf<'gauge'>; readonly divisor: number }
>;

/** Makes the series of a run from its records. They hold names alone: no text of a statement, no value, no address. */
export function createRunSeries(plan: Plan, progress: () => RunProgress): RunSeries {
  const store = createSeriesStore();
  const targets = new Map<string, TargetRecord>();
  let running: RunningTrial | null = null;

  const planned = () => store.set('trialsPlanned', {}, progress().trialsPlanned);

  function begin(trial: PlannedTrial): RunningTrial {
    store.beginTrial();
    planned();
    const variant = variantOf(plan, trial.variant);
    const attributes = attributesOf(plan, trial, targets.get(trial.target));
    if (variant) store.set('connections', attributes, variant.settings.connections);
    const [only, ...others] =
      variant?.settings.operation === 'statement' ? weightsOf(planOf(plan, variant).experiment).keys() : [];
    const begun: RunningTrial = {
      number: trial.number,
      attributes,
      onlyStatement: only !== undefined && others.length === 0 ? only : null,
      infos: targets.get(trial.target)?.probeInfo ?? {},
      phase: null,
      firstProbe: null,
      gauges: new Set(),
      workers: new Map(),
    };
    for (const key of ['calls', 'rows'] as const) store.begin(key, attributes);
    // The statements of a mix appear with their first calls.
    if (others.length === 0) store.beginTimes('operationTime', ofWhole(begun));
    return begun;
  }

  /** The attributes of the calls of a trial whose snapshots do not tell statements apart. */
  const ofWhole = ({ attributes, onlyStatement }: RunningTrial): Attributes =>
    onlyStatement === null ? attributes : { ...attributes, 'dyno.statement': onlyStatement };

  function snapshot(trial: RunningTrial, taken: Snapshot): void {
    const { attributes, workers } = trial;
    const { counts, health, statements } = taken;
    count(attributes, counts, 'add');
    if (statements) times(attributes, statements, 'addTimes');
    else store.addTimes('operationTime', ofWhole(trial), counts.service);
    failedTimes(attributes, counts, 'addTimes');
    workers.set(taken.worker, taken);
    const all = [...workers.values()];
    const sum = (of: (one: Snapshot) => number) => all.reduce((total, one) => total + of(one), 0);
    store.set(
      'busy',
      attributes,
      sum((one) => (one.lengthMs > 0 ? (one.health.inCallsMs + one.health.transactionMs) / one.lengthMs : 0)),
    );
    if (counts.load)
      store.set(
        'waiting',
        attributes,
        sum((one) => one.counts.load?.waiting ?? 0),
      );
    store.set('clientBusy', attributes, Math.max(...all.map((one) => one.health.eventLoopUtilisation)));
    store.set(
      'clientMemory',
      attributes,
      sum((one) => one.health.rssBytes),
    );
    store.add('clientTime', { ...attributes, 'cpu.mode': 'user' }, health.cpuUserMs / 1e3);
    store.add('clientTime', { ...attributes, 'cpu.mode': 'system' }, health.cpuSystemMs / 1e3);
    store.add('network', { ...attributes, 'network.io.direction': 'transmit' }, health.wireSentBytes ?? 0);
    store.add('network', { ...attributes, 'network.io.direction': 'receive' }, health.wireReceivedBytes ?? 0);
  }

  function count(attributes: Attributes, counts: CallCounts, how: 'add' | 'atLeast'): void {
    const { calls, rows, commits, errors, retries, gaveUp, load } = counts;
    const all = { calls, rows, commits, retries, givenUp: gaveUp, arrivals: load?.arrivals ?? 0 };
    for (const [key, amount] of Object.entries(all)) store[how](key as keyof typeof all, attributes, amount);
    for (const [kind, amount] of Object.entries(errors))
      store[how]('errors', { ...attributes, 'error.type': kind }, amount);
  }

  function times(
    attributes: Attributes,
    statements: readonly Pick<StatementLatencies, 'name' | 'kind' | 'service'>[],
    how: 'addTimes' | 'timesAtLeast',
  ): void {
    for (const { name, kind, service } of statements) {
      const [key, attribute] = timesOf[kind];
      store[how](key, { ...attributes, [attribute]: name }, service);
    }
  }

  function failedTimes(attributes: Attributes, { failed, load }: CallCounts, how: 'addTimes' | 'timesAtLeast'): void {
    if (failed !== null) store[how]('operationTime', { ...attributes, ...someError }, failed);
    if (load) store[how]('responseTime', attributes, load.response);
  }

  function probe(trial: RunningTrial, sample: ProbeSample): void {
    trial.firstProbe ??= sample;
    const first = trial.firstProbe.counters;
    counters(
      trial,
      Object.entries(sample.counters).map(([name, value]) => [name, value - (first[name] ?? value)]),
    );
    for (const name of Object.keys(sample.gauges)) trial.gauges.add(name);
    for (const name of trial.gauges) {
      const { gauge, divisor } = serverMetrics[probeInfoOf(trial.infos, name)?.unit ?? 'count'];
      store.set(gauge, { ...trial.attributes, 'dyno.counter': name }, (sample.gauges[name] ?? 0) / divisor);
    }
  }

  /** Differences of counters since the trial began. */
  function counters({ attributes, infos }: RunningTrial, differences: Iterable<readonly [string, number]>): void {
    for (const [name, difference] of differences) {
      const { counter, divisor } = serverMetrics[probeInfoOf(infos, name)?.unit ?? 'count'];
      store.atLeast(counter, { ...attributes, 'dyno.counter': name }, difference / divisor);
    }
  }

  /** Calls that ended after the last snapshot are in the result alone. */
  function end(trial: RunningTrial, { status, totals, statements, probeDelta }: TrialResult): void {
    const { attributes } = trial;
    count(attributes, totals, 'atLeast');
    if (statements && statements.length > 1) times(attributes, statements, 'timesAtLeast');
    else store.timesAtLeast('operationTime', ofWhole(trial), totals.service);
    failedTimes(attributes, totals, 'timesAtLeast');
    counters(trial, Object.entries(probeDelta));
    store.add('trialsDone', { ...attributes, 'dyno.status': status }, 1);
    store.clearGauges();
    planned();
  }

  function enter(trial: RunningTrial, phase: Phase): void {
    const of = (one: Phase) => ({ ...trial.attributes, 'dyno.phase': one });
    if (trial.phase !== null) store.set('phase', of(trial.phase), 0);
    store.set('phase', of(phase), 1);
    trial.phase = phase;
  }

  return {
    take(record) {
      if (record.record === 'target') targets.set(record.target.name, record.target);
      else if (record.record === 'trial') running = begin(record.trial);
      else if (record.record === 'result') {
        // A trial whose target cannot be used has a result alone.
        if (running?.number !== record.result.number) running = begin(record.result);
        end(running, record.result);
      } else if (running === null) return;
      else if (record.record === 'phase') enter(running, record.phase);
      else if (record.record === 'snapshot') snapshot(running, record.snapshot);
      else if (record.record === 'probe') probe(running, record.sample);
      else if (record.record === 'loadHosts') {
        for (const { name, processorsBusy } of record.hosts)
          if (processorsBusy !== null)
            store.set('loadHostBusy', { ...running.attributes, 'dyno.load_host': name }, processorsBusy);
      }
    },
    read: store.read,
    get version() {
      return store.version;
    },
  };
}

/** The attributes of all series of a cell. */
function attributesOf(
  plan: Plan,
  { variant: id, target: name }: PlannedTrial,
  target: TargetRecord | undefined,
): Attributes {
  const variant = variantOf(plan, id);
  const engine = target?.engine ?? plan.targets.find((one) => one.name === name)?.engine ?? '';
  const levels = Object.entries(variant?.levels ?? {});
  return {
    'db.system.name': target?.descriptor.systemName ?? engine,
    ...(variant && { 'db.operation.name': variant.settings.operation }),
    'dyno.target': name,
    'dyno.engine': engine,
    'dyno.variant': variantText(plan, id),
    ...Object.fromEntries(levels.map(([factor, level]) => [`dyno.level.${factor}`, level])),
  };
}
