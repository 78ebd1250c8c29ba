import { afterEach, expect, test, vi } from 'vitest';
import type { Operation } from '#engine-api/operation.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { BatchMaker } from './batch-maker.ts';
import { CallSource } from './call-source.ts';
import { CallTracker } from './call-tracker.ts';
import { numberRange } from './numbering.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('the time to make calls is estimated from samples, without the time that sampling takes', () => {
  // The test has its own clock: a batch takes 3 µs, encoding takes 5 µs, choosing the next sample takes 40 µs.
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const { log } = Math;
  vi.spyOn(Math, 'log').mockImplementation((value) => {
    nowMs += 0.02;
    return log(value);
  });
  const batch: Batch = { rows: 1, columns: [] };
  const maker: BatchMaker = {
    callsPerBlock: 1,
    make: () => {
      nowMs += 0.003;
      return batch;
    },
    batchRows: () => 1,
  };
  const encode = () => {
    nowMs += 0.005;
    return undefined;
  };
  const calls = 200_000;
  const source = new CallSource(maker, new CallTracker(numberRange(0, calls, 1)));
  const operation = { encode } as unknown as Operation;
  for (let call = 0; call < calls; call++) source.take(0, operation, false);

  expect(source.generateMs / (calls * 0.003)).toBeCloseTo(1, 2);
  expect(source.encodeMs / (calls * 0.005)).toBeCloseTo(1, 2);
});
