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
