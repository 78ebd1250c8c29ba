import { expect, test } from 'vitest';
import type { Pauses } from '#protocol/measurement.ts';
import { processTime } from '../shared/findings.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { judged, mistakesOf, type SmallTrial } from '../shared/small-run.fixture.ts';
import { coordinatedOmission } from './coordinated-omission.ts';

const free: Pauses = { gcPauses: 2, gcLongestMs: 1, loopLongestMs: 12, noProcessorMs: 3 };

const run = (
  service: NonNullable<SmallTrial['service']>,
  {
    connections = 1,
    pauses = free,
    inProcess = false,
  }: { connections?: number; pauses?: Pauses; inProcess?: boolean } = {},
) => {
  const calls = service.reduce((sum, [, times]) => sum + times, 0);
  const health = { processTime: processTime({}), pauses };
  return judged(coordinatedOmission, {
    cells: [
      { settings: { connections }, trials: [{ perSecond: Array(10).fill(calls / 10) as number[], service, health }] },
    ],
    descriptor: { inProcess },
  });
};

const stall = [
  [0.8, 9_999],
  [2_000, 1],
] as const;

test('one stall of a fifth of the time, which a closed loop counts as one call', () => {
  // Ten seconds: 10,000 calls of 0.8 ms, and one of 2 s. An arrival in those 2 s would have waited 1 s on average.
  const { facts, outcomes } = run(stall);
  expect(outcomes[0]).toMatchObject({ status: 'shown', confidence: 'likely' });
  const evidence = outcomes[0]?.status === 'shown' ? outcomes[0].evidence : [];
  expect(evidence.find(({ label }) => label === 'p99 as measured')?.value).toBeCloseTo(0.8, 2);
  // One call per ms is missing: the correction adds 2,000 values from 1 ms to 2 s to the 10,000, and the p99 of all is
  // the 120th largest.
  expect(evidence.find(({ label }) => label === 'p99 corrected')?.value).toBeCloseTo(1_880, -1.2);
  expect(evidence.find(({ label }) => label === 'Calls added')?.value).toBeCloseTo(1_998, -1);
  expect(pictureText(outcomes[0])).toMatch(/^Latency: p99 corrected 1\.8\d\ss, p99 as measured 80\d\sµs$/);
  expect(mistakesOf(facts, outcomes[0])).toEqual([]);
});

test('silent without a stall, and where it changes no percentile', () => {
  expect(run([[0.9, 10_000]]).outcomes[0]?.status).toBe('notShown');
  // With exponential durations, a call of ten times the mean is no stall.
  const queue = Array.from(
    { length: 80 },
    (_, i) => [(i + 0.5) / 10, Math.round(9_500 * Math.exp(-i / 10) * 0.1)] as const,
  );
  expect(run(queue).outcomes[0]?.status).toBe('notShown');
  // One of sixteen connections stalls for a tenth of a second in ten seconds.
  const small = [
    [15, 9_999],
    [160, 1],
  ] as const;
  expect(run(small, { connections: 16 }).outcomes[0]?.status).toBe('notShown');
  expect(
    run([
      [0.1, 20],
      [200, 1],
    ]).outcomes[0]?.status,
  ).toBe('notShown');
});

test('a stall in which the client itself was held up is not said to be one of the server', () => {
  const status = (pauses: Partial<Pauses>) => run(stall, { pauses: { ...free, ...pauses } }).outcomes[0]?.status;
  expect(status({ loopLongestMs: 900 })).toBe('shown');
  expect(status({ loopLongestMs: 1_100 })).toBe('cannotTell');
});

test('is silent if the machine lacked processors, unless the stall is longer than these waits', () => {
  const status = (pauses: Partial<Pauses>) => run(stall, { pauses: { ...free, ...pauses } }).outcomes[0]?.status;
  expect(status({ noProcessorMs: 4_000, loopLongestMs: 600 })).toBe('cannotTell');
  expect(status({ noProcessorMs: 4_000, loopLongestMs: 400 })).toBe('shown');
  expect(status({ noProcessorMs: 100, loopLongestMs: 600 })).toBe('shown');
});

test('an engine inside the process holds it up by working, so only the time without a processor counts', () => {
  // Each of the ten seconds is alike; the stall extends into three of them.
  const status = (noProcessorMs: number) =>
    run(stall, { inProcess: true, pauses: { ...free, loopLongestMs: 2_000, noProcessorMs } }).outcomes[0]?.status;
  expect(status(320)).toBe('shown');
  expect(status(340)).toBe('cannotTell');
});

test('possible where the system does not tell for how long the process had no processor', () => {
  expect(run(stall, { inProcess: true, pauses: { ...free, noProcessorMs: null } }).outcomes[0]).toMatchObject({
    status: 'shown',
    confidence: 'possible',
  });
});
