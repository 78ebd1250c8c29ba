import { describe, expect, it } from 'vitest';
import { formatCount } from '#model/format/format.ts';
import { callTime, type MadeRun, onlyShown, outcomesOf, timed } from '../shared/findings.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { fetchSizeTooSmall } from './fetch-size-too-small.ts';
import { roundTripBound } from './round-trip-bound.ts';

const nbsp = '\u00a0';

describe('fetchSizeTooSmall', () => {
  const fetching = (roundTrips: number, gain: number | null = null): MadeRun => ({
    workload: { operation: 'readRange', rangeRows: 100, fetchSize: 1 },
    factors: gain === null ? {} : { fetchSize: [1, 100] },
    roundTrip: timed(0.08),
    trial: ({ settings }) => ({
      rowsPerCall: 100,
      rate: settings.fetchSize === 1 ? 1_000 : 1_000 * (gain ?? 1),
      health: { callTime: callTime(1_000, { waitMs: 10, roundTrips: settings.fetchSize === 1 ? roundTrips : 1 }) },
    }),
  });
  it('adds the round trips up', () => {
    const shown = onlyShown(fetchSizeTooSmall, fetching(101));
    expect(shown.confidence).toBe('likely');
    expect(shown.explains).toBeCloseTo(0.8);
    expect(onlyShown(fetchSizeTooSmall, fetching(101, 5)).confidence).toBe('certain');
    expect(pictureText(onlyShown(fetchSizeTooSmall, fetching(101, 5)))).toBe(
      'Throughput (rows/s): this cell 1.00k, with Fetch size 100 5.01k',
    );
    expect(onlyShown(fetchSizeTooSmall, fetching(101, 1)).confidence).toBe('possible');
  });
  it('takes no more for round trips than calls waited, as the finding of that name', () => {
    const receiving: MadeRun = {
      workload: { operation: 'scan', method: 'bind', fetchSize: 1 },
      roundTrip: timed(0.08),
      trial: () => ({
        health: { callTime: callTime(50, { sendMs: 40, waitMs: 80, receiveMs: 40, roundTrips: 2_002 }) },
      }),
    };
    const shown = onlyShown(fetchSizeTooSmall, receiving);
    expect(shown.explains).toBeCloseTo(0.5, 10);
    expect(shown.claim).toContain(`${formatCount(2_002)} round trips`);
    expect(shown.claim).toContain(`50.0${nbsp}%`);
    expect(onlyShown(roundTripBound, receiving).explains).toBe(shown.explains);
    expect(onlyShown(roundTripBound, receiving).claim).toContain(`${formatCount(2_002)} round trips`);
  });
  it('is silent where rows come at once or round trips are a small part', () => {
    expect(outcomesOf(fetchSizeTooSmall, fetching(1))[0]!.status).toBe('notShown');
    expect(outcomesOf(fetchSizeTooSmall, fetching(20))[0]!.status).toBe('notShown');
    expect(outcomesOf(fetchSizeTooSmall, {})[0]!.status).toBe('notShown');
  });
});
