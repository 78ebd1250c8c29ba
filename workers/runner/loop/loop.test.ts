import { describe, expect, test } from 'vitest';
import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import type { Batch } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import { DynoError } from '#model/error.ts';
import type { Settings } from '#model/settings/settings.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { createGenerator } from '../generator/generator.ts';
import { collectGarbage } from '../process/garbage.ts';
import { createChecksumSum } from '../verify/checksum.ts';
import { CallSource } from '../workload/call-source.ts';
import { CallTracker } from '../workload/call-tracker.ts';
import { numberRange } from '../workload/numbering.ts';
import { prepareCalls } from '../workload/prepare-calls.ts';
import {
  allRows,
  batching,
  type Double,
  dataset,
  engineDouble,
  generations,
  keysOf,
  later,
  type TrialOptions,
  table,
  trial,
  wait,
} from './loop.fixture.ts';

const nextAtOnce: TrialOptions['onMessage'] = (message, channel) => {
  if (message.type === 'called') channel.nextCall();
};

describe('by rows', () => {
  test('every row is sent once, warm-up rows first, and only the others are counted', async () => {
    const double = engineDouble(allRows);
    const { result } = await trial(double, { settings: { rowsPerCall: 7 }, measure: { warmupRows: 50 } });
    expect(double.committed).toEqual(keysOf(0, 1_050));
    expect(result.totals).toMatchObject({ calls: Math.ceil(1_000 / 7), rows: 1_000, errors: {}, failed: null });
    expect(result.acknowledged?.rows).toBe(1_050);
    expect(result.uncertainRows).toBe(0);
  });

  test.each(generations)('workers and connections share the rows exactly (%s)', async (generation) => {
    const doubles = [engineDouble(later(0)), engineDouble(allRows), engineDouble(later(1))];
    const results = await Promise.all(
      doubles.map((double, worker) =>
        trial(double, {
          settings: { rowsPerCall: 9, connections: 4, generation },
          measure: { warmupRows: 31 },
          job: { worker, workers: 3, loadedRows: 10 },
        }),
      ),
    );
    expect(doubles.flatMap((double) => double.committed).sort()).toEqual(keysOf(10, 1_041).sort());
    expect(results.reduce((rows, { result }) => rows + result.totals.rows, 0)).toBe(1_000);
  });

  test('a free connection takes over calls prepared for a slow one', async () => {
    const calls = [0, 0];
    const double = engineDouble(async (batch, session) => {
      calls[session]!++;
      await wait(session === 0 ? 100 : 0);
      return batch.rows;
    });
    const { result } = await trial(double, { settings: { rowsPerCall: 50, connections: 2 } });
    expect(double.committed.sort()).toEqual(keysOf(0, 1_000).sort());
    expect(calls[1]).toBeGreaterThan(10);
    expect(result.totals.errors).toEqual({});
  });

  test('a call is never so large that a connection has nothing to do', async () => {
    const used = new Set<number>();
    await trial(
      engineDouble(async (batch, session) => {
        used.add(session);
        await wait(1);
        return batch.rows;
      }),
      { settings: { rowsPerCall: 100_000, connections: 4 } },
    );
    expect(used.size).toBe(4);
  });

  test('deletes never name a row twice, and leave none that they counted', async () => {
    const double = engineDouble(allRows);
    const { result } = await trial(double, {
      settings: { operation: 'delete', rowsPerCall: 3 },
      measure: { warmupRows: 100 },
      job: { loadedRows: 1_100 },
    });
    expect(double.committed.toSorted()).toEqual(keysOf(0, 1_100).sort());
    expect(result.acknowledged).toEqual({ rows: 1_100, columns: [null, null] });
  });
});

describe('by time', () => {
  test('every call that began in time counts whole, with the time until it ended', async () => {
    const double = engineDouble(later(80));
    const { result, snapshots, elapsedMs } = await trial(double, {
      settings: { connections: 2 },
      measure: { until: 'time', seconds: 0.3 },
    });
    expect(double.committed.length).toBe(result.totals.calls);
    expect(result.acknowledged?.rows).toBe(result.totals.calls);
    expect(result.lines?.count).toBe(2);
    // The fourth call of each connection was running at the deadline.
    expect(elapsedMs).toBeGreaterThanOrEqual(300 - 80);
    expect(result.health.inCallsMs).toBeLessThanOrEqual(result.lines!.ms);
    expect(result.health.inCallsMs).toBeGreaterThan(result.lines!.ms * 0.5);
    expect(snapshots.at(-1)?.atMs).toBeLessThanOrEqual(300 + 1e-6);
    const inSeconds = snapshots.reduce((sum, { counts }) => sum + counts.calls, 0);
    expect(inSeconds).toBeGreaterThanOrEqual(result.totals.calls - 2);
    expect(inSeconds).toBeLessThanOrEqual(result.totals.calls);
  });

  test('a call that the server keeps waiting at the end is not left out, nor its time', async () => {
    let calls = 0;
    const stalls = engineDouble(async (batch) => {
      await wait(++calls > 10 ? 600 : 5);
      return batch.rows;
    });
    const measure = { until: 'time', seconds: 0.3 } as const;
    const { result, elapsedMs } = await trial(stalls, { measure });
    expect(result.totals.calls).toBe(11);
    expect(elapsedMs).toBeGreaterThanOrEqual(600);
    expect(Histogram.decode(result.totals.service).max / 1e6).toBeGreaterThanOrEqual(595);
    const alone = await trial(engineDouble(later(600)), { measure });
    expect(alone.result.totals.calls, 'longer than the phase').toBe(1);
    expect(alone.elapsedMs).toBeGreaterThanOrEqual(595);
  });

  test('a call that began in time and fails later counts as a failure', async () => {
    let calls = 0;
    const fails = engineDouble(async (batch) => {
      await wait(++calls > 4 ? 400 : 5);
      if (calls > 4) throw new DynoError('timeout', 'too late');
      return batch.rows;
    });
    const { result, elapsedMs } = await trial(fails, { measure: { until: 'time', seconds: 0.3 } });
    expect(result.totals).toMatchObject({ calls: 4, errors: { timeout: 1 } });
    expect(elapsedMs).toBeGreaterThanOrEqual(400);
  });

  test('a synchronous engine leaves the event loop its turns', async () => {
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 5);
    await trial(engineDouble(allRows), { measure: { until: 'time', seconds: 0.3 } });
    clearInterval(ticking);
    expect(ticks).toBeGreaterThan(5);
  });

  test('snapshots tile the phase, and add up to the totals but for the calls under way at its end', async () => {
    const { result, snapshots } = await trial(engineDouble(later(2)), {
      settings: { connections: 3 },
      measure: { until: 'time', seconds: 1.25 },
    });
    const merged = new Histogram();
    for (const { counts } of snapshots) merged.addEncoded(counts.service);
    const calls = snapshots.reduce((sum, { counts }) => sum + counts.calls, 0);
    expect(merged.count).toBe(calls);
    expect(Histogram.decode(result.totals.service).count).toBe(result.totals.calls);
    expect(result.totals.calls - calls).toBeGreaterThanOrEqual(0);
    expect(result.totals.calls - calls).toBeLessThanOrEqual(3);
    expect(snapshots.reduce((ms, { lengthMs }) => ms + lengthMs, 0)).toBeCloseTo(1_250, 3);
    expect(snapshots.at(-1)?.atMs).toBeCloseTo(1_250, 3);
  });

  test('the time in calls is the sum of the latencies', async () => {
    const { result } = await trial(engineDouble(later(3)), {
      settings: { connections: 4 },
      measure: { until: 'time', seconds: 0.4 },
    });
    const latencies = Histogram.decode(result.totals.service);
    const sumMs = (latencies.mean * latencies.count) / 1e6;
    expect(result.health.inCallsMs / sumMs).toBeCloseTo(1, 2);
  });

  test.each([
    ['prepared', 1.4],
    ['inline', 0],
  ] as const)('%s: what the warm-up says the phase will take is made before the clock', async (generation, least) => {
    const double = engineDouble((batch) => {
      for (const until = performance.now() + 0.01; performance.now() < until; );
      return batch.rows;
    });
    let made = { ahead: 0, run: 0 };
    await trial(double, {
      settings: { operation: 'readByKey', generation },
      measure: { until: 'time', seconds: 0.2, warmupSeconds: 0.2 },
      job: { loadedRows: 1_000 },
      onMessage({ type }) {
        const run = double.committed.length;
        if (type === 'warm') made = { ahead: double.encoded.calls - run, run };
      },
    });
    expect(made.run).toBeGreaterThan(100);
    expect(made.ahead).toBeGreaterThanOrEqual(least * made.run);
    if (generation === 'inline') expect(made.ahead).toBeLessThanOrEqual(1);
  });

  test('calls that are reported one by one run one by one, each when the host says so, and without a warm-up', async () => {
    const double = engineDouble(later(5));
    const { result, messages } = await trial(double, {
      settings: { operation: 'readByKey' },
      measure: { until: 'calls', calls: 3, warmupSeconds: 60 },
      job: { loadedRows: 100 },
      onMessage(message, channel) {
        if (message.type === 'called') setTimeout(() => channel.nextCall(), 10);
      },
    });
    const calls = messages.flatMap((message) => (message.type === 'called' ? [message.call] : []));
    expect(calls.map(({ rows }) => rows)).toEqual([1, 1, 1]);
    for (const { ms } of calls) expect(ms).toBeGreaterThan(4);
    expect(result.totals).toMatchObject({ calls: 3, rows: 3 });
  });

  test('a stop ends the waiting for the next call', async () => {
    const { result } = await trial(engineDouble(allRows), {
      settings: { operation: 'readByKey' },
      measure: { until: 'calls', calls: 1_000 },
      job: { loadedRows: 100 },
      onMessage(message, channel) {
        if (message.type === 'called') channel.stop(false);
      },
    });
    expect(result.totals.calls).toBe(1);
  });

  test('a call that fails keeps its number and has no time', async () => {
    let calls = 0;
    const double = engineDouble((batch) => {
      if (++calls === 1) throw new DynoError('lockTimeout', 'lost');
      return batch.rows;
    });
    const { messages } = await trial(double, {
      settings: { operation: 'readByKey' },
      measure: { until: 'calls', calls: 2 },
      job: { loadedRows: 100 },
      onMessage: nextAtOnce,
    });
    const times = messages.flatMap((message) => (message.type === 'called' ? [message.call.ms] : []));
    expect(times).toEqual([null, expect.any(Number)]);
  });

  test('calls that consume rows are reported one by one only where there are rows for all of them', async () => {
    const calling = (loadedRows: number) =>
      trial(engineDouble(allRows), {
        settings: { operation: 'delete', rowsPerCall: 50 },
        measure: { until: 'calls', calls: 3 },
        job: { loadedRows },
        onMessage: nextAtOnce,
      });
    await expect(calling(149)).rejects.toMatchObject({
      data: { kind: 'badInput', hint: expect.stringContaining('measure.until.calls') },
    });
    expect((await calling(150)).result.totals).toMatchObject({ calls: 3, rows: 150 });
  });

  test('deletes end early when no row is left', async () => {
    const double = engineDouble(allRows);
    const { result } = await trial(double, {
      settings: { operation: 'delete' },
      measure: { until: 'time', seconds: 30 },
      job: { loadedRows: 200 },
    });
    expect(result.totals.rows).toBe(200);
    expect(new Set(double.committed).size).toBe(200);
  });

  test('rows inserted by time are acknowledged with their checksum', async () => {
    const double = engineDouble(later(1));
    const { result } = await trial(double, {
      settings: { rowsPerCall: 100 },
      measure: { until: 'time', seconds: 0.1, warmupSeconds: 0.05 },
      job: { worker: 1, workers: 2 },
    });
    const rowOf = new Map(keysOf(0, 40_000).map((key, row) => [key, row]));
    const rows = double.committed.map((key) => rowOf.get(key)!);
    const sum = createChecksumSum(table.columns.map(({ type }) => type));
    sum.add(createGenerator(dataset).pick(Float64Array.from(rows)));
    expect(result.acknowledged).toEqual(sum.total());
    expect(result.totals.rows).toBeLessThan(double.committed.length);
    // Blocks of 1,000 rows are dealt to the two workers in turn.
    expect(rows.every((row) => Math.floor(row / 1_000) % 2 === 1)).toBe(true);
  });
});

describe('preparation', () => {
  /** A trial, and how many calls were encoded before its clock started. */
  async function prepared(double: Double, settings: Partial<Settings>) {
    let encodedBefore = 0;
    const { result } = await trial(double, {
      settings,
      onMessage: ({ type }) => {
        if (type === 'prepared') encodedBefore = double.encoded.calls;
      },
    });
    return { result, encodedBefore };
  }

  test.each([1, 4])('prepared data is made before the clock: %i synchronous connections', async (connections) => {
    const double = engineDouble(allRows);
    const { result, encodedBefore } = await prepared(double, { connections });
    expect(encodedBefore).toBe(1_000);
    expect(double.encoded.calls).toBe(1_000);
    expect(result.health).toMatchObject({ generateMs: 0, encodeMs: 0 });
  });

  test('inline data is made inside it, and its cost is shown', async () => {
    const double = engineDouble(allRows);
    const { result, encodedBefore } = await prepared(double, { generation: 'inline' });
    expect(encodedBefore).toBe(0);
    expect(double.encoded.calls).toBe(1_000);
    expect(result.health.generateMs).toBeGreaterThan(0);
    expect(result.health.encodeMs).toBeGreaterThan(0);
  });

  test('where the clock ends the phases, the warm-up begins with some prepared calls', async () => {
    const double: Double = engineDouble(async (batch, session) => {
      encodedBefore ??= double.encoded.calls;
      calls.push(session);
      await wait(1);
      return batch.rows;
    });
    let encodedBefore: number | null = null;
    const calls: number[] = [];
    const { result } = await trial(double, {
      settings: { connections: 4 },
      measure: { until: 'time', seconds: 0.2, warmupSeconds: 0.2 },
    });
    expect(encodedBefore).toBe(100);
    expect(new Set(calls.slice(0, 4)).size).toBe(4);
    // The measured phase has only prepared calls.
    expect(result.health).toMatchObject({ generateMs: 0, encodeMs: 0 });
    expect(new Set(double.committed).size).toBe(double.committed.length);
    expect(result.acknowledged?.rows).toBe(double.committed.length);
  });

  test('calls of many rows are not prepared for the rehearsal', async () => {
    let encodedBefore: number | null = null;
    const double: Double = engineDouble(async (batch) => {
      encodedBefore ??= double.encoded.calls;
      await wait(1);
      return batch.rows;
    });
    await trial(double, {
      settings: { rowsPerCall: 500 },
      measure: { until: 'time', seconds: 0.1, warmupSeconds: 0.1 },
    });
    expect(encodedBefore).toBe(1);
  });

  test('where calls have filled the memory, none are added behind the warm-up', async () => {
    let encodedAtLast = 0;
    const double: Double = engineDouble((batch) => {
      encodedAtLast = double.encoded.calls;
      return batch.rows;
    });
    const { openSession } = double.database;
    Object.assign(double.database, {
      openSession: async (...given: Parameters<typeof openSession>) => {
        const session = await openSession(...given);
        const prepare = async (plan: OperationPlan): Promise<Operation> => {
          const operation = await session.prepare(plan);
          const encode = (batch: Batch) =>
            Object.assign(operation.encode(batch) as object, { ballast: new Uint8Array(1_000_000).fill(1) });
          return { ...operation, encode };
        };
        return { ...session, prepare };
      },
    });
    let encodedWarm = 0;
    // Each of a hundred workers may take 10 MB.
    await trial(double, {
      measure: { until: 'time', seconds: 1, warmupSeconds: 0.3 },
      job: { workers: 100 },
      onMessage: ({ type }, channel) => {
        if (type !== 'warm') return;
        encodedWarm = double.encoded.calls;
        channel.stop(false);
      },
    });
    expect(encodedWarm).toBe(encodedAtLast);
  });

  test('a call that takes longer than the warm-up is made once in it', async () => {
    const double = engineDouble(later(150));
    let callsBefore = 0;
    const { result } = await trial(double, {
      measure: { until: 'time', seconds: 0.1, warmupSeconds: 0.1 },
      onMessage: ({ type }) => {
        if (type === 'warm') callsBefore = double.committed.length;
      },
    });
    expect(callsBefore).toBe(1);
    expect(result.totals.calls).toBe(1);
  });

  test('more than fits into memory is refused, with a way out', async () => {
    const tracker = new CallTracker(numberRange(0, 100, 1));
    const none: Batch = { rows: 1, columns: [] };
    const callSource = new CallSource({ callsPerBlock: 1, make: () => none, batchRows: () => 1 }, tracker);
    const operation: Operation = { encode: () => new Uint8Array(1_000_000).fill(1), run: () => 1 };
    // A hundred workers may take 10 MB each.
    const options = { callSource, tracker, operations: [operation], calls: 100, workers: 100, stopped: () => false };
    await expect(prepareCalls(options)).rejects.toMatchObject({
      data: { kind: 'limit', hint: expect.stringContaining('generation: inline') },
    });
  });

  test('what cannot be done is refused before anything is opened', async () => {
    const double = engineDouble(allRows);
    await expect(trial(double, { settings: { method: 'bulk' } })).rejects.toMatchObject({
      data: { kind: 'unsupported', hint: 'it has no COPY' },
    });
    await expect(trial(double, { settings: { operation: 'readByKey' } })).rejects.toThrow('0 are loaded');
    await expect(
      trial(double, { settings: { operation: 'readByKey', rowsPerCall: 11 }, job: { loadedRows: 10 } }),
    ).rejects.toThrow('11 different keys');
    expect(double.log).toEqual([]);
  });
});

describe('failures', () => {
  test('failed calls are counted and timed apart, and the loop goes on', async () => {
    let call = 0;
    const { result } = await trial(
      engineDouble((batch) => {
        if (++call % 10 === 0) throw new DynoError('deadlock', 'chosen as victim');
        return batch.rows;
      }),
    );
    expect(result.totals).toMatchObject({ calls: 900, rows: 900, errors: { deadlock: 100 } });
    expect(Histogram.decode(result.totals.failed!).count).toBe(100);
    expect(Histogram.decode(result.totals.service).count).toBe(900);
    expect(result.acknowledged?.rows).toBe(900);
    expect(result.uncertainRows).toBe(100);
    expect(result.errorExamples).toHaveLength(3);
  });

  test('an answer with other rows than were sent is a mismatch', async () => {
    let call = 0;
    const { result } = await trial(engineDouble((batch) => (++call === 5 ? 0 : batch.rows)));
    expect(result.totals).toMatchObject({ calls: 999, errors: { mismatch: 1 } });
    expect(result.errorExamples[0]?.message).toContain('should have touched 1 rows; the server reported 0');
  });

  test('errors that persist fail the trial', async () => {
    const double = engineDouble(() => {
      throw new DynoError('lockTimeout', 'busy');
    });
    await expect(trial(double)).rejects.toMatchObject({
      data: { kind: 'lockTimeout', message: expect.stringContaining('101 of the last 101 calls failed') },
    });
    expect(double.log).toEqual(['closed']);
  });

  test('a server that is gone fails the trial at once', async () => {
    let calls = 0;
    const double = engineDouble(() => {
      calls++;
      throw new DynoError('serverGone', 'terminating connection due to administrator command');
    });
    await expect(trial(double, { settings: { connections: 2 } })).rejects.toMatchObject({
      data: { kind: 'serverGone' },
    });
    expect(calls).toBeLessThanOrEqual(2);
  });
});

describe('transactions', () => {
  test('calls are committed in groups, the last one smaller', async () => {
    const double = engineDouble(allRows);
    const { result } = await trial(double, { settings: { callsPerCommit: 300 } });
    expect(double.log).toEqual([...Array.from({ length: 4 }, () => ['begin', 'commit']).flat(), 'closed']);
    expect(result.totals).toMatchObject({ calls: 1_000, rows: 1_000, commits: 4 });
    expect(double.committed).toEqual(keysOf(0, 1_000));
  });

  test('commits are timed apart from calls, in a histogram that the snapshots add up to', async () => {
    const double = engineDouble(allRows, 30);
    const { result, snapshots } = await trial(double, { settings: { callsPerCommit: 250 } });
    const commits = Histogram.decode(result.totals.commit!);
    expect(commits.count).toBe(4);
    // Timers of Node's are early by up to a millisecond.
    expect(commits.percentile(1)).toBeGreaterThan(28e6);
    expect(Histogram.decode(result.totals.service).count).toBe(1_000);
    const seen = snapshots.flatMap(({ counts }) => counts.commit ?? []).map((text) => Histogram.decode(text).count);
    expect(seen.reduce((sum, count) => sum + count, 0)).toBe(4);
    expect((await trial(engineDouble(allRows), {})).result.totals.commit).toBeNull();
  });

  test('by time, the commit of the group that the deadline cut short is part of what is measured', async () => {
    const double = engineDouble(later(5), 120);
    const { result, elapsedMs } = await trial(double, {
      settings: { callsPerCommit: 1_000_000 },
      measure: { until: 'time', seconds: 0.2 },
    });
    expect(result.totals.calls).toBeGreaterThan(0);
    expect(result.totals.commits).toBe(1);
    // 200 and 120, less a late begin of the first call on a busy machine; without the commit, 205 at most.
    expect(elapsedMs).toBeGreaterThanOrEqual(230);
    expect(result.health.transactionMs).toBeGreaterThanOrEqual(115);
  });

  test('a transaction that found no call left is no commit', async () => {
    const double = engineDouble(later(1));
    const { result } = await trial(double, {
      settings: { operation: 'delete', callsPerCommit: 10, connections: 2 },
      measure: { until: 'time', seconds: 5 },
      job: { loadedRows: 1 },
    });
    expect(double.log.filter((entry) => entry === 'commit').length).toBe(2);
    expect(result.totals).toMatchObject({ calls: 1, commits: 1 });
  });

  test('a failed call rolls its group back: none of its rows is acknowledged or counted', async () => {
    let call = 0;
    const double = engineDouble((batch) => {
      if (++call === 250) throw new DynoError('serialization', 'could not serialize access');
      return batch.rows;
    });
    const { result } = await trial(double, { settings: { callsPerCommit: 100 } });
    expect(double.committed).toEqual([...keysOf(0, 200), ...keysOf(250, 1_000)]);
    expect(result.totals).toMatchObject({ calls: 999, rows: 950, errors: { serialization: 1 } });
    expect(result.acknowledged?.rows).toBe(950);
    expect(result.uncertainRows).toBe(0);
  });
});

describe('pipelining', () => {
  test.each([1, 25])(
    'keeps at most the depth in flight on a connection (%i calls per commit)',
    async (callsPerCommit) => {
      const double = engineDouble(later(1));
      const { result } = await trial(double, { settings: { method: 'pipelined', pipelineDepth: 8, callsPerCommit } });
      expect(double.inFlight.most).toBe(8);
      expect(result.totals.rows).toBe(1_000);
      expect(double.committed.sort()).toEqual(keysOf(0, 1_000).sort());
    },
  );

  test('other methods have one call in flight on a connection', async () => {
    const double = engineDouble(later(0));
    await trial(double, { settings: { rowsPerCall: 20, connections: 3, pipelineDepth: 8 } });
    expect(double.inFlight.most).toBe(3);
  });
});

describe('batches', () => {
  const settings = { method: 'batch', callsPerBatch: 8 } as const;

  test('send full batches, and wait for all of their answers before the next one', async () => {
    let number = 0;
    const double = batching(engineDouble((batch, session) => later(++number % 3)(batch, session)));
    const { result } = await trial(double, { settings });
    expect(double.batches).toEqual(Array.from({ length: 125 }, () => 8));
    expect(double.inFlight.most).toBe(8);
    expect(result.totals.rows).toBe(1_000);
    expect(result.totals.calls).toBe(1_000);
    expect(double.committed.sort()).toEqual(keysOf(0, 1_000).sort());
  });

  test('end with their transaction and with the last row', async () => {
    const double = batching(engineDouble(later(0)));
    const { result } = await trial(double, { settings: { ...settings, callsPerCommit: 20 }, measure: { rows: 50 } });
    expect(double.batches).toEqual([8, 8, 4, 8, 8, 4, 8, 2]);
    expect(result.totals.rows).toBe(50);
    expect(double.committed).toHaveLength(50);
  });

  test('count the error of each call by itself', async () => {
    let number = 0;
    const double = batching(
      engineDouble(async (batch) => {
        if (++number % 10 === 0) throw new DynoError('constraint', 'It was refused.');
        return batch.rows;
      }),
    );
    const { result } = await trial(double, { settings });
    expect(result.totals.errors).toEqual({ constraint: 100 });
    expect(result.totals.rows).toBe(900);
    expect(result.acknowledged?.rows).toBe(900);
    expect(double.committed).toHaveLength(900);
  });

  test('repeat calls that a write conflict has undone in a later batch', async () => {
    let number = 0;
    const double = batching(
      engineDouble(async (batch) => {
        if (++number === 3) throw new DynoError('deadlock', 'Deadlock found.', { retryable: true });
        return batch.rows;
      }),
    );
    const { result } = await trial(double, { settings, measure: { rows: 80 } });
    expect(result.totals.errors).toEqual({ deadlock: 1 });
    expect(double.committed.sort()).toEqual(keysOf(0, 80).sort());
    expect(double.batches.reduce((sum, one) => sum + one, 0)).toBe(81);
  });

  test('give up a call after its attempts, whichever place in a batch it has', async () => {
    const [key] = keysOf(3, 4);
    const tried = (batch: Batch) => decodeColumn(batch.columns[0]!, { kind: 'uuid' }, 1).includes(key!);
    const double = batching(
      engineDouble(async (batch) => {
        if (tried(batch)) throw new DynoError('deadlock', 'Deadlock found.', { retryable: true });
        return batch.rows;
      }),
    );
    const { result } = await trial(double, { settings: { ...settings, maxAttempts: 3 }, measure: { rows: 80 } });
    expect(result.totals).toMatchObject({ errors: { deadlock: 3 }, gaveUp: 1, rows: 79 });
  });
});

describe('stopping', () => {
  test('ends the phase and keeps what was counted', async () => {
    let stop = () => {};
    let calls = 0;
    const double = engineDouble(async (batch) => {
      // The first call has been counted when the second one begins.
      if (++calls === 2) stop();
      await wait(5);
      return batch.rows;
    });
    const { result } = await trial(double, {
      measure: { until: 'time', seconds: 60 },
      onMessage: (message, channel) => {
        if (message.type === 'prepared') stop = () => channel.stop(false);
      },
    });
    expect(result.totals.calls).toBeGreaterThan(0);
    expect(result.totals.errors).toEqual({});
    expect(result.acknowledged?.rows).toBe(double.committed.length);
  });

  test('with cancel, the statement under way is stopped at the server; its rows are uncertain, it is no error', async () => {
    let stop = () => {};
    const double: Double = engineDouble(async () => {
      setImmediate(stop);
      await double.cancelled.promise;
      throw new DynoError('cancelled', 'canceling statement due to user request');
    });
    const { result } = await trial(double, {
      onMessage: (message, channel) => {
        if (message.type === 'prepared') stop = () => channel.stop(true);
      },
    });
    expect(result.totals).toMatchObject({ calls: 0, errors: {} });
    expect(result.uncertainRows).toBe(1);
  });

  test('before the measured phase, it still ends with a result', async () => {
    const double = engineDouble(allRows);
    const { result, messages } = await trial(double, {
      measure: { until: 'time', seconds: 60, warmupSeconds: 60 },
      onMessage: (message, channel) => {
        if (message.type === 'prepared') channel.stop(true);
      },
    });
    const types = messages.map(({ type }) => type).filter((type) => type !== 'snapshot');
    expect(types).toEqual(['prepared', 'warm', 'measured', 'result']);
    expect(result.totals.calls).toBe(0);
  });
});

describe('reads', () => {
  test('ask for existing rows and leave nothing to verify', async () => {
    const double = engineDouble(allRows);
    const { result } = await trial(double, {
      settings: { operation: 'readByKey', rowsPerCall: 5 },
      measure: { until: 'time', seconds: 0.05 },
      job: { loadedRows: 300 },
    });
    const existing = new Set(keysOf(0, 300));
    expect(double.committed.every((key) => existing.has(key))).toBe(true);
    expect(result.acknowledged).toBeNull();
  });

  test('scans must return the whole table, ranges no more than was asked for', async () => {
    const run = (operation: 'scan' | 'readRange', rows: number) =>
      trial(
        engineDouble(() => rows),
        { settings: { operation, rangeRows: 10 }, job: { loadedRows: 300 } },
      );
    expect((await run('scan', 300)).result.totals).toMatchObject({ calls: 4, rows: 1_200, errors: {} });
    expect((await run('scan', 299)).result.totals).toMatchObject({ calls: 0, errors: { mismatch: 4 } });
    expect((await run('readRange', 10)).result.totals).toMatchObject({ calls: 100, rows: 1_000, errors: {} });
    expect((await run('readRange', 7)).result.totals.errors).toEqual({});
    expect((await run('readRange', 0)).result.totals.calls).toBe(0);
  });
});

describe('the slowest calls', () => {
  /** At regular distances a call collects garbage, for longer than any other pause of a call in this test. */
  const collecting = (every: number) => {
    let calls = 0;
    return engineDouble((batch) => {
      if (++calls % every === 0) for (let times = 0; times < 10; times++) collectGarbage();
      return batch.rows;
    });
  };
  test('are one in a hundred, and those that met pauses are reported', async () => {
    const { result } = await trial(collecting(100));
    const { calls, delayedByPauses, pauses, pausedMs, ms } = result.health.slowest!;
    expect(calls).toBe(10);
    expect(delayedByPauses).toBeGreaterThanOrEqual(8);
    expect(pauses).toBeGreaterThanOrEqual(delayedByPauses * 5);
    expect(pausedMs).toBeLessThanOrEqual(ms);
  });

  test('of a load of its own are units of work, from their intended start', async () => {
    // Seven other connections are served before each.
    const { result } = await trial(engineDouble(later(10)), {
      settings: { load: 'closed', users: 8, connections: 1, generation: 'inline' },
      measure: { until: 'time', seconds: 0.5 },
    });
    const { load, service } = result.totals;
    const { calls, ms } = result.health.slowest!;
    expect(calls).toBe(1);
    expect(ms).toBeLessThanOrEqual(Histogram.decode(load!.response).max / 1e6);
    expect(ms * 1e6).toBeGreaterThan(Histogram.decode(service).max);
  });
});
