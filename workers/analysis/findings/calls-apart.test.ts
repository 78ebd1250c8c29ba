import { expect, test } from 'vitest';
import type { NumberedCall } from '#contract/measurement.ts';
import { clientSaturated } from './client-saturated.ts';
import { callTime, type MadeRun, madeRun, outcomesOf, processTime } from './findings.fixture.ts';
import { generationBound } from './generation-bound.ts';
import { roundTripBound } from './round-trip-bound.ts';

const call: NumberedCall = { ms: 100, rows: 100, probeDelta: {} };

/** A client that would be its own limit, were it not for what goes on between the calls. */
const run = (eachCall?: readonly NumberedCall[]): MadeRun => ({
  workload: { generation: 'inline' },
  calibration: [{ kind: 'roundTrip', target: 'server', p50Us: 80 }],
  trial: () => ({
    health: {
      processTime: processTime({ generateMs: 9_000, encodeMs: 0, decodeMs: 0 }),
      callTime: callTime(10_000, { waitMs: 0.1, roundTrips: 1 }),
    },
    ...(eachCall && { result: { eachCall } }),
  }),
});

test.each([clientSaturated, generationBound, roundTripBound])(
  '$id cannot be told from calls that are told apart',
  (rule) => {
    expect(outcomesOf(rule, run())[0]!.status).toBe('shown');
    expect(outcomesOf(rule, run([call, call]))[0]!.status).toBe('cannotTell');
  },
);

test('shares of the client’s time are not shown of calls that are told apart', () => {
  expect(madeRun(run()).cells[0]).toMatchObject({ clientShare: {}, clientTime: {} });
  expect(madeRun(run([call, call])).cells[0]).toMatchObject({ clientShare: null, clientTime: null });
});
