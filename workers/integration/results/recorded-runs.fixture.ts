import { storeChanges, tournamentJournal } from '#analysis/compare/tournament.fixture.ts';
import { callTime, madeJournal, processTime } from '#analysis/findings/shared/findings.fixture.ts';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import { withServerEvents } from '#analysis/server/server-events.fixture.ts';
import type { ProbeInfo } from '#engine-api/probe.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import type { ClientHealth, LoadCounts } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';

// Journals of made-up runs that the tests of the window show.

const encoded = (ms: number, count: number): string => {
  const histogram = new Histogram();
  histogram.recordMany(ms * 1e6, count);
  return histogram.encode();
};

/** Single-row commits wait for the log, on two targets of different durability. */
export const commitBoundRun = (): readonly JournalRecord[] =>
  madeJournal({
    factors: { callsPerCommit: [1, 100] },
    roundTrip: { cheapestMs: 0.08, handshakes: null },
    targets: (['sqlite', 'noop'] as const).map((name, i) => ({
      name,
      descriptor: { id: 'sqlite' },
      fingerprint: {
        product: 'Server 1',
        version: '1',
        emulator: null,
        durability: { synchronous_commit: i === 0 ? 'on' : 'off' },
        memory: {},
        other: {},
        unavailable: [],
      },
      probeInfo: {
        'wait:IO:WalSync': { unit: 'count', label: 'WAL sync', class: 'log' },
        'wait:cpu': { unit: 'count', label: 'running', class: 'cpu' },
      },
    })),
    trial: ({ settings, target }) => ({
      rate: settings.callsPerCommit === 1 && target === 'sqlite' ? 1_000 : 9_000,
      gauges:
        settings.callsPerCommit === 1 && target === 'sqlite'
          ? { 'wait:IO:WalSync': 3, 'wait:cpu': 1 }
          : { 'wait:cpu': 2 },
      health: { processTime: processTime({}), callTime: callTime(10_000, { waitMs: 1 }) },
    }),
  });

/** A run with goals, prices, and the question for the reason of a gap. */
export function* explainedRun(): Generator<JournalRecord> {
  const asked = {
    goals: { p50Ms: 1 },
    prices: { currency: 'EUR', perHour: { PostgreSQL: 0.02, SQLite: 0.01 } },
    explain: { method: 'prepared', connections: 4 },
  };
  for (const record of fixtureJournal({ connections: [1, 4], repeats: 2 }))
    yield record.record === 'header'
      ? { ...record, plan: { ...record.plan, experiment: { ...record.plan.experiment, ...asked } } }
      : record;
}

/** Each trial has two client processes, the second one busier at encoding than the first. */
export function* clientTimeRun(): Generator<JournalRecord> {
  const health = <T extends ClientHealth>(before: T, worker: number): T => ({
    ...before,
    processTime: processTime({ encodeMs: 2_500 + 2_000 * worker, decodeMs: 1_500 }),
    callTime: callTime(100, { seen: 50, sendMs: 0.5, waitMs: 3, receiveMs: 1.5, roundTrips: 2 }),
  });
  for (const record of fixtureJournal({ connections: [4], repeats: 2 }))
    if (record.record === 'snapshot')
      for (const worker of [0, 1])
        yield { ...record, snapshot: { ...record.snapshot, worker, health: health(record.snapshot.health, worker) } };
    else if (record.record === 'result')
      yield { ...record, result: { ...record.result, health: health(record.result.health, 0) } };
    else yield record;
}

/** PostgreSQL behind a network emulator that should add 5 ms and added 5.2, or 7 with two connections. */
export function* emulatedNetworkRun(): Generator<JournalRecord> {
  for (const record of fixtureJournal({ connections: [1, 2], repeats: 2 })) {
    if (record.record === 'header') {
      const variants = record.plan.variants.map((variant) => ({
        ...variant,
        settings: { ...variant.settings, networkRoundTripMs: 5, networkJitterMs: 0, networkMbit: 100 },
      }));
      yield { ...record, plan: { ...record.plan, variants } };
    } else if (record.record === 'result' && record.result.target === 'PostgreSQL') {
      const added = encoded(record.result.variant.includes('connections=2') ? 7 : 5.2, 5_000);
      const network = { intended: encoded(5, 5_000), added, sentBytes: 1e6, receivedBytes: 1e6, utilisation: 0.12 };
      yield { ...record, result: { ...record.result, network } };
    } else yield record;
  }
}

/** Counts of `units`, each with the same times in ms. */
const loadCounts = (units: number, responseMs: number, waitMs: number, waiting: number): LoadCounts => ({
  arrivals: units,
  ended: units,
  failed: 0,
  afterwards: waiting,
  unfinished: 0,
  responseMs: units * responseMs,
  thinkMs: 0,
  waiting,
  response: encoded(responseMs, units),
  sinceStart: encoded(responseMs - 0.2, units),
  startError: encoded(0.2, units),
  wait: encoded(waitMs, units),
});

/** Open load, whose response times grow in its second stage. */
export function* openLoadRun(): Generator<JournalRecord> {
  for (const record of fixtureJournal({ connections: [4], repeats: 2 }))
    if (record.record === 'header') {
      const { plan } = record;
      const variants = plan.variants.map((variant) => ({
        ...variant,
        settings: { ...variant.settings, load: 'open' as const, arrivalsPerSecond: 200 },
      }));
      const stages = [
        { name: 'usual', seconds: 2, to: 1 },
        { name: 'rush', seconds: 3, from: 1, to: 2 },
      ];
      yield { ...record, plan: { ...plan, variants, measure: { ...plan.measure, stages } } };
    } else if (record.record === 'snapshot') {
      const { snapshot } = record;
      const load = loadCounts(200, 12, 4, Math.round(snapshot.atMs / 100));
      yield { ...record, snapshot: { ...snapshot, counts: { ...snapshot.counts, load } } };
    } else if (record.record === 'result') {
      const { result } = record;
      const stages = [loadCounts(1_000, 12, 4, 0), loadCounts(1_500, 80, 60, 30)];
      const totals = { ...result.totals, load: loadCounts(2_500, 42, 30, 25) };
      yield { ...record, result: { ...result, totals, stages } };
    } else yield record;
}

/** PostgreSQL times its own work; `rate` is the number of pieces of it in relation to the usual one. */
export const serverWorkRun = (rate = 1): Iterable<JournalRecord> =>
  withServerEvents(fixtureJournal({ connections: [1], repeats: 2 }), 'PostgreSQL', rate);

/** PostgreSQL with a session on the CPU, two waiting for the log, a checkpoint in second 3, and a missing metric. */
export function* serverTimeRun(): Generator<JournalRecord> {
  const probeInfo: Readonly<Record<string, ProbeInfo>> = {
    running: { unit: 'count', label: 'Running', class: 'cpu' },
    'wait:*': { unit: 'count', label: 'Waiting', class: 'log' },
    checkpoints: { unit: 'count', label: 'Checkpoints', role: 'checkpoints' },
  };
  for (const record of fixtureJournal({ connections: [4], repeats: 1 })) {
    if (record.record === 'target' && record.target.name === 'PostgreSQL')
      yield { ...record, target: { ...record.target, probeInfo } };
    else if (record.record === 'probe')
      yield {
        ...record,
        sample: {
          counters: { checkpoints: record.atMs > 2_500 ? 1 : 0 },
          gauges: { running: 1, 'wait:IO:WalSync': 2 },
          unavailable: [],
          optional: ['Plans made: need a setting.'],
        },
      };
    else yield record;
  }
}

/** A run with an id of its own: a factor of two levels on two servers, the second level at `share` of the first. */
export function namedRun(name: string, at: string, share: number): readonly JournalRecord[] {
  const records = madeJournal({
    factors: { 'secondary index': { no: {}, yes: { fetchSize: 7 } } },
    compare: 'levels',
    targets: [{ name: 'Alpha' }, { name: 'Beta' }],
    trial: ({ settings, target, repeat }) => ({
      rate: (settings.fetchSize === 7 ? share : 1) * (target === 'Alpha' ? 50_000 : 80_000) * (1 + 0.01 * (repeat % 3)),
    }),
  });
  return records.map((record) =>
    record.record === 'header'
      ? {
          ...record,
          at,
          runId: at.replace(/[-:Z]/g, '').replace('T', '-').concat('-made-up'),
          plan: { ...record.plan, experiment: { ...record.plan.experiment, name } },
        }
      : record,
  );
}

/** The rehearsal of a move from PostgreSQL to MariaDB, in which one statement is not covered and one does not run. */
export function* rehearsalRun(): Generator<JournalRecord> {
  const asked = {
    baseline: { target: 'PostgreSQL' },
    compare: 'targets' as const,
    rehearsal: {
      margin: 0.1,
      leftOut: [{ what: 'Definitions and maintenance: 2 texts', why: 'No experiment runs them.', timeShare: 0.06 }],
    },
  };
  const statements = { search: { timeShare: 0.7 }, sell: { timeShare: 0.24, notOn: { MariaDB: 'near “RETURNING”' } } };
  for (const record of tournamentJournal({ changes: storeChanges, targets: ['PostgreSQL', 'MariaDB'] }))
    if (record.record === 'header') {
      const { experiment } = record.plan;
      const own = Object.entries(experiment.statements ?? {}).map(([name, one]) => [
        name,
        { ...one, ...statements[name as keyof typeof statements] },
      ]);
      yield {
        ...record,
        plan: { ...record.plan, experiment: { ...experiment, ...asked, statements: Object.fromEntries(own) } },
      };
    } else yield record;
}
