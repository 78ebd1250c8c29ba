import { expect, test } from 'vitest';
import type { WorkerResult } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { apartMs, elapsedMs, mergeCounts, mergeHealth, mergeStatements, noCalls, noHealth } from './merge-results.ts';

const worker = (fromMs: number, toMs: number, calls = 1) =>
  ({
    firstStartNs: String(BigInt(fromMs) * 1_000_000n),
    lastEndNs: String(BigInt(toMs) * 1_000_000n),
    totals: { ...noCalls, calls },
  }) as WorkerResult; // These are the parts that count for time.

test('elapsed is from the first start to the last end of all workers that called', () => {
  expect(elapsedMs([worker(100, 900), worker(150, 1_100)])).toBe(1_000);
  expect(elapsedMs([worker(100, 900), worker(0, 5_000, 0)])).toBe(800);
  expect(elapsedMs([])).toBe(0);
});

test('where the clock ended closed loops, elapsed is the mean of the lines of calls, and their ends are not apart', () => {
  const first = { ...worker(0, 1_100), lines: { count: 3, ms: 3_000 } };
  const second = { ...worker(150, 2_150), lines: { count: 1, ms: 2_000 } };
  expect(elapsedMs([first, second])).toBe(1_250);
  expect(apartMs([first, second])).toBe(150);
  expect(elapsedMs([first, worker(100, 900, 0)]), 'one that called nothing').toBe(1_000);
  expect(elapsedMs([first, worker(100, 900)]), 'one that rows ended').toBe(1_100);
});

test('apart is the time before the last one began and after the first one was done', () => {
  expect(apartMs([worker(100, 900), worker(150, 1_100)])).toBe(250);
  expect(apartMs([worker(100, 900)])).toBe(0);
  expect(apartMs([worker(0, 100), worker(400, 500)])).toBe(500);
});

test('what write conflicts cost adds up', () => {
  const one = { ...noCalls, retries: 3, gaveUp: 1, lostMs: 20.5 };
  expect(mergeCounts([one, one, noCalls])).toMatchObject({ retries: 6, gaveUp: 2, lostMs: 41 });
  const paused = { ...noHealth, pauseMs: 5 };
  expect(mergeHealth([paused, paused]).pauseMs).toBe(10);
});

test('commits of several workers are one histogram; one that made none adds nothing', () => {
  const commit = (ms: number) => {
    const one = new Histogram();
    one.record(ms * 1e6);
    return { ...noCalls, commits: 1, commit: one.encode() };
  };
  const merged = Histogram.decode(mergeCounts([commit(2), noCalls, commit(8)]).commit!);
  expect(merged.count).toBe(2);
  expect(merged.max / 1e6).toBeCloseTo(8, 0);
  expect(mergeCounts([noCalls, noCalls]).commit).toBeNull();
});

test('calls whose rows the server did not report are still such in the sum', () => {
  const { service } = noCalls;
  const own = { name: 'find', kind: 'statement', calls: 5, rows: 0, errors: {}, service, failed: null } as const;
  expect(mergeStatements([[{ ...own, uncounted: 2 }], [own]])).toMatchObject([{ calls: 10, uncounted: 2 }]);
  expect(mergeStatements([[own], [own]])[0]).not.toHaveProperty('uncounted');
});

const time = { wallMs: 10, generateMs: 1, encodeMs: 2, decodeMs: 1, engineMs: 0, otherMs: 1, waitMs: 4, idleMs: 1 };
const calls = { calls: 2, seen: 1, sendMs: 1, waitMs: 4, receiveMs: 2, gapMs: 1, roundTrips: 2 };

test('the time of several processes adds up', () => {
  const one = { ...noHealth, processTime: time, callTime: calls, transactionTime: null };
  const merged = mergeHealth([one, one]);
  expect(merged.processTime).toEqual({
    ...time,
    wallMs: 20,
    generateMs: 2,
    encodeMs: 4,
    decodeMs: 2,
    otherMs: 2,
    waitMs: 8,
    idleMs: 2,
  });
  expect(merged.callTime).toEqual({ calls: 4, seen: 2, sendMs: 2, waitMs: 8, receiveMs: 4, gapMs: 2, roundTrips: 4 });
  expect(merged.transactionTime).toBeNull();
});

test('calls that one process did not see have no sum', () => {
  const one = { ...noHealth, processTime: time, callTime: calls, transactionTime: calls };
  expect(mergeHealth([one, { ...one, callTime: null }])).toMatchObject({
    callTime: null,
    transactionTime: { calls: 4 },
  });
});

test('slowest calls add up, too', () => {
  const slowest = { calls: 10, ms: 80, pausedMs: 60, delayedByPauses: 7, pauses: 3 };
  const one = { ...noHealth, slowest };
  expect(mergeHealth([one, one]).slowest).toEqual({
    calls: 20,
    ms: 160,
    pausedMs: 120,
    delayedByPauses: 14,
    pauses: 6,
  });
});
