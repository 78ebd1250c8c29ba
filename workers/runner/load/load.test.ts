import { describe, expect, test } from 'vitest';
import { DynoError } from '#model/error.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { CallCounts, LoadCounts } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { allRows, engineDouble, later, stopWhenWarm, type TrialOptions, trial, wait } from '../loop/loop.fixture.ts';

const byTime = { until: 'time', seconds: 0.5 } as const;
const open: Partial<Settings> = { load: 'open', arrivals: 'constant', arrivalsPerSecond: 100, generation: 'inline' };

const loadOf = ({ load }: CallCounts): LoadCounts => {
  if (!load) throw new Error('A load of its own was expected.');
  return load;
};
const ms = (encoded: string, percent: number): number => Histogram.decode(encoded).percentile(percent) / 1e6;
const count = (encoded: string): number => Histogram.decode(encoded).count;

const run = (double: ReturnType<typeof engineDouble>, settings: Partial<Settings>, options: TrialOptions = {}) =>
  trial(double, { measure: byTime, ...options, settings: { ...open, ...settings } });

describe('open load', () => {
  test('every intended start is kept while the server stalls, and waits for it', async () => {
    let calls = 0;
    const stallMs = 300;
    const double = engineDouble(async (batch) => {
      if (calls++ === 5) await wait(stallMs);
      return batch.rows;
    });
    const { result } = await run(double, {});
    const load = loadOf(result.totals);
    expect(load).toMatchObject({ arrivals: 50, ended: 50, failed: 0, unfinished: 0, waiting: 0 });
    expect(result.totals.calls).toBe(50);
    expect([load.response, load.startError, load.wait].map(count)).toEqual([50, 50, 50]);
    expect(ms(load.response, 100)).toBeGreaterThanOrEqual(stallMs - 1);
    // One call is long, and calls that arrived meanwhile have waited. A closed loop would not have made them.
    const slow = [...Histogram.decode(load.response).buckets()].filter(({ fromNs }) => fromNs >= (stallMs / 2) * 1e6);
    expect(slow.reduce((sum, bucket) => sum + bucket.count, 0)).toBeGreaterThanOrEqual(10);
    expect(count(result.totals.service)).toBe(50);
  });

  test('what has arrived is done after the last arrival, and counted', async () => {
    const { result, elapsedMs } = await run(engineDouble(later(20)), {});
    const load = loadOf(result.totals);
    expect(load).toMatchObject({ arrivals: 50, ended: 50, unfinished: 0 });
    expect(load.afterwards).toBeGreaterThan(10);
    expect(elapsedMs).toBeGreaterThanOrEqual(50 * 20 - 50);
    expect(result.acknowledged?.rows).toBe(50);
  });

  test('a backlog of the warm-up is done before the clock starts', async () => {
    const double = engineDouble(later(20));
    const { result } = await run(double, {}, { measure: { ...byTime, warmupSeconds: 0.3 } });
    expect(double.committed).toHaveLength(30 + 50);
    expect(loadOf(result.totals)).toMatchObject({ arrivals: 50, ended: 50 });
  });

  test('arrivals of seconds without any count in the elapsed time', async () => {
    const { result, elapsedMs } = await run(engineDouble(allRows), { arrivalsPerSecond: 2 });
    expect(result.totals.calls).toBe(1);
    expect(elapsedMs).toBeGreaterThanOrEqual(500);
  });

  test('connections are given out in turn, and more than one works at a time', async () => {
    const used = new Set<number>();
    const double = engineDouble(async (batch, session) => {
      used.add(session);
      await wait(30);
      return batch.rows;
    });
    const { result } = await run(double, { connections: 8, arrivalsPerSecond: 200 });
    expect(used.size).toBe(8);
    expect(double.inFlight.most).toBeGreaterThan(1);
    expect(loadOf(result.totals).ended).toBe(100);
  });

  test('a transaction of several calls is one arrival', async () => {
    const double = engineDouble(allRows);
    const { result } = await run(double, { callsPerCommit: 4 });
    expect(loadOf(result.totals)).toMatchObject({ arrivals: 50, ended: 50, failed: 0 });
    expect(result.totals).toMatchObject({ calls: 200, commits: 50, rows: 200 });
    expect(double.committed).toHaveLength(200);
  });

  test.each([1, 2])(
    'tries that a conflict takes belong to the response of their unit (%d calls a commit)',
    async (callsPerCommit) => {
      let calls = 0;
      const double = engineDouble((batch) => {
        if (calls++ === 6) throw new DynoError('deadlock', 'Chosen as the victim.', { retryable: true });
        return batch.rows;
      });
      const { result } = await run(double, { callsPerCommit, maxAttempts: 3 });
      expect(result.totals).toMatchObject({ retries: 1, errors: { deadlock: 1 } });
      expect(loadOf(result.totals)).toMatchObject({ arrivals: 50, ended: 50, failed: 0 });
      expect(double.committed).toHaveLength(50 * callsPerCommit);
    },
  );

  test('a unit that comes to nothing is over, and no response', async () => {
    let calls = 0;
    const double = engineDouble((batch) => {
      if (calls++ % 10 === 0) throw new DynoError('constraint', 'It is there already.');
      return batch.rows;
    });
    const { result } = await run(double, {});
    const load = loadOf(result.totals);
    expect(load).toMatchObject({ arrivals: 50, ended: 50, failed: 5 });
    expect(count(load.response)).toBe(45);
  });

  test('a stop ends it, however long nothing arrives', async () => {
    const { result, elapsedMs } = await run(
      engineDouble(allRows),
      { arrivalsPerSecond: 0.001 },
      {
        measure: { until: 'time', seconds: 3_600 },
        onMessage: stopWhenWarm(50),
      },
    );
    expect(loadOf(result.totals).arrivals).toBe(1);
    expect(elapsedMs).toBeLessThan(60_000);
  });

  test('snapshots hold how many wait', async () => {
    const { snapshots } = await run(engineDouble(later(30)), {}, { measure: { until: 'time', seconds: 1.2 } });
    expect(loadOf(snapshots[0]!.counts).waiting).toBeGreaterThan(30);
    expect(snapshots.reduce((sum, { counts }) => sum + loadOf(counts).arrivals, 0)).toBe(120);
  });
});

describe('closed load', () => {
  test('users wait for a connection apart from their service', async () => {
    const { result } = await run(engineDouble(later(10)), { load: 'closed', users: 8, connections: 2 });
    const load = loadOf(result.totals);
    expect(ms(load.wait, 50)).toBeGreaterThan(2 * ms(result.totals.service, 0));
    expect(ms(load.response, 50)).toBeGreaterThan(3 * 10);
  });

  test('a user that thinks is not in the system', async () => {
    const double = engineDouble(later(5));
    const { result } = await run(
      double,
      { load: 'closed', users: 4, connections: 4, thinkMs: 40, thinkTime: 'constant' },
      { measure: { until: 'time', seconds: 2 } },
    );
    const load = loadOf(result.totals);
    // Each user does at most one unit in 45 ms, the first after a think time.
    expect(load.ended).toBeGreaterThan(0);
    expect(load.ended).toBeLessThanOrEqual(4 * Math.floor(2_000 / 45));
    expect(load.thinkMs).toBeGreaterThanOrEqual(load.ended * 40);
    expect(load.unfinished).toBeLessThanOrEqual(4);
  });

  test('it ends with the last row', async () => {
    const double = engineDouble(allRows);
    const { result } = await run(
      double,
      { load: 'closed', users: 50, connections: 3, rowsPerCall: 7 },
      { measure: { until: 'rows' } },
    );
    expect(result.totals.rows).toBe(1_000);
    expect(new Set(double.committed).size).toBe(1_000);
  });

  test('one user a connection without think time is the plain loop', async () => {
    const { result } = await run(engineDouble(allRows), { load: 'closed', users: 2, connections: 2 });
    expect(result.totals.load).toBeUndefined();
  });
});

test('sessions of a partly open load run their units one after another', async () => {
  const { result } = await run(engineDouble(allRows), {
    load: 'partlyOpen',
    arrivalsPerSecond: 40,
    unitsPerSession: 3,
    sessionLength: 'constant',
    thinkTime: 'constant',
    thinkMs: 20,
    connections: 4,
  });
  const load = loadOf(result.totals);
  // 20 sessions; those that begin in the last 40 ms and more have units that are due after the end.
  expect(load.arrivals).toBeGreaterThan(20);
  expect(load.arrivals).toBeLessThanOrEqual(60);
  expect(load.ended).toBe(load.arrivals);
});

describe('stages', () => {
  const stages = [
    { name: 'low', seconds: 0.4, to: 0.25 },
    { name: 'none', seconds: 0.2, to: 0 },
    { name: 'spike', seconds: 0.4, to: 2 },
  ];

  test('arrivals are counted in the stage in which they were to start', async () => {
    const { result } = await run(
      engineDouble(later(1)),
      { arrivalsPerSecond: 100, connections: 4 },
      {
        measure: { until: 'time', seconds: 1, stages },
      },
    );
    expect(result.stages?.map(({ arrivals, ended }) => [arrivals, ended])).toEqual([
      [10, 10],
      [0, 0],
      [80, 80],
    ]);
    expect(loadOf(result.totals)).toMatchObject({ arrivals: 90, ended: 90 });
    expect(result.stages?.map(({ response }) => count(response))).toEqual([10, 0, 80]);
  });

  test('users join and leave with the stages', async () => {
    const at: number[] = [];
    const double = engineDouble(async (batch) => {
      at.push(double.inFlight.now);
      await wait(5);
      return batch.rows;
    });
    const { result } = await run(
      double,
      { load: 'closed', users: 8, connections: 8 },
      {
        measure: {
          until: 'time',
          seconds: 0.9,
          stages: [
            { name: 'ramp', seconds: 0.3, from: 0, to: 1 },
            { name: 'quarter', seconds: 0.3, to: 0.25 },
            { name: 'half', seconds: 0.3, to: 0.5 },
          ],
        },
      },
    );
    expect(double.inFlight.most).toBeGreaterThan(2);
    expect(double.inFlight.most).toBeLessThanOrEqual(8);
    // The last stage has half of the users at most.
    expect(Math.max(...at.slice(-5))).toBeLessThanOrEqual(4);
    expect(result.stages?.every(({ ended }) => ended > 0)).toBe(true);
  });
});
