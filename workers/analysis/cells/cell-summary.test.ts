import { expect, test } from 'vitest';
import { madeRun } from '../findings/shared/findings.fixture.ts';

test('calls that ended too late to count are no time between calls', () => {
  const { cells } = madeRun({
    workload: { connections: 2 },
    trial: () => ({
      health: { inCallsMs: 17_000, transactionMs: 2_000 },
      result: { elapsedMs: 10_000 },
    }),
  });
  // The total is two times ten seconds.
  expect(cells[0]!.clientShare).toMatchObject({ inCalls: 0.95 });
  expect(cells[0]!.clientShare!.other).toBeLessThanOrEqual(0.05);
});

const loads = (of: (repeat: number) => { readonly rows: number; readonly bytes: number } | undefined) =>
  madeRun({
    workload: { operation: 'insert' },
    repeats: 3,
    trial: ({ repeat }) => {
      const valueBytes = of(repeat);
      return { rate: 1_000, result: valueBytes ? { valueBytes } : {} };
    },
  }).cells[0]!;

test('the bytes per second are the rows per second times the bytes of a row', () => {
  const { rowsPerSecond, bytesPerSecond } = loads((repeat) => ({ rows: 100 * repeat, bytes: 3_600 * repeat }));
  expect(bytesPerSecond!.value).toBeCloseTo(rowsPerSecond!.value * 36);
  expect(bytesPerSecond!.n).toBe(3);
});

test('a cell of which one repeat does not know its bytes has none', () => {
  expect(loads((repeat) => (repeat === 2 ? undefined : { rows: 1, bytes: 36 })).bytesPerSecond).toBeNull();
});
