import { describe, expect, test } from 'vitest';
import type { Batch } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import { DynoError } from '#model/error.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { createGenerator } from '../generator/generator.ts';
import { createChecksumSum } from '../verify/checksum.ts';
import {
  allRows,
  type Behaviour,
  type Double,
  dataset,
  engineDouble,
  generations,
  keysOf,
  later,
  startable,
  stopWhenWarm,
  table,
  trial,
  wait,
} from './loop.fixture.ts';

const conflict = () => new DynoError('deadlock', 'chosen as victim', { retryable: true });
const serialization = () => new DynoError('serialization', 'could not serialize access', { retryable: true });
const keyIn = (batch: Batch): string => String(decodeColumn(batch.columns[0]!, { kind: 'uuid' }, 1)[0]);

/** Fails those of the engine's calls whose numbers are in `calls`. */
function failing(calls: (call: number) => boolean, error = conflict, then: Behaviour = allRows): Behaviour {
  let call = 0;
  return (batch, session) => {
    if (calls(++call)) throw error();
    return then(batch, session);
  };
}

const checksumOf = (keys: readonly string[]) => {
  const rowOf = new Map(keysOf(0, 1_000).map((key, row) => [key, row]));
  const sum = createChecksumSum(table.columns.map(({ type }) => type));
  sum.add(createGenerator(dataset).pick(Float64Array.from(keys.map((key) => rowOf.get(key)!))));
  return sum.total();
};

describe('a call that commits by itself', () => {
  test.each(generations)('is made anew and tried again until it is done (%s)', async (generation) => {
    const double = engineDouble(failing((call) => call % 10 < 3));
    const { result, snapshots } = await trial(double, { settings: { generation, rowsPerCall: 5 } });
    expect(double.committed).toEqual(keysOf(0, 1_000));
    const failed = Histogram.decode(result.totals.failed!).count;
    expect(result.totals).toMatchObject({ calls: 200, rows: 1_000, commits: 200, retries: failed, gaveUp: 0 });
    expect(result.totals.errors).toEqual({ deadlock: failed });
    expect(failed).toBeGreaterThan(50);
    expect(double.encoded.calls).toBe(200 + failed);
    expect(result.acknowledged).toEqual(checksumOf(keysOf(0, 1_000)));
    expect(result.uncertainRows).toBe(0);
    expect(snapshots.reduce((sum, { counts }) => sum + counts.retries, 0)).toBe(failed);
  });

  test.each([1, 4])(
    'is counted, checked and tried again alike where it is started (%s calls a commit)',
    async (callsPerCommit) => {
      const one = (wrap: (double: Double) => Double) => {
        const then: Behaviour = ({ rows }) => (++answered === 50 ? rows + 1 : rows);
        let answered = 0;
        const double = wrap(engineDouble(failing((call) => call % 10 === 3, conflict, then)));
        return trial(double, { settings: { rowsPerCall: 5, callsPerCommit } }).then(({ result: { totals } }) => {
          const { calls, rows, errors, commits, retries } = totals;
          return { calls, rows, errors, commits, retries, committed: double.committed };
        });
      };
      const run = await one((double) => double);
      expect(await one(startable)).toEqual(run);
      expect(run.errors).toMatchObject({ mismatch: 1, deadlock: run.retries });
    },
  );

  test('counts what is lost, pauses included', async () => {
    const double = engineDouble(async (batch) => {
      await wait(2);
      if (double.encoded.calls % 4 === 0) throw conflict();
      return batch.rows;
    });
    const { result } = await trial(double, { settings: { rowsPerCall: 20, generation: 'inline' } });
    const { retries, lostMs } = result.totals;
    expect(retries).toBeGreaterThan(5);
    const failedMs = Histogram.decode(result.totals.failed!).mean * retries * 1e-6;
    expect(lostMs / (failedMs + result.health.pauseMs!)).toBeCloseTo(1, 2);
    expect(result.health.pauseMs).toBeGreaterThanOrEqual(retries);
  });

  test('is given up after the last try: its rows are not there, and that is known', async () => {
    const [unlucky] = keysOf(500, 501);
    const double = engineDouble((batch) => {
      if (keyIn(batch) === unlucky) throw conflict();
      return batch.rows;
    });
    const { result } = await trial(double, { settings: { maxAttempts: 4 } });
    expect(double.committed).toEqual([...keysOf(0, 500), ...keysOf(501, 1_000)]);
    expect(result.totals).toMatchObject({ calls: 999, errors: { deadlock: 4 }, retries: 3, gaveUp: 1 });
    expect(result.acknowledged).toEqual(checksumOf(double.committed));
    expect(result.uncertainRows).toBe(0);
  });

  test('is tried once where maxAttempts says so', async () => {
    const double = engineDouble(failing((call) => call % 10 === 0));
    const { result } = await trial(double, { settings: { maxAttempts: 1 } });
    expect(result.totals).toMatchObject({ calls: 900, errors: { deadlock: 100 }, retries: 0, gaveUp: 100 });
    expect(double.encoded.calls).toBe(1_000);
    expect(result.uncertainRows).toBe(0);
  });

  test('is not tried again where it may have done half of its work', async () => {
    const half = failing((call) => call === 3);
    const settings = { method: 'arrayBind', rowsPerCall: 10 } as const;
    const { result } = await trial(engineDouble(half), { settings });
    expect(result.totals).toMatchObject({ calls: 99, errors: { deadlock: 1 }, retries: 0, gaveUp: 0, lostMs: 0 });
    expect(result.uncertainRows).toBe(10);
    const single = await trial(engineDouble(failing((call) => call === 3)), {
      settings: { ...settings, rowsPerCall: 1 },
    });
    expect(single.result.totals).toMatchObject({ calls: 1_000, retries: 1 });
    const inGroups = await trial(engineDouble(failing((call) => call === 3)), {
      settings: { ...settings, callsPerCommit: 10 },
    });
    expect(inGroups.result.totals).toMatchObject({ rows: 1_000, retries: 1 });
  });

  test('other errors are not tried again', async () => {
    for (const error of [
      () => new DynoError('lockTimeout', 'busy', { retryable: true }),
      () => new DynoError('deadlock', 'outcome unknown'),
    ]) {
      const { result } = await trial(engineDouble(failing((call) => call === 9, error)));
      expect(result.totals).toMatchObject({ calls: 999, retries: 0, gaveUp: 0, lostMs: 0 });
      expect(result.uncertainRows).toBe(1);
    }
  });

  test('reads ask for the same keys again', async () => {
    const asked: string[] = [];
    let failures = 0;
    const double = engineDouble((batch) => {
      const key = keyIn(batch);
      const again = asked.at(-1) === key;
      asked.push(key);
      if (!again && asked.length % 3 === 0) {
        failures++;
        throw serialization();
      }
      return batch.rows;
    });
    const { result } = await trial(double, {
      settings: { operation: 'readByKey', keyDistribution: 'zipf' },
      measure: { until: 'rows' },
      job: { loadedRows: 100_000, dataset: { ...dataset, rows: 200 } },
    });
    const repeats = asked.filter((key, i) => i > 0 && asked[i - 1] === key).length;
    expect(result.totals).toMatchObject({ calls: 200, retries: failures, gaveUp: 0 });
    expect(failures).toBeGreaterThan(50);
    expect(repeats).toBeGreaterThanOrEqual(failures);
  });

  test('in a pipeline, its lane tries it again while the others go on', async () => {
    let call = 0;
    const double = engineDouble(async (batch) => {
      const conflicts = ++call % 7 === 0;
      await wait(1);
      if (conflicts) throw conflict();
      return batch.rows;
    });
    const { result } = await trial(double, { settings: { method: 'pipelined', pipelineDepth: 8, rowsPerCall: 5 } });
    expect(double.inFlight.most).toBe(8);
    expect(double.committed.toSorted()).toEqual(keysOf(0, 1_000).sort());
    expect(result.totals).toMatchObject({ calls: 200, gaveUp: 0 });
    expect(result.totals.retries).toBeGreaterThan(20);
    expect(result.acknowledged?.rows).toBe(1_000);
    // Each call has an eighth of the connection.
    const failedMs = Histogram.decode(result.totals.failed!).mean * result.totals.retries! * 1e-6;
    expect((result.totals.lostMs! * 8) / (failedMs + result.health.pauseMs!)).toBeCloseTo(1, 2);
  });
});

describe('a transaction', () => {
  test('is rolled back and tried again as a whole, with the same calls in the same order', async () => {
    const sent: string[] = [];
    let call = 0;
    const double = engineDouble((batch) => {
      sent.push(keyIn(batch));
      if (++call === 250 || call === 270) throw serialization();
      return batch.rows;
    });
    const { result } = await trial(double, { settings: { callsPerCommit: 100 } });
    const keys = keysOf(0, 1_000);
    // The 50th call of the third group fails, then the 20th of its second attempt.
    expect(sent).toEqual([...keys.slice(0, 250), ...keys.slice(200, 220), ...keys.slice(200)]);
    expect(double.committed).toEqual(keys);
    expect(double.log.filter((entry) => entry !== 'closed')).toEqual([
      ...['begin', 'commit', 'begin', 'commit'],
      ...['begin', 'rollback', 'begin', 'rollback', 'begin', 'commit'],
      ...Array.from({ length: 7 }, () => ['begin', 'commit']).flat(),
    ]);
    expect(result.totals).toMatchObject({
      calls: 1_000 + 49 + 19,
      rows: 1_000,
      commits: 10,
      errors: { serialization: 2 },
      retries: 2,
      gaveUp: 0,
    });
    expect(result.acknowledged).toEqual(checksumOf(keys));
    expect(result.uncertainRows).toBe(0);
  });

  test('loses the time since its beginning', async () => {
    const { result } = await trial(engineDouble(failing((call) => call === 10, conflict, later(5))), {
      settings: { callsPerCommit: 10, rowsPerCall: 50 },
    });
    expect(result.totals.retries).toBe(1);
    // Nine calls of 5 ms and a pause; timers of Node may be early by a fraction of a ms.
    expect(result.totals.lostMs).toBeGreaterThan(9 * 4.5);
    expect(result.totals.lostMs).toBeLessThan(result.health.inCallsMs);
  });

  test('a commit that meets a conflict has committed nothing, and is tried again', async () => {
    let commits = 0;
    const double = engineDouble(allRows, 0, () => {
      if (++commits === 3) throw serialization();
    });
    const { result } = await trial(double, { settings: { callsPerCommit: 100 } });
    expect(double.committed).toEqual(keysOf(0, 1_000));
    expect(result.totals).toMatchObject({ calls: 1_100, rows: 1_000, commits: 10, retries: 1, gaveUp: 0 });
    expect(result.acknowledged?.rows).toBe(1_000);
    expect(result.uncertainRows).toBe(0);
  });

  test('a commit that fails otherwise leaves nobody knowing, and is not tried again', async () => {
    let commits = 0;
    const double = engineDouble(allRows, 0, () => {
      if (++commits === 3) throw new DynoError('timeout', 'no answer', { retryable: true });
    });
    const { result } = await trial(double, { settings: { callsPerCommit: 100 } });
    expect(result.totals).toMatchObject({ rows: 900, errors: { timeout: 1 }, retries: 0 });
    expect(result.uncertainRows).toBe(100);
  });

  test('is given up after the last try', async () => {
    const [unlucky] = keysOf(150, 151);
    const double = engineDouble((batch) => {
      if (keyIn(batch) === unlucky) throw conflict();
      return batch.rows;
    });
    const { result } = await trial(double, { settings: { callsPerCommit: 100, maxAttempts: 3 } });
    // The calls that this group had not reached belong to the next one.
    expect(double.committed).toEqual([...keysOf(0, 100), ...keysOf(151, 1_000)]);
    expect(result.totals).toMatchObject({ errors: { deadlock: 3 }, retries: 2, gaveUp: 1 });
    expect(result.acknowledged).toEqual(checksumOf(double.committed));
    expect(result.uncertainRows).toBe(0);
  });

  test('in a pipeline: what fails after the conflict is its consequence, and the group is tried again', async () => {
    let aborted = false;
    let call = 0;
    const double: Double = engineDouble(async (batch) => {
      const number = ++call;
      await wait(1);
      if (number === 30) {
        aborted = true;
        throw conflict();
      }
      if (aborted && !double.log.includes('rollback')) throw new DynoError('other', 'current transaction is aborted');
      return batch.rows;
    });
    const { result } = await trial(double, {
      settings: { method: 'pipelined', pipelineDepth: 8, callsPerCommit: 50, rowsPerCall: 5 },
    });
    expect(double.committed.toSorted()).toEqual(keysOf(0, 1_000).sort());
    expect(result.totals).toMatchObject({ rows: 1_000, commits: 4, retries: 1, gaveUp: 0, errors: { deadlock: 1 } });
    expect(result.totals.errors.other).toBeGreaterThan(0);
    expect(result.uncertainRows).toBe(0);
  });

  test('conflicts that are made up for do not stop the trial, however many; those given up do', async () => {
    const often = failing((call) => call % 4 !== 0);
    const { result } = await trial(engineDouble(often), { settings: { rowsPerCall: 10 } });
    expect(result.totals).toMatchObject({ calls: 100, errors: { deadlock: 300 }, gaveUp: 0 });
    const always = engineDouble(() => {
      throw conflict();
    });
    await expect(trial(always, { settings: { connections: 20, maxAttempts: 2 } })).rejects.toMatchObject({
      data: { kind: 'deadlock', message: expect.stringContaining('101 of the last 101 calls failed') },
    });
  });
});

/** Every transaction that began was committed or rolled back. */
function expectEnded({ log }: Double): void {
  const begun = log.filter((entry) => entry === 'begin').length;
  expect(begun).toBe(log.filter((entry) => entry === 'commit' || entry === 'rollback').length);
}

describe('the end of a phase', () => {
  test.each([1, 10])('no try begins after the deadline (%i calls per commit)', async (callsPerCommit) => {
    let phaseAt = 0;
    const firstAt = new Map<number, number>();
    const double = engineDouble(async (_, session) => {
      if (!firstAt.has(session)) firstAt.set(session, performance.now());
      await wait(1);
      throw conflict();
    });
    const { result, messages } = await trial(double, {
      settings: { callsPerCommit, maxAttempts: 10_000, connections: 3 },
      measure: { until: 'time', seconds: 1 },
      onMessage: ({ type }) => {
        if (type === 'warm') phaseAt = performance.now();
      },
    });
    expect(messages.at(-1)?.type).toBe('result');
    expect(double.committed).toEqual([]);
    // If the time runs out right after begin, there is an empty commit.
    expectEnded(double);
    expect(result.totals).toMatchObject({ calls: 0, rows: 0, gaveUp: 0 });
    expect(result.totals.retries).toBeGreaterThan(5);
    // The sum below is everything that the three connections did, each from its first call on.
    expect(firstAt.size).toBe(3);
    const doneMs = [...firstAt.values()].reduce((sum, at) => sum + phaseAt + 1_000 - at, 0);
    expect(result.totals.lostMs! / doneMs).toBeGreaterThan(0.9);
    expect(result.lines?.count).toBe(3);
    expect(result.totals.lostMs).toBeLessThanOrEqual(result.lines!.ms);
    expect(result.uncertainRows).toBe(0);
    expect(result.acknowledged?.rows).toBe(0);
  });

  test('a connection whose last try has made no call has worked until then', async () => {
    const double = engineDouble(() => {
      throw conflict();
    });
    let begun = 0;
    const { openSession } = double.database;
    Object.assign(double.database, {
      openSession: async (...given: Parameters<typeof openSession>) => {
        const session = await openSession(...given);
        return { ...session, begin: () => (++begun === 1 ? undefined : wait(250)) };
      },
    });
    const { result } = await trial(double, {
      settings: { callsPerCommit: 10, maxAttempts: 10_000 },
      measure: { until: 'time', seconds: 0.2 },
    });
    expect(begun).toBe(2);
    expect(result.lines?.count).toBe(1);
  });

  test('a stop during the pause leaves nothing open', async () => {
    const double = engineDouble(failing((call) => call % 5 === 0, conflict, later(1)));
    const { result } = await trial(double, {
      settings: { callsPerCommit: 20, connections: 4, generation: 'inline' },
      measure: { until: 'time', seconds: 60 },
      onMessage: stopWhenWarm(150),
    });
    expectEnded(double);
    expect(result.acknowledged?.rows).toBe(double.committed.length);
    expect(result.totals.rows).toBeLessThanOrEqual(double.committed.length);
  });

  test('users whose transactions conflicted do not retry in step', async () => {
    const starts: number[][] = [[], []];
    const double = engineDouble((_, session) => {
      starts[session]!.push(performance.now());
      throw conflict();
    });
    await trial(double, {
      settings: { connections: 2, maxAttempts: 8 },
      job: { dataset: { ...dataset, rows: 2 } },
    });
    const gaps = starts.map((own) => own.slice(1).map((at, i) => Math.round(at - own[i]!)));
    expect(gaps.map(({ length }) => length)).toEqual([7, 7]);
    expect(gaps[0]).not.toEqual(gaps[1]);
    expect(Math.max(...gaps.flat())).toBeGreaterThan(8);
  });
});
