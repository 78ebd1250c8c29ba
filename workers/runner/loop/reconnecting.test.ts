import { describe, expect, test } from 'vitest';
import type { Database } from '#engine-api/database.ts';
import { DynoError } from '#model/error.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { allRows, type Double, engineDouble, generations, keysOf, later, trial, wait } from './loop.fixture.ts';

/** The engine in memory; sessions take this long to open, and `refuse` throws for those that cannot be opened. */
function connecting(double: Double, ms: number, refuse: (session: number) => void = () => {}) {
  let sessions = 0;
  const { database } = double;
  const openSession: Database['openSession'] = async (...given) => {
    if (ms > 0) await wait(ms);
    refuse(sessions++);
    return database.openSession(...given);
  };
  return { ...double, database: { openSession } as unknown as Database, opened: () => sessions };
}

const closed = ({ log }: Double) => log.filter((one) => one === 'closed').length;
const tooMany = () => new DynoError('connectionLimit', 'too many clients', { hint: 'Raise max_connections.' });

describe.each(generations)('with calls that are made %s', (generation) => {
  test('a connection opens a session for every n calls, and every row is sent once', async () => {
    const double = connecting(engineDouble(allRows), 0);
    const settings = { rowsPerCall: 10, callsPerConnection: 4, connections: 2, generation };
    const { result } = await trial(double, { settings, measure: { warmupRows: 100 } });
    expect(double.committed.sort()).toEqual(keysOf(0, 1_100).sort());
    expect(result.totals).toMatchObject({ calls: 100, rows: 1_000, errors: {}, failed: null });
    expect(result.uncertainRows).toBe(0);
    // 110 calls in sessions of 4; both connections keep their last session to the end.
    expect(double.opened()).toBeGreaterThanOrEqual(28);
    expect(double.opened()).toBeLessThanOrEqual(29);
    expect(closed(double)).toBe(double.opened());
    const { opened, failed } = result.totals.connecting!;
    expect(Histogram.decode(opened).count).toBeGreaterThanOrEqual(24);
    expect(failed).toBe(0);
  });

  test('a transaction is never divided between sessions', async () => {
    const double = connecting(engineDouble(allRows), 0);
    const settings = { rowsPerCall: 10, callsPerCommit: 4, callsPerConnection: 6, generation };
    const { result } = await trial(double, { settings });
    expect(double.committed).toEqual(keysOf(0, 1_000));
    expect(result.totals.errors).toEqual({});
    const whole = double.log.join(' ').split(' closed');
    // Sessions of two transactions each, because a session is due only after its sixth call.
    expect(whole[0]).toBe('begin commit begin commit');
    expect(whole.slice(1, -2).every((one) => one === ' begin commit begin commit')).toBe(true);
  });
});

test('connections that are kept open no further session, and have no times of connecting', async () => {
  const double = connecting(engineDouble(allRows), 0);
  const { result } = await trial(double, { settings: { rowsPerCall: 10 } });
  expect(double.opened()).toBe(1);
  expect(result.totals.connecting).toBeUndefined();
});

test('connecting is part of the elapsed time, and of no call', async () => {
  const double = connecting(engineDouble(later(0)), 20);
  const settings = { rowsPerCall: 50, callsPerConnection: 1 };
  const { result, elapsedMs } = await trial(double, { settings, measure: { warmupRows: 50 } });
  const opened = Histogram.decode(result.totals.connecting!.opened);
  expect(opened.count).toBe(20);
  expect(opened.min / 1e6).toBeGreaterThan(15);
  const { endMs, openMs, prepareMs } = result.totals.connecting!;
  expect(elapsedMs).toBeGreaterThan(endMs + openMs + prepareMs);
  expect(Histogram.decode(result.totals.service).min / 1e6).toBeLessThan(opened.min / 1e6);
});

test('calls in a pipeline share their session, and all end before it is replaced', async () => {
  const double = connecting(engineDouble(later(0)), 0);
  const settings = { method: 'pipelined', pipelineDepth: 4, rowsPerCall: 10, callsPerConnection: 10 } as const;
  const { result } = await trial(double, { settings });
  expect(double.committed.sort()).toEqual(keysOf(0, 1_000).sort());
  expect(double.opened()).toBe(10);
  expect(result.totals.errors).toEqual({});
});

test('users of an open load connect within the response time of their unit', async () => {
  const double = connecting(engineDouble(later(0)), 20);
  const settings = { load: 'open', arrivals: 'constant', arrivalsPerSecond: 20, callsPerConnection: 1 } as const;
  const { result } = await trial(double, { settings, measure: { until: 'time', seconds: 0.6 } });
  const { response } = result.totals.load!;
  expect(Histogram.decode(result.totals.connecting!.opened).count).toBeGreaterThan(3);
  // The first unit finds the session that was opened before the clock.
  expect(Histogram.decode(response).max / 1e6).toBeGreaterThan(15);
  expect(result.totals.errors).toEqual({});
});

test('a refused session is an error of the trial with its hint, and the connection tries again', async () => {
  const double = connecting(engineDouble(allRows), 0, (session) => {
    if (session === 3) throw tooMany();
  });
  const { result } = await trial(double, { settings: { rowsPerCall: 100, callsPerConnection: 1 } });
  expect(double.committed).toEqual(keysOf(0, 1_000));
  expect(result.totals.errors).toEqual({ connectionLimit: 1 });
  expect(result.totals.connecting!.failed).toBe(1);
  expect(result.errorExamples).toMatchObject([{ kind: 'connectionLimit', hint: 'Raise max_connections.' }]);
});

test('a trial ends with the error of the sessions that it can no longer open', async () => {
  const refuse = (session: number) => {
    if (session > 2) throw tooMany();
  };
  const settings = { rowsPerCall: 1, callsPerConnection: 1 };
  await expect(trial(connecting(engineDouble(allRows), 0, refuse), { settings })).rejects.toThrow(/too many clients/);
  const noPort = (session: number) => {
    if (session > 2) throw new DynoError('unreachable', 'connect EADDRNOTAVAIL');
  };
  await expect(trial(connecting(engineDouble(allRows), 0, noPort), { settings })).rejects.toThrow(/EADDRNOTAVAIL/);
});
