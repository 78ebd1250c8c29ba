import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import { formatLevels } from '#planning/variant-of.ts';
import { type JournalEntry, type JournalRecord, journalVersion, type TargetRecord } from '#protocol/journal.ts';
import type { CalibrationEntry, CallCounts, PhaseHealth } from '#protocol/measurement.ts';
import type { Plan, PlannedTrial, Variant } from '#protocol/plan.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { shuffled } from '#stats/random/shuffle.ts';
import { createRunReader } from '../journal/read-run.ts';
import {
  countsOf,
  descriptorOf,
  fingerprintOf,
  healthOf,
  intervalOf,
  resultOf,
  targetOf,
} from './journal-parts.fixture.ts';
import type { RunModel } from './run-model.ts';

/**
 * The journal of a made-up insert duel with everything that a report can show; only for tests. The same seed gives the
 * same journal.
 */

const rowsPerTrial = 500_000;
const rowsPerCall: Partial<Record<MethodName, number>> = { multiRow: 1_000, bulk: 10_000 };

/** Rows per second at one connection, and the gain of a second connection. */
const speed: Readonly<Record<string, Partial<Record<MethodName, readonly [number, number]>>>> = {
  postgres: { prepared: [17_000, 0.7], multiRow: [270_000, 0.35], bulk: [610_000, 0.2] },
  sqlite: { prepared: [95_000, -0.05], multiRow: [240_000, -0.04] },
  noop: { prepared: [6_400_000, 0.6], multiRow: [21_000_000, 0.5], bulk: [38_000_000, 0.5] },
};

const targetWith = (
  label: string,
  implementation: Partial<Record<MethodName, string>>,
  descriptor: Pick<EngineDescriptor, 'id' | 'driver'> & Partial<EngineDescriptor>,
  more: Partial<TargetRecord>,
): TargetRecord => {
  const cells = Object.entries(implementation).map(
    ([method, text]) => [method, { implementation: text, maxRowsPerCall: 65_535 }] as const,
  );
  return targetOf(label, descriptorOf({ label, support: { insert: Object.fromEntries(cells) }, ...descriptor }), more);
};

const targets: readonly TargetRecord[] = [
  targetWith(
    'PostgreSQL',
    {
      prepared: 'named prepared INSERT, one row a call',
      multiRow: 'one INSERT with N VALUES lists',
      bulk: 'COPY FROM STDIN (binary)',
    },
    { id: 'postgres', driver: 'pg (protocol 3)' },
    {
      address: '127.0.0.1:54321/dyno',
      details: { user: 'dyno', database: 'dyno' },
      fingerprint: fingerprintOf({
        product: 'PostgreSQL 18.4',
        version: '18.4',
        durability: { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' },
        memory: { shared_buffers: '128 MiB', max_wal_size: '1 GiB', page_size: '8 KiB' },
        other: { checkpoint_timeout: '300 s' },
        unavailable: ['pg_stat_statements: the extension is not installed'],
      }),
      probeInfo: { wal_bytes: { unit: 'bytes', label: 'WAL written' } },
    },
  ),
  targetWith(
    'SQLite',
    { prepared: 'prepared INSERT', multiRow: 'one INSERT with N VALUES lists' },
    {
      id: 'sqlite',
      driver: 'node:sqlite',
      unsupportedReasons: { bulk: 'SQLite has no bulk loader.' },
      inProcess: true,
      cancel: 'betweenCalls',
    },
    {
      address: 'dyno.sqlite',
      fingerprint: fingerprintOf({
        product: 'SQLite 3.51.0',
        version: '3.51.0',
        durability: { journal_mode: 'wal', synchronous: 'full' },
        memory: { cache_size: '64 MiB', page_size: '4 KiB' },
      }),
    },
  ),
  targetWith(
    'No-op engine',
    { prepared: 'nothing', multiRow: 'nothing', bulk: 'nothing' },
    { id: 'noop', driver: 'none (in process)', inProcess: true, reference: true },
    { address: 'this process' },
  ),
];

export interface FixtureOptions {
  readonly repeats?: number;
  readonly connections?: readonly number[];
  readonly seed?: number;
}

export function fixturePlan({ repeats = 3, connections = [1, 2, 4, 8], seed = 1 }: FixtureOptions = {}): Plan {
  const measure = { repeats, warmupSeconds: 1, timeoutSeconds: 600, order: 'interleaved', seed } as const;
  const experiment: Experiment = {
    dyno: 1,
    name: 'Insert duel',
    question: 'How fast do 500,000 rows get in, and what does the access method cost?',
    about: 'A GUID and 20 characters per row, the bet of 2011 on hardware of today.',
    dataset: {
      rows: rowsPerTrial,
      seed: 1,
      key: 'id',
      columns: {
        id: { type: 'uuid4', nulls: 0 },
        payload: { type: 'text', length: 20, alphabet: 'alphanumeric', nulls: 0 },
      },
    },
    workload: { operation: 'insert' },
    factors: { method: ['prepared', 'multiRow', 'bulk'], connections: [...connections] },
    targets: ['PostgreSQL', 'SQLite', 'No-op engine'],
    measure: { ...measure, until: { rows: 'all' } },
  };
  const variants = (['prepared', 'multiRow', 'bulk'] as const).flatMap((method) =>
    connections.map(
      (count): Variant => ({
        id: `method=${method} connections=${count}`,
        label: formatLevels({ method, connections: count }),
        levels: { method, connections: count },
        settings: {
          ...defaultSettings,
          method,
          connections: count,
          processes: Math.min(2, count),
          rowsPerCall: rowsPerCall[method] ?? 1,
        },
      }),
    ),
  );
  const cells = variants.flatMap((variant) =>
    targets.map(({ name, engine }) => ({ variant: variant.id, target: name, engine, method: variant.settings.method })),
  );
  const can = cells.filter(({ engine, method }) => speed[engine]?.[method] !== undefined);
  const order = Array.from({ length: repeats }, (_, i) =>
    shuffled(can, seed, i + 1).map(({ variant, target }) => ({ variant, target, repeat: i + 1 })),
  ).flat();
  return {
    experiment,
    variants,
    targets: targets.map(({ name, engine }, index) => ({ name, engine, index })),
    skipped: cells
      .filter((cell) => !can.includes(cell))
      .map(({ variant, target }) => ({ variant, target, reason: 'SQLite has no bulk loader.' })),
    trials: order.map((trial, i): PlannedTrial => ({ ...trial, number: i + 1 })),
    measure: { ...measure, until: 'rows', rows: rowsPerTrial, seconds: 5, warmupRows: 10_000 },
  };
}

const yaml = `# The bet of 2011.
dyno: 1
name: Insert duel
question: How fast do 500,000 rows get in, and what does the access method cost?
dataset:
  rows: 500000
  key: id
  columns:
    id: { type: uuid4 }
    payload: { type: text, length: 20 }
workload: { operation: insert }
factors:
  method: [prepared, multiRow, bulk]
  connections: [1, 2, 4, 8]
targets: [PostgreSQL, SQLite, No-op engine]
`;

const startedAt = Date.UTC(2026, 10, 20, 8, 0, 0);

/** The run of a journal. `live`: a process is writing it. */
export function readRun(records: Iterable<JournalEntry>, live = false): RunModel {
  const reader = createRunReader();
  for (const record of records) reader.add(record);
  return reader.model({ live });
}

export const fixtureRun = (options?: FixtureOptions): RunModel => readRun(fixtureJournal(options));

export function* fixtureJournal(options: FixtureOptions = {}): Generator<JournalRecord> {
  const plan = fixturePlan(options);
  let clock = startedAt;
  const now = () => new Date(clock).toISOString();
  yield {
    record: 'header',
    version: journalVersion,
    runId: '20261120-080000-insert-duel',
    at: now(),
    yaml,
    plan,
    environment: {
      app: '0.1.0',
      runtime: { node: '24.9.0' },
      host: 'electron 42.11.18',
      drivers: { pg: '8.23.1', 'pg-copy-streams': '7.0.0' },
      os: 'Linux 6.12 (Debian 13)',
      cpu: 'AMD EPYC 7R13',
      cores: 2,
      memoryBytes: 8 * 2 ** 30,
    },
  };
  for (const target of targets) yield { record: 'target', at: now(), target };
  const entry = (
    kind: CalibrationEntry['kind'],
    target: string | null,
    label: string,
    perSecond: number,
    p50Us: number | null = null,
    p99Us: number | null = null,
  ): CalibrationEntry => {
    const unit = kind === 'generation' ? 'rows' : 'calls';
    return { kind, target, label, perSecond, unit, p50Us, p99Us, measuredAt: now() };
  };
  yield {
    record: 'calibration',
    at: now(),
    entries: [
      entry('noopEngine', null, 'no-op engine, prepared, 1 connection', 6.4e6),
      entry('generation', null, 'generation (uuid4, text 20)', 3_100_000),
      entry('roundTrip', 'PostgreSQL', 'SELECT 1 on PostgreSQL', 21_000, 45, 120),
      entry('roundTrip', 'SQLite', 'SELECT 1 on SQLite', 410_000, 2.2, 5.1),
    ],
  };
  for (const trial of plan.trials) {
    yield* trialRecords(plan, trial, now());
    clock += 12_000;
  }
  yield { record: 'end', at: now(), status: 'complete' };
}

export function* trialRecords(plan: Plan, trial: PlannedTrial, at: string): Generator<JournalRecord> {
  const random = new Sfc32(trial.number, 11);
  const { settings } = plan.variants.find(({ id }) => id === trial.variant)!;
  const { engine } = plan.targets.find(({ name }) => name === trial.target)!;
  const [base, gain] = speed[engine]![settings.method]!;
  const scatter = Math.exp(0.03 * normal(random));
  const rate = base * (1 + gain * (settings.connections - 1) * 0.6 ** (settings.connections / 3)) * scatter;
  const elapsedMs = (rowsPerTrial / rate) * 1_000;
  const inProcess = engine !== 'postgres';
  yield { record: 'trial', at, trial };
  for (const phase of ['schema', 'prepare', 'warmup', 'measure'] as const)
    yield { record: 'phase', at, trial: trial.number, phase };

  const total = new Histogram();
  let calls = 0;
  let rows = 0;
  let walBytes = 5e9;
  yield probe(trial.number, 0, walBytes);
  for (let startMs = 0; startMs < elapsedMs; startMs += 1_000) {
    const length = Math.min(1_000, elapsedMs - startMs);
    const endMs = startMs + length;
    for (let worker = 0; worker < settings.processes; worker++) {
      const checkpoint = engine === 'postgres' && Math.round(endMs / 1_000) % 9 === 7 ? 0.55 : 1;
      const share = (rate * length * checkpoint * Math.exp(0.05 * normal(random))) / 1_000 / settings.processes;
      const counts = callCounts(
        share,
        settings.rowsPerCall,
        (settings.connections * 1e9 * settings.rowsPerCall) / rate,
        random,
      );
      total.addEncoded(counts.service);
      calls += counts.calls;
      rows += counts.rows;
      yield {
        record: 'snapshot',
        trial: trial.number,
        snapshot: {
          worker,
          atMs: endMs + worker * 3,
          lengthMs: length,
          counts,
          health: intervalOf(
            health(
              length,
              inProcess ? 0.97 : settings.method === 'prepared' ? 0.45 : 0.6,
              settings.connections,
              worker,
            ),
          ),
        },
      };
    }
    walBytes += (rows - (walBytes - 5e9) / 130) * 130;
    yield probe(trial.number, endMs, walBytes);
  }
  const measured = {
    elapsedMs,
    totals: countsOf({ calls, rows, service: total.encode() }),
    health: health(elapsedMs, inProcess ? 0.97 : 0.55, settings.connections, 0),
  };
  const result = resultOf(trial, measured, {
    workers: settings.processes,
    littleError: 0.012,
    clientSaturated: engine === 'noop' || (settings.method === 'bulk' && settings.connections === 8),
    storedBytes: inProcess ? null : { tableBytes: 34_000_000, indexBytes: 21_000_000 },
    probeDelta: { wal_bytes: walBytes - 5e9 },
    phaseMs: { schema: 12, prepare: 340, warmup: 200, measure: elapsedMs, drain: 2, verify: 180 },
  });
  yield { record: 'result', at, result };
}

const probe = (trial: number, atMs: number, walBytes: number): JournalRecord => ({
  record: 'probe',
  trial,
  atMs,
  tookMs: 1,
  sample: { counters: { wal_bytes: walBytes }, gauges: { active_sessions: 1 }, unavailable: [] },
});

/** All calls share it, because its buckets take 300 KB. */
const histogram = new Histogram();

/** Log-normal service times around a median, with one call in 200 twenty times slower. */
function callCounts(rows: number, perCall: number, medianNs: number, random: Sfc32): CallCounts {
  const calls = Math.max(1, Math.round(rows / perCall));
  histogram.reset();
  const draws = Math.min(calls, 400);
  for (let i = 0; i < draws; i++) {
    const slow = random.below(200) === 0 ? 20 : 1;
    const times = Math.floor(((i + 1) * calls) / draws) - Math.floor((i * calls) / draws);
    histogram.recordMany(Math.round(medianNs * 0.9 * slow * Math.exp(0.25 * normal(random))), times);
  }
  return countsOf({ calls, rows: calls * perCall, service: histogram.encode() });
}

const health = (lengthMs: number, busy: number, connections: number, worker: number): PhaseHealth =>
  healthOf(lengthMs, {
    cpuUserMs: lengthMs * busy * 0.8,
    cpuSystemMs: lengthMs * busy * 0.2,
    eventLoopUtilisation: Math.min(1, busy + worker * 0.02),
    eventLoopDelayP99Ms: 1.2,
    gcMs: lengthMs * 0.01,
    rssBytes: 140e6 + worker * 5e6,
    encodeMs: lengthMs * busy * 0.12,
    inCallsMs: lengthMs * connections * 0.85,
    wireSentBytes: 1e6,
    wireReceivedBytes: 2e5,
  });

/** Box–Muller. */
const normal = (random: Sfc32) => Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit());
