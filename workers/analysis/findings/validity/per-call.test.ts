import { expect, test } from 'vitest';
import type { NumberedCall } from '#protocol/measurement.ts';
import { timesOf } from '../../run-model/journal-parts.fixture.ts';
import { clientSaturated } from '../client/client-saturated.ts';
import { generationBound } from '../client/generation-bound.ts';
import { errorsHideThroughput } from '../load/errors-hide-throughput.ts';
import { roundTripBound } from '../network/round-trip-bound.ts';
import { hardParsing } from '../server/hard-parsing.ts';
import { callTime, type MadeRun, madeRun, onlyShown, outcomesOf, processTime } from '../shared/findings.fixture.ts';

const call: NumberedCall = { ms: 100, rows: 100, probeDelta: {} };

/** A client that would be the limit if the time between calls counted. */
const run = (perCall?: readonly NumberedCall[]): MadeRun => ({
  workload: { generation: 'inline' },
  roundTrip: { cheapestMs: 0.08, handshakes: null },
  trial: () => ({
    health: {
      processTime: processTime({ generateMs: 8_000, encodeMs: 0, decodeMs: 0 }),
      callTime: callTime(10_000, { waitMs: 0.1, roundTrips: 1 }),
    },
    ...(perCall && { result: { perCall } }),
  }),
});

test.each([clientSaturated, generationBound, roundTripBound])(
  '$id cannot be told from calls that are reported one by one',
  (rule) => {
    expect(outcomesOf(rule, run())[0]!.status).toBe('shown');
    expect(outcomesOf(rule, run([call, call]))[0]!.status).toBe('cannotTell');
  },
);

test('shares of the client’s time are not shown of calls that are reported one by one', () => {
  expect(madeRun(run()).cells[0]).toMatchObject({ clientShare: {}, clientTime: {} });
  expect(madeRun(run([call, call])).cells[0]).toMatchObject({ clientShare: null, clientTime: null });
});

/**
 * A trial of 10 s in which Dyno read the server's counters nearly all the time: 200 calls of 1 ms, some of which fail.
 */
const mostlyProbes = (failures: number): MadeRun => {
  return {
    workload: { operation: 'update', method: 'literal' },
    targets: [{ name: 'server', probeInfo: { hard: { unit: 'count', label: 'Plans made', role: 'hardParses' } } }],
    trial: () => ({
      totals: {
        calls: 200 - failures,
        errors: failures > 0 ? { timeout: failures } : {},
        failed: failures > 0 ? timesOf([1, failures]) : null,
      },
      result: {
        probeDelta: { hard: 200 },
        perCall: Array.from({ length: 200 }, (_, i) => ({ ms: i < failures ? null : 1, rows: 1, probeDelta: {} })),
      },
    }),
  };
};

test('rates and shares of time cover the calls, without the time between them', () => {
  const parsing = onlyShown(hardParsing, mostlyProbes(0));
  expect(parsing.evidence.find(({ label }) => label === 'Plans made')?.value).toBeCloseTo(1_000);
  expect(outcomesOf(errorsHideThroughput, mostlyProbes(0))[0]!.status).toBe('notShown');
  expect(onlyShown(errorsHideThroughput, mostlyProbes(100)).explains).toBeCloseTo(0.5);
});

test('time that conflicts undid is a share of the calls’ time', () => {
  const undone = mostlyProbes(0);
  const { cells } = madeRun({
    ...undone,
    trial: (of) => {
      const made = undone.trial!(of);
      return { ...made, totals: { ...made.totals, retries: 3, lostMs: 50 } };
    },
  });
  expect(cells[0]?.conflicts?.lostShare).toBeCloseTo(0.2);
});
