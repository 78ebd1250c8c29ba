import { describe, expect, test } from 'vitest';
import type { ProbeInfo, ProbeSample } from '#engine-api/probe.ts';
import { derbyProbeInfo } from '#engines/drda/probe/derby-probe.ts';
import { probeInfo as mongodb } from '#engines/mongodb/probe/probe-info.ts';
import { probeInfo as mysql } from '#engines/mysql/probe/probe-info.ts';
import { probeInfo as oracle } from '#engines/oracle/probe/probe-info.ts';
import { probeInfo as postgres } from '#engines/postgres/probe/probe-info.ts';
import { probeInfo as ravendb } from '#engines/ravendb/probe/probe-info.ts';
import { probeInfo as sqlserver } from '#engines/sqlserver/probe/probe-info.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { createSeriesBuilder } from '../journal/series.ts';
import type { TrialView } from '../run-model/run-model.ts';
import { checkpointMarks, rolesOf } from './server-summary.ts';
import { ownShares, rankedClasses, serverTimelineOf, serverTimeOf } from './server-time.ts';

type Told = Partial<ProbeSample>;

/** A trial of `elapsedMs` with these probe answers, a second apart; the last one comes just after its end. */
function trialOf(samples: readonly Told[], elapsedMs = (samples.length - 2) * 1_000 + 500): TrialView {
  const builder = createSeriesBuilder();
  const whole = samples.map((one): ProbeSample => ({ counters: {}, gauges: {}, unavailable: [], ...one }));
  for (const [i, sample] of whole.entries())
    builder.addProbe(i === whole.length - 1 ? elapsedMs + 5 : i * 1_000, sample, 4);
  const [first, last] = [whole[0]!.counters, whole.at(-1)!.counters];
  const probeDelta = Object.fromEntries(
    Object.entries(last).flatMap(([name, value]) =>
      first[name] !== undefined && value >= first[name] ? [[name, value - first[name]]] : [],
    ),
  );
  return {
    trial: { number: 1, variant: 'v', target: 't', repeat: 1 },
    phase: null,
    measuredFromMs: 0,
    result: { status: 'ok', elapsedMs, probeDelta } as unknown as TrialResult,
    damage: null,
    queryPlans: [],
    laterPlans: [],
    loadHosts: [],
    series: builder.series(),
  };
}

/** Gauges at each second, and none before and after. */
const sampled = (...gauges: readonly Told['gauges'][]): TrialView =>
  trialOf([{}, ...gauges.map((one) => ({ gauges: one! })), {}], gauges.length * 1_000 + 500);

const largest = (infos: Readonly<Record<string, ProbeInfo>>, ...views: readonly TrialView[]) =>
  rankedClasses(ownShares(serverTimeOf(infos, views)!))[0]?.[0];

describe('recorded answers of the engines', () => {
  test('PostgreSQL 18, four sessions that commit each row: the log', () => {
    const view = sampled(
      { sessions: 4, active: 2, 'wait:LWLock:WALWrite': 1, 'wait:IO:WalSync': 1, 'wait:Client:ClientRead': 2 },
      { sessions: 4, active: 4, 'wait:LWLock:WALWrite': 3, 'wait:IO:WalSync': 1 },
      { sessions: 4, active: 3, 'wait:LWLock:WALWrite': 2, running: 1, 'wait:Client:ClientRead': 1 },
    );
    const time = serverTimeOf(postgres, [view])!;
    expect(time).toMatchObject({ method: 'sampled', samples: 3, observations: 9 });
    // Session time is four sessions × the elapsed time, whatever the sessions did.
    expect(time.totalMs).toBeCloseTo(4 * 3_500);
    expect(ownShares(time).log).toBeCloseTo(8 / 9);
    expect(time.parts[0]).toMatchObject({ label: 'LWLock:WALWrite', class: 'log' });
  });

  test('PostgreSQL: each kind of wait in its class', () => {
    const expected = {
      'wait:IO:WALSync': 'log',
      'wait:LWLock:WALInsert': 'log',
      'wait:IPC:SyncRep': 'log',
      'wait:Lock:transactionid': 'lock',
      'wait:Lock:extend': 'latch',
      'wait:LWLock:BufferContent': 'latch',
      'wait:BufferPin:BufferPin': 'latch',
      'wait:IO:DataFileRead': 'dataIo',
      'wait:IO:BuffileWrite': 'dataIo',
      'wait:Client:ClientWrite': 'network',
      'wait:Activity:LogicalLauncherMain': 'other',
      running: 'cpu',
    };
    for (const [name, of] of Object.entries(expected))
      expect(serverTimeOf(postgres, [sampled({ [name]: 1 })])?.classMs, name).toEqual({ [of]: 1_500 });
    expect(serverTimeOf(postgres, [sampled({ 'wait:Client:ClientRead': 1 })])?.classMs).toEqual({ client: 1_500 });
  });

  test('PostgreSQL with track_io_timing: its two timed waits are not taken for all there is', () => {
    const view = trialOf([
      { counters: { blk_read_time: 0, wal_sync_time: 0 } },
      { counters: { blk_read_time: 500, wal_sync_time: 3 }, gauges: { running: 1 } },
      { counters: { blk_read_time: 900, wal_sync_time: 5 } },
    ]);
    expect(serverTimeOf(postgres, [view])).toMatchObject({ method: 'sampled', classMs: { cpu: 1_500 } });
  });

  test('MariaDB, sessions that want one row: locks', () => {
    const view = sampled(
      { sessions: 4, active: 3, 'wait:InnoDB:row lock': 3, 'wait:Client:Sleep': 1 },
      { sessions: 4, active: 4, 'wait:InnoDB:row lock': 3, 'wait:Commit:Commit': 1 },
    );
    expect(largest(mysql, view)).toBe('lock');
  });

  test('SQL Server, single rows: timed, and the log’s stall is not counted twice', () => {
    const before = { cpu_ms: 1_000, wait_writelog_ms: 50_000, log_write_stall_ms: 9_000, log_flush_wait_time: 800 };
    const after = { cpu_ms: 1_900, wait_writelog_ms: 52_700, log_write_stall_ms: 11_000, log_flush_wait_time: 3_000 };
    const time = serverTimeOf(sqlserver, [trialOf([{ counters: before }, { counters: before }, { counters: after }])])!;
    expect(time).toMatchObject({ method: 'timed', classMs: { cpu: 900, log: 2_700 }, samples: 0 });
    expect(ownShares(time).log).toBeCloseTo(0.75);
    expect(time.parts.map(({ label }) => label)).toEqual(['Waited for WRITELOG', 'Processor time of the schedulers']);
  });

  test('Oracle, single rows: log file sync, without the work of LGWR', () => {
    const before = { cpu_time: 0, db_time: 0, log_file_sync_time: 0, log_file_parallel_write_time: 0, run_cpu_time: 0 };
    const after = {
      cpu_time: 700,
      db_time: 3_200,
      log_file_sync_time: 2_400_000,
      log_file_parallel_write_time: 2_100_000,
      run_cpu_time: 650,
    };
    const time = serverTimeOf(oracle, [trialOf([{ counters: before }, { counters: before }, { counters: after }])])!;
    expect(time.classMs).toEqual({ cpu: 700, log: 2_400 });
  });

  test('Oracle without rights on the counters: waits of the sessions by their class', () => {
    const view = sampled({ 'wait:Commit:log file sync': 2, 'wait:Configuration:log buffer space': 1, running: 1 });
    expect(ownShares(serverTimeOf(oracle, [view])!)).toMatchObject({ log: 0.75, cpu: 0.25 });
  });

  test('MongoDB: microseconds and milliseconds add up as time', () => {
    const before = { cpu_user: 0, cpu_system: 0, journal_sync_time: 0, log_wait_time: 0, write_latency: 0 };
    const after = {
      cpu_user: 400_000,
      cpu_system: 100_000,
      journal_sync_time: 1_500_000,
      log_wait_time: 1_750,
      write_latency: 9_000_000,
    };
    const time = serverTimeOf(mongodb, [trialOf([{ counters: before }, { counters: before }, { counters: after }])])!;
    expect(time.classMs).toEqual({ cpu: 500, log: 1_750 });
  });

  test('RavenDB: processor time, and the journal writes that it timed', () => {
    const view = trialOf([
      { counters: { cpu_time: 100 } },
      { counters: { cpu_time: 400 }, events: [{ kind: 'journal_write', agoMs: 900, durationMs: 600, bytes: 4_096 }] },
      { counters: { cpu_time: 500 } },
    ]);
    expect(serverTimeOf(ravendb, [view])!.classMs).toEqual({ cpu: 400, log: 600 });
    expect(rolesOf(ravendb, [view]).roles.logBytes).toBe(4_096);
  });

  test('Derby: sessions in a statement, and those of them that wait for a lock', () => {
    expect(largest(derbyProbeInfo, sampled({ active: 4, running: 1, 'wait:lock:ROW': 3 }))).toBe('lock');
  });
});

test('samples before the measured phase and after its end are of no trial', () => {
  const view = trialOf([{ gauges: { running: 8 } }, { gauges: { running: 2 } }, { gauges: { running: 8 } }], 1_200);
  expect(serverTimeOf(postgres, [view])).toMatchObject({ samples: 1, observations: 2, totalMs: 2 * 1_200 });
});

test('a trial too short for a sample has no server time, and one of several has the others’', () => {
  const short = trialOf([{ gauges: { running: 1 } }, { gauges: { running: 1 } }], 300);
  expect(serverTimeOf(postgres, [short])).toBeNull();
  expect(serverTimeOf(postgres, [short, sampled({ running: 2 })])).toMatchObject({
    samples: 1,
    classMs: { cpu: 3_000 },
  });
});

test('an engine that explains no classes has no server time', () => {
  expect(serverTimeOf({}, [sampled({ running: 1, 'wait:x:y': 2 })])).toBeNull();
  expect(serverTimelineOf({}, sampled({ running: 1 }))).toBeNull();
});

test('the timeline of sampled sessions has the sample of each second', () => {
  const view = sampled({ running: 1, 'wait:IO:WALSync': 2, 'wait:LWLock:WALWrite': 1 }, { running: 3 });
  expect(serverTimelineOf(postgres, view)).toEqual({
    method: 'sampled',
    atMs: [1_000, 2_000],
    sessions: { cpu: [1, 3], log: [3, 0] },
  });
});

test('the timeline of timed work lies where it was done, and adds up to the time', () => {
  const flush = { kind: 'journal_write', agoMs: 1_500, durationMs: 1_000, bytes: null };
  const view = trialOf(
    [
      { counters: { cpu_time: 0 } },
      { counters: { cpu_time: 500 } },
      { counters: { cpu_time: 1_500 }, events: [flush] },
      { counters: { cpu_time: 1_600 } },
    ],
    2_500,
  );
  const timeline = serverTimelineOf(ravendb, view)!;
  expect(timeline.sessions.cpu!.slice(0, 2)).toEqual([0.5, 1]);
  // The work began at 500 ms and took a second.
  expect(timeline.sessions.log!.slice(0, 2)).toEqual([0.5, 0.5]);
});

test('of idle sessions only those count that have work: the others watch over the run', () => {
  const view = sampled({ running: 1, 'wait:Client:ClientRead': 4 }, { running: 4, 'wait:Client:ClientRead': 1 });
  expect(serverTimeOf(postgres, [view], 4)?.classMs).toEqual({ cpu: 2.5 * 2_500, client: 1.5 * 2_500 });
  expect(serverTimelineOf(postgres, view, 4)?.sessions).toEqual({ cpu: [1, 4], client: [3, 0] });
});

test('shares leave out waits for the other side', () => {
  expect(ownShares({ classMs: { client: 900, network: 50, log: 30, cpu: 20 } })).toEqual({ log: 0.6, cpu: 0.4 });
  expect(ownShares({ classMs: { client: 900 } })).toEqual({});
});

test('a checkpoint is marked at the sample that first counted it, two kinds apart', () => {
  const counters = (timed: number, requested: number) => ({
    counters: { checkpoints_timed: timed, checkpoints_requested: requested },
  });
  const view = trialOf([counters(5, 9), counters(5, 9), counters(6, 9), counters(6, 11), counters(6, 11)]);
  expect(checkpointMarks(postgres, view).map(({ atMs, name, count }) => [atMs, name, count])).toEqual([
    [2_000, 'checkpoints_timed', 1],
    [3_000, 'checkpoints_requested', 2],
  ]);
  expect(rolesOf(postgres, [view])).toMatchObject({
    roles: { checkpoints: 3 },
    labels: { checkpoints: 'Checkpoints by time; Checkpoints by log volume or request' },
  });
});
