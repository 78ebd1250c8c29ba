import { expect, test } from 'vitest';
import { type Measured, measure, truthCases } from './truth.fixture.ts';

/**
 * No client can wait less than the service time, and every request is counted. A histogram’s buckets are 0.1 % wide.
 */
export function expectTrue({ client: dyno, log }: Measured): void {
  expect(dyno.count).toBe(log.count);
  expect(log.count).toBeGreaterThan(50);
  expect(dyno.meanMs).toBeGreaterThanOrEqual(log.meanMs * 0.999);
  for (const p of [50, 90, 99, 100]) expect(dyno.percentileMs(p)).toBeGreaterThanOrEqual(log.percentileMs(p) * 0.999);
}

/** Measures the cases whose name matches, each for three seconds. */
export const testCases = (name: RegExp): void =>
  test.each(truthCases(10).filter((one) => name.test(one.name)))(
    '$name: no request is left out, and none shorter than it was',
    async (one) => {
      const measured = await measure(one, 3, 0.3);
      expectTrue(measured);
      // The excess over the log is the delay of client and machine, not another queue.
      expect(measured.client.meanMs).toBeLessThan(2 * measured.log.meanMs + 5 * (measured.startError?.meanMs ?? 0));
    },
  );
