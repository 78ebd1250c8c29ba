import { describe, expect, it } from 'vitest';
import type { MethodName } from '#model/settings/vocabulary.ts';
import { timesOf } from '../../run-model/journal-parts.fixture.ts';
import { hardParsing } from '../server/hard-parsing.ts';
import { callTime, type MadeRun, onlyShown, outcomesOf, processTime, timed } from '../shared/findings.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { fetchSizeTooSmall } from './fetch-size-too-small.ts';
import { roundTripBound } from './round-trip-bound.ts';

const nbsp = '\u00a0';

type RoundTrip = NonNullable<MadeRun['roundTrip']>;

describe('roundTripBound', () => {
  const waiting = (waitMs: number, more: Partial<MadeRun> = {}): MadeRun => ({
    workload: { operation: 'readByKey' },
    roundTrip: timed(0.08),
    trial: () => ({ health: { callTime: callTime(10_000, { sendMs: 0.01, waitMs, receiveMs: 0.01 }) } }),
    ...more,
  });
  it('counts round trips as long as the cheapest statement’s', () => {
    const shown = onlyShown(roundTripBound, waiting(0.1));
    expect(shown.confidence).toBe('likely');
    expect(shown.explains).toBeCloseTo(0.08 / 0.12);
    expect(pictureText(shown)).toMatch(
      /^A call, 120\sµs: round trips 66\.7\s%, server 16\.7\s%, send and receive 16\.7\s%$/,
    );
    expect(shown.claim).toContain(`66.7${nbsp}%`);
  });
  it('calls no part of a call as long as a statement that took longer than its calls waited', () => {
    const shown = onlyShown(roundTripBound, waiting(0.1, { roundTrip: timed(0.13) }));
    expect(shown.explains).toBeCloseTo(0.1 / 0.12);
    expect(pictureText(shown)).toMatch(/: round trips 83\.3\s%, server 0\s%, send and receive 16\.7\s%$/);
    expect(shown.claim).toMatch(
      /takes 120\sµs, 83\.3\s% of it waiting for 1 round trip, and .* takes no less by itself \(130\sµs/,
    );
  });
  it('is silent where the server takes most of a call', () => {
    expect(outcomesOf(roundTripBound, waiting(0.2))[0]!.status).toBe('notShown');
  });
  it('cannot tell if waits for a processor lengthen the round trip', () => {
    const starved = (noProcessorMs: number): MadeRun => ({
      ...waiting(0.1),
      trial: () => ({
        health: {
          callTime: callTime(10_000, { sendMs: 0.01, waitMs: 0.1, receiveMs: 0.01 }),
          processTime: processTime({}),
          pauses: { gcPauses: 0, gcLongestMs: 0, loopLongestMs: 50, noProcessorMs },
        },
      }),
    });
    expect(onlyShown(roundTripBound, starved(100)).confidence).toBe('likely');
    expect(outcomesOf(roundTripBound, starved(5_000))[0]).toMatchObject({
      status: 'cannotTell',
      why: expect.stringContaining('short of processors') as string,
    });
  });
  it('is certain where calls that carry more rows do more', () => {
    const sweep: MadeRun = {
      ...waiting(0.1),
      workload: { operation: 'insert', method: 'multiRow' },
      factors: { rowsPerCall: [1, 10] },
      trial: ({ settings: { rowsPerCall } }) => ({
        rate: rowsPerCall === 1 ? 1_000 : 8_000,
        health: {
          callTime: callTime(10_000, { sendMs: 0.01, waitMs: rowsPerCall === 1 ? 0.1 : 0.9, receiveMs: 0.01 }),
        },
      }),
    };
    expect(onlyShown(roundTripBound, sweep).confidence).toBe('certain');
  });
  it('cannot tell without the cheapest statement or sockets, and has no round trip inside the client', () => {
    const untimed: MadeRun = { ...waiting(0.1), roundTrip: undefined as never };
    expect(outcomesOf(roundTripBound, untimed)[0]!.status).toBe('cannotTell');
    expect(outcomesOf(roundTripBound, { roundTrip: timed(0.08) })[0]!.status).toBe('cannotTell');
    const inside = { targets: [{ name: 'server', descriptor: { inProcess: true } }] };
    expect(outcomesOf(roundTripBound, waiting(0.1, inside))[0]!.status).toBe('notShown');
  });
});

describe('roundTripBound beside faster cells', () => {
  /** Literal calls take 140 µs; the calls of the other level have this duration and this number of round trips. */
  const beside = (
    otherMs: number | null,
    { roundTrips = 1, cheapestMs = 0.1, factors = { method: ['literal', 'bind'] }, gain = 1 }: Beside = {},
  ): MadeRun => ({
    workload: { operation: 'readByKey', method: 'literal' },
    factors,
    roundTrip: timed(cheapestMs),
    trial: ({ settings: { method, connections } }) => {
      const isFirst = method === 'literal' && connections === 1;
      const each = { sendMs: 0.005, waitMs: (isFirst ? 0.14 : (otherMs ?? 0)) - 0.01, receiveMs: 0.005 };
      return {
        rate: isFirst ? 1_000 : 1_000 * gain,
        health: {
          callTime: isFirst
            ? callTime(10_000, each)
            : otherMs === null
              ? null
              : callTime(10_000, { ...each, roundTrips }),
        },
      };
    },
  });
  interface Beside {
    readonly roundTrips?: number;
    readonly cheapestMs?: number;
    readonly factors?: NonNullable<MadeRun['factors']>;
    readonly gain?: number;
  }
  const literal = (run: MadeRun) => outcomesOf(roundTripBound, run)[0]!;

  it('takes no round trip for longer than a whole call of another cell that makes as many', () => {
    const one = literal(beside(0.09));
    expect(one).toMatchObject({ status: 'shown', claim: expect.stringMatching(/64\.3\s% of it at most.*bind.*90/) });
    expect(one.status === 'shown' && one.explains).toBeCloseTo(0.09 / 0.14, 10);
  });
  it('cannot tell if the cheapest statement took much longer than the call', () => {
    expect(literal(beside(0.076))).toMatchObject({
      status: 'cannotTell',
      why: expect.stringMatching(/100\sµs.*bind.*76/) as string,
    });
  });
  it('is silent if the call leaves less than half of its time for the round trip', () => {
    expect(literal(beside(0.06))).toMatchObject({
      status: 'notShown',
      why: expect.stringMatching(/42\.9\s%.*at most/),
    });
  });
  it('does not ask a cell that makes fewer round trips, or from more connections', () => {
    const alone = { status: 'shown', explains: 0.1 / 0.14 };
    expect(literal(beside(0.06, { roundTrips: 0.5 }))).toMatchObject(alone);
    expect(literal(beside(0.06, { factors: { connections: [1, 4] } }))).toMatchObject(alone);
  });
  it('attributes to round trips the time that hard parsing does not explain', () => {
    const run = beside(null, { gain: 1.6 });
    const parsing = onlyShown(hardParsing, run);
    const one = literal(run);
    expect(one).toMatchObject({ status: 'shown', claim: expect.stringContaining('at most') as string });
    expect(one.status === 'shown' && one.explains + parsing.explains).toBeCloseTo(1, 10);
    expect(literal(beside(null, { gain: 3 })).status).toBe('notShown');
  });
  it('holds for the round trips of small fetches, too', () => {
    const scan = (method: MethodName): MadeRun => ({
      workload: { operation: 'scan', fetchSize: 1 },
      factors: { method: ['literal', method] },
      roundTrip: timed(0.08),
      trial: ({ settings }) => ({
        rowsPerCall: 100,
        health: { callTime: callTime(100, { waitMs: settings.method === 'literal' ? 10 : 7, roundTrips: 101 }) },
      }),
    });
    const [first] = outcomesOf(fetchSizeTooSmall, scan('bind'));
    expect(first!.status === 'shown' && first!.explains).toBeCloseTo(0.7 * (100 / 101), 10);
  });
});

describe('roundTripBound and the network', () => {
  const run = (roundTrip: RoundTrip, waitMs: number, more: Partial<MadeRun> = {}): MadeRun => ({
    workload: { operation: 'readByKey' },
    roundTrip,
    trial: () => ({ health: { callTime: callTime(1_000, { sendMs: 0.01, waitMs, receiveMs: 0.01 }) } }),
    ...more,
  });
  it('cannot tell by a statement that took longer than whole calls', () => {
    // Figures of a machine that was busy while the cheapest statement was timed: 441 µs per call, 3.55 ms for the
    // statement.
    expect(outcomesOf(roundTripBound, run(timed(3.55), 0.421))[0]).toMatchObject({
      status: 'cannotTell',
      why: expect.stringMatching(/3\.55\sms.*441\sµs/) as string,
    });
  });
  it('does not blame the network for a server that takes 3 ms for any request, on this machine or another', () => {
    for (const roundTrip of [timed(3, 0.05, true), timed(3, 0.2), timed(3, 1.2)]) {
      const shown = onlyShown(roundTripBound, run(roundTrip, 3.1));
      expect(shown.advice).not.toContain('closer');
      expect(shown.claim).toContain('driver and server');
    }
    expect(onlyShown(roundTripBound, run(timed(3, 0.05, true), 3.1)).claim).toContain('no network');
  });
  it('is silent where the statement takes the 3 ms', () => {
    expect(outcomesOf(roundTripBound, run(timed(0.06, 0.05, true), 3))[0]!.status).toBe('notShown');
  });
  it('attributes the time of handshakes to the network', () => {
    const shown = onlyShown(roundTripBound, run(timed(5, 5.6), 5.1));
    expect(shown.advice).toContain('closer');
    // A millisecond of the handshake may be the first use of its code, so 4.6 of 5.12 ms remain.
    expect(shown.claim).toContain(`At least 89.8${nbsp}% is the network’s`);
  });
  it('cannot separate the network from a handshake that is longer for another reason', () => {
    for (const shortestMs of [0.65, 2.5]) {
      const shown = onlyShown(roundTripBound, run(timed(0.2, shortestMs), 0.22));
      expect(shown.claim).toContain('cannot be told');
      expect(shown.advice).not.toContain('closer');
      expect(shown.advice).not.toContain('shorter network');
    }
  });
  it('reports that handshakes could not be measured', () => {
    const shown = onlyShown(roundTripBound, run({ cheapestMs: 3, handshakes: null }, 3.1));
    expect(shown.claim).toContain('cannot be told');
    expect(shown.advice).not.toContain('closer');
  });
  it('blames neither network nor tunnel behind an SSH tunnel, whose cost the statement contains', () => {
    const shown = onlyShown(roundTripBound, run({ cheapestMs: 3, handshakes: null, tunnel: 'ssh' }, 3.1));
    expect(shown.claim).toContain('go through an SSH tunnel');
    expect(shown.claim).toContain('cannot be told');
    expect(shown.advice).not.toContain('closer');
  });
  it('attributes the delay of a network emulator to the network', () => {
    const emulated = {
      intended: timesOf([50, 100]),
      added: timesOf([50.4, 100]),
      sentBytes: 1,
      receivedBytes: 1,
      utilisation: 0.1,
    };
    const shown = onlyShown(roundTripBound, {
      ...run(timed(0.06, 0.05, true), 51),
      trial: () => ({
        health: { callTime: callTime(100, { sendMs: 0.01, waitMs: 51, receiveMs: 0.01 }) },
        result: { network: emulated },
      }),
    });
    expect(shown.advice).toContain('closer');
  });
});
