import { expect, test } from 'vitest';
import type { WorkerResult } from '#contract/measurement.ts';
import { apartMs, elapsedMs, noCalls } from './merge-results.ts';

const worker = (fromMs: number, toMs: number, calls = 1) =>
  ({
    firstStartNs: String(BigInt(fromMs) * 1_000_000n),
    lastEndNs: String(BigInt(toMs) * 1_000_000n),
    totals: { ...noCalls, calls },
  }) as WorkerResult; // the parts that count for time

test('elapsed is from the first start to the last end of all workers that called', () => {
  expect(elapsedMs([worker(100, 900), worker(150, 1_100)])).toBe(1_000);
  expect(elapsedMs([worker(100, 900), worker(0, 5_000, 0)])).toBe(800);
  expect(elapsedMs([])).toBe(0);
});

test('apart is the time before the last one began and after the first one was done', () => {
  expect(apartMs([worker(100, 900), worker(150, 1_100)])).toBe(250);
  expect(apartMs([worker(100, 900)])).toBe(0);
  expect(apartMs([worker(0, 100), worker(400, 500)])).toBe(500);
});
