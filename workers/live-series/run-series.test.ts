import { expect, test } from 'vitest';
import {
  countsOf,
  descriptorOf,
  healthOf,
  intervalOf,
  resultOf,
  targetOf,
  timesOf,
} from '#analysis/run-model/journal-parts.fixture.ts';
import { bytes, us, waits } from '#engine-api/probe-info.ts';
import { experimentYaml } from '#integration/home.fixture.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import type { RunProgress } from '#protocol/ipc.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import type { Snapshot } from '#protocol/measurement.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { planContext } from '#workspace/library/plan-context.ts';
import type { MetricKey } from './metrics.ts';
import { createRunSeries, type RunSeries } from './run-series.ts';

const at = '2026-11-20T08:00:00.000Z';
const secret = 'SELECT 4711 FROM secrets';

/** A run with one trial for each number of connections, on the no-op engine. */
function running(parts: Parameters<typeof experimentYaml>[0] = {}) {
  const yaml = experimentYaml({ factors: '{ connections: [2, 4] }', measure: '{ repeats: 1 }', ...parts });
  const { plan } = planExperiment(parseFile(yaml), planContext());
  if (!plan) throw new Error('The experiment has no plan.');
  const series = createRunSeries(plan, () => ({ trialsPlanned: plan.trials.length }) as RunProgress);
  const [trial, next] = plan.trials;
  const probeInfo = { wal: bytes('Log'), cpu: us('Processor'), 'wait:*': waits('Wait', 'log') };
  const target = targetOf('noop', descriptorOf({ systemName: 'a.system' }), { probeInfo });
  const take = (...records: readonly JournalRecord[]) => {
    for (const record of records) series.take(record);
  };
  take({ record: 'target', at, target }, { record: 'trial', at, trial: trial! });
  return { plan, series, take, trial: trial!, next: next! };
}

const snapshotOf = (worker: number, more: Partial<Snapshot> = {}): Snapshot => ({
  worker,
  atMs: 1_000,
  lengthMs: 1_000,
  counts: countsOf({ calls: 10, rows: 10, service: timesOf([1, 10]) }),
  health: intervalOf(healthOf(1_000, { inCallsMs: 1_500, cpuUserMs: 250, wireSentBytes: 70 })),
  ...more,
});

/** The values of a metric, by what their attributes add to those of the trial. */
function values(series: RunSeries, key: MetricKey, which: 'all' | 'trial' = 'trial') {
  const shared = /^(?:db\.|dyno\.(?:target|engine|variant|level\.))/;
  return Object.fromEntries(
    (series.read(which).get(key) ?? []).map(({ attributes, value }) => [
      Object.entries(attributes)
        .filter(([name]) => !shared.test(name))
        .map(([name, one]) => `${name}=${one}`)
        .join(),
      typeof value === 'number' ? value : value.counts.reduce((sum, one) => sum + one, 0),
    ]),
  );
}

test('the calls of a trial begin at 0, from which a monitoring system counts their increase', () => {
  const { series, take, trial, next } = running();
  for (const key of ['calls', 'rows', 'operationTime'] as const) expect(values(series, key)).toEqual({ '': 0 });
  take({ record: 'snapshot', trial: trial.number, snapshot: snapshotOf(0) });
  take({ record: 'trial', at, trial: next });
  expect(
    series
      .read('all')
      .get('calls')
      ?.map(({ value }) => value),
  ).toEqual([10, 0]);
});

test('series are told apart by target, engine, variant and levels', () => {
  const { series, take, trial } = running();
  take({ record: 'snapshot', trial: trial.number, snapshot: snapshotOf(0) });
  const connections = Number(/\d/.exec(trial.variant)?.[0]);
  expect(series.read('all').get('calls')).toEqual([
    {
      attributes: {
        'db.system.name': 'a.system',
        'db.operation.name': 'insert',
        'dyno.target': 'noop',
        'dyno.engine': 'server',
        'dyno.variant': expect.stringContaining(String(connections)),
        'dyno.level.connections': connections,
      },
      value: 10,
    },
  ]);
});

test('the seconds of several workers add up; shares are those of the busiest', () => {
  const { series, take, trial } = running();
  for (const worker of [0, 1])
    take({
      record: 'snapshot',
      trial: trial.number,
      snapshot: snapshotOf(worker, {
        health: intervalOf(healthOf(1_000, { inCallsMs: 1_500, cpuUserMs: 250, eventLoopUtilisation: worker / 2 })),
      }),
    });
  expect(values(series, 'calls')).toEqual({ '': 20 });
  expect(values(series, 'operationTime')).toEqual({ '': 20 });
  expect(values(series, 'busy')).toEqual({ '': 3 });
  expect(values(series, 'clientBusy')).toEqual({ '': 0.5 });
  expect(values(series, 'clientTime')).toEqual({ 'cpu.mode=user': 0.5 });
});

test('failed calls count by their kind, and their times apart', () => {
  const { series, take, trial } = running();
  const counts = countsOf({
    calls: 1,
    rows: 1,
    service: timesOf([1, 1]),
    errors: { deadlock: 2, timeout: 1 },
    failed: timesOf([5, 3]),
    retries: 2,
  });
  take({ record: 'snapshot', trial: trial.number, snapshot: snapshotOf(0, { counts }) });
  expect(values(series, 'errors')).toEqual({ 'error.type=deadlock': 2, 'error.type=timeout': 1 });
  expect(values(series, 'operationTime')).toEqual({ '': 1, 'error.type=_OTHER': 3 });
  expect(values(series, 'retries')).toEqual({ '': 2 });
});

test('statements, transactions and scenarios have series by name, and no text is in them', () => {
  const { series, take, trial } = running({
    statements: `{ one: { text: "${secret}" }, two: { text: "${secret}" } }`,
    workload: '{ operation: statement }',
    targets: '[sqlite]',
  });
  const statements: Snapshot['statements'] = [
    { name: 'one', kind: 'statement', service: timesOf([1, 3]) },
    { name: 'pay', kind: 'transaction', service: timesOf([9, 1]) },
    { name: 'visit', kind: 'scenario', service: timesOf([99, 2]) },
  ];
  take({ record: 'snapshot', trial: trial.number, snapshot: snapshotOf(0, { statements }) });
  expect(values(series, 'operationTime')).toEqual({ 'dyno.statement=one': 3 });
  expect(values(series, 'transactionTime')).toEqual({ 'dyno.transaction=pay': 1 });
  expect(values(series, 'scenarioTime')).toEqual({ 'dyno.scenario=visit': 2 });
  expect(JSON.stringify([...series.read('all')])).not.toContain('4711');
});

test('the only statement of a work has its name, although seconds do not repeat it', () => {
  const { series, take, trial } = running({
    statements: `{ one: { text: "${secret}" } }`,
    workload: '{ operation: statement }',
    targets: '[sqlite]',
  });
  take({ record: 'snapshot', trial: trial.number, snapshot: snapshotOf(0) });
  expect(values(series, 'operationTime')).toEqual({ 'dyno.statement=one': 10 });
});

test('a trial that has a result alone counts for its own cell', () => {
  const { series, take, trial, next } = running();
  take({ record: 'snapshot', trial: trial.number, snapshot: snapshotOf(0) });
  const totals = countsOf({ calls: 0, rows: 0, service: timesOf() });
  const result = resultOf(next, { elapsedMs: 0, totals, health: healthOf(1) }, { status: 'failed' });
  take({ record: 'result', at, result });
  expect(values(series, 'trialsDone')).toEqual({ 'dyno.status=failed': 1 });
  const [failed] = series.read('all').get('trialsDone') ?? [];
  expect(failed?.attributes['dyno.level.connections']).toBe(Number(/\d/.exec(next.variant)?.[0]));
});

test('open load shows arrivals, what waits, and response times', () => {
  const { series, take, trial } = running();
  const none = timesOf();
  const load = {
    ...{ arrivals: 12, ended: 10, failed: 0, afterwards: 0, unfinished: 0, responseMs: 50, thinkMs: 0, waiting: 2 },
    ...{ response: timesOf([5, 10]), sinceStart: none, startError: none, wait: none },
  };
  const counts = countsOf({ calls: 10, rows: 10, service: timesOf([1, 10]), load });
  take({ record: 'snapshot', trial: trial.number, snapshot: snapshotOf(0, { counts }) });
  expect(values(series, 'arrivals')).toEqual({ '': 12 });
  expect(values(series, 'waiting')).toEqual({ '': 2 });
  expect(values(series, 'responseTime')).toEqual({ '': 10 });
});

test('the server’s counters begin at the trial’s first probe, in OpenTelemetry’s units; a wait that is over is 0', () => {
  const { series, take, trial } = running();
  const probe = (atMs: number, wal: number, cpu: number, gauges: Record<string, number>): JournalRecord => ({
    ...{ record: 'probe', trial: trial.number, atMs, tookMs: 1 },
    sample: { counters: { wal, cpu }, gauges, unavailable: [] },
  });
  take(probe(0, 1_000, 5_000_000, { 'wait:log': 3 }), probe(1_000, 1_500, 7_000_000, {}));
  expect(values(series, 'serverBytes')).toEqual({ 'dyno.counter=wal': 500 });
  expect(values(series, 'serverTime')).toEqual({ 'dyno.counter=cpu': 2 });
  expect(values(series, 'serverNow')).toEqual({ 'dyno.counter=wait:log': 0 });
  take(probe(2_000, 10, 8_000_000, {}));
  expect(values(series, 'serverBytes')).toEqual({ 'dyno.counter=wal': 500 });
});

test('the result adds the calls that ended after the last second, and ends the trial’s gauges', () => {
  const { series, take, trial, next } = running();
  take({ record: 'phase', at, trial: trial.number, phase: 'measure' });
  take({ record: 'snapshot', trial: trial.number, snapshot: snapshotOf(0) });
  expect(values(series, 'phase')).toEqual({ 'dyno.phase=measure': 1 });
  const totals = countsOf({ calls: 13, rows: 26, service: timesOf([1, 13]) });
  const result = resultOf(trial, { elapsedMs: 1_300, totals, health: healthOf(1_300) }, { probeDelta: { wal: 9 } });
  take({ record: 'result', at, result });
  expect(values(series, 'calls')).toEqual({ '': 13 });
  expect(values(series, 'rows')).toEqual({ '': 26 });
  expect(values(series, 'operationTime')).toEqual({ '': 13 });
  expect(values(series, 'serverBytes')).toEqual({ 'dyno.counter=wal': 9 });
  expect(values(series, 'trialsDone')).toEqual({ 'dyno.status=ok': 1 });
  expect(values(series, 'phase')).toEqual({ 'dyno.phase=measure': 0 });
  expect(values(series, 'connections')).toEqual({ '': 0 });
  take({ record: 'trial', at, trial: next });
  expect(values(series, 'calls', 'trial')).toEqual({ '': 0 });
  expect(
    series
      .read('all')
      .get('calls')
      ?.map(({ value }) => value),
  ).toEqual([13, 0]);
});
