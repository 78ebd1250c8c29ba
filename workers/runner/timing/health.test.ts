import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { collectGarbage } from '../process/garbage.ts';
import { type Activity, startHealth } from './health.ts';

const nothing: Activity = {
  generateMs: 0,
  encodeMs: 0,
  inCallsMs: 0,
  transactionMs: 0,
  pauseMs: 0,
  driverMs: { encode: 0, decode: 0, engine: 0 },
  idle: { idleMs: 0, restMs: 0 },
  calls: null,
  wire: null,
};

function busy(forMs: number): void {
  const end = performance.now() + forMs;
  while (performance.now() < end);
}

test('what holds the process up is counted: pauses, and a loop that comes to nothing', async () => {
  using health = startHealth(() => nothing);
  // The delay is that of a timer, which has to be running first.
  await sleep(50);
  busy(300);
  collectGarbage();
  await sleep(50);
  const first = health.interval().pauses!;
  expect(first.gcPauses).toBeGreaterThanOrEqual(1);
  expect(first.gcLongestMs).toBeGreaterThan(0);
  expect(first.loopLongestMs).toBeGreaterThanOrEqual(280);
  const whole = health.whole();
  expect(whole.pauses!.gcLongestMs).toBeGreaterThanOrEqual(first.gcLongestMs);
  expect(whole.pauses!.gcLongestMs).toBeLessThanOrEqual(whole.gcMs);
});

test.runIf(canRead('/proc/self/schedstat'))('so is being without a processor, where the system tells', async () => {
  using health = startHealth(() => nothing);
  await sleep(20);
  const { noProcessorMs } = health.whole().pauses!;
  expect(noProcessorMs).toBeGreaterThanOrEqual(0);
});

test('parts that are estimated from samples have no more time than there was', async () => {
  let now = nothing;
  const startMs = performance.now();
  using health = startHealth(() => now);
  await sleep(100);
  // A call that was looked at lost the processor, and stands for a hundred others.
  const driverMs = { encode: 1_000, decode: 2_000, engine: 60 };
  now = { ...nothing, generateMs: 5_000, encodeMs: 1_000, inCallsMs: 60, driverMs };
  const { generateMs, encodeMs, processTime: time } = health.whole();
  const passedMs = performance.now() - startMs;
  expect(time!.wallMs).toBeLessThanOrEqual(passedMs + 5);
  expect(time!.engineMs).toBe(60);
  expect(time!.generateMs + time!.encodeMs + time!.decodeMs + 60).toBeCloseTo(time!.wallMs, 6);
  expect(generateMs).toBe(time!.generateMs);
  expect(generateMs / encodeMs).toBeCloseTo(5, 9);
});

function canRead(file: string): boolean {
  try {
    return readFileSync(file).length > 0;
  } catch {
    return false;
  }
}
