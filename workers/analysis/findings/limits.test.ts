import { describe, expect, it } from 'vitest';
import { formatCount } from '#model/format/format.ts';
import type { Isolation, MethodName } from '#model/settings/vocabulary.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { fingerprintOf, machineUseOf, timesOf } from '../run-model/journal-parts.fixture.ts';
import { gcInTail } from './client/gc-in-tail.ts';
import { generationBound } from './client/generation-bound.ts';
import { errorsHideThroughput } from './load/errors-hide-throughput.ts';
import { fetchSizeTooSmall } from './network/fetch-size-too-small.ts';
import { roundTripBound } from './network/round-trip-bound.ts';
import { commitBound } from './server/commit-bound.ts';
import { hardParsing } from './server/hard-parsing.ts';
import { callTime, type MadeRun, onlyShown, outcomesOf, processTime } from './shared/findings.fixture.ts';
import { highVariability } from './validity/high-variability.ts';
import { notSteady } from './validity/not-steady.ts';
import { settingsDiffer } from './validity/settings-differ.ts';

const nbsp = '\u00a0';

describe('generationBound', () => {
  const making = (generateMs: number, generation: 'inline' | 'prepared' = 'inline'): MadeRun => ({
    workload: { generation },
    trial: () => ({ health: { processTime: processTime({ generateMs }) } }),
  });
  it('says how much faster it could be at most', () => {
    const shown = onlyShown(generationBound, making(6_000));
    expect(shown.confidence).toBe('certain');
    expect(shown.claim).toContain('2.50×');
  });
  it('begins at a quarter of the time', () => {
    expect(onlyShown(generationBound, making(2_500)).confidence).toBe('likely');
    expect(outcomesOf(generationBound, making(2_400))[0]!.status).toBe('notShown');
  });
  it('is silent where rows were made before, and says what was made meanwhile all the same', () => {
    expect(outcomesOf(generationBound, making(0, 'prepared'))[0]).toMatchObject({
      status: 'notShown',
      why: 'Its rows were made before the clock started.',
    });
    expect(outcomesOf(generationBound, making(1_000, 'prepared'))[0]).toMatchObject({
      status: 'notShown',
      why: expect.stringContaining('10.0') as string,
    });
  });
  it('is shown where prepared calls ran out, and where reads choose keys, and advises what is left', () => {
    const ranOut = onlyShown(generationBound, making(6_000, 'prepared'));
    expect(ranOut.claim).toContain('ran out');
    expect(ranOut.advice).not.toContain('Set generation');
    expect(ranOut.confirm).toBeNull();
    const reads = onlyShown(generationBound, {
      workload: { operation: 'readByKey' },
      trial: () => ({ health: { processTime: processTime({ generateMs: 6_000 }) } }),
    });
    expect(reads.claim).not.toContain('rows');
  });
});

type RoundTrip = NonNullable<TrialResult['roundTrip']>;

const timed = (cheapestMs: number, shortestMs: number | null = cheapestMs * 0.9, sameMachine = false): RoundTrip => ({
  cheapestMs,
  handshakes: { shortestMs, sameMachine },
});

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
    expect(shown.claim).toContain(`66.7${nbsp}%`);
  });
  it('calls no part of a call as long as a statement that took longer than its calls waited', () => {
    const shown = onlyShown(roundTripBound, waiting(0.1, { roundTrip: timed(0.13) }));
    expect(shown.explains).toBeCloseTo(0.1 / 0.12);
    expect(shown.claim).toMatch(
      /takes 120\sµs, 83\.3\s% of it waiting for 1 round trip, and .* takes no less by itself \(130\sµs/,
    );
  });
  it('is silent where the server takes most of a call', () => {
    expect(outcomesOf(roundTripBound, waiting(0.2))[0]!.status).toBe('notShown');
  });
  it('cannot tell where waiting for a processor is what makes a round trip as long', () => {
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
  /** Literal calls of 140 µs; those of the other level take so long, and make so many round trips. */
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
  it('cannot tell where the cheapest statement took much longer than such a call', () => {
    expect(literal(beside(0.076))).toMatchObject({
      status: 'cannotTell',
      why: expect.stringMatching(/100\sµs.*bind.*76/) as string,
    });
  });
  it('is silent where such a call leaves less than half for the round trip', () => {
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
  it('leaves to round trips what hard parsing leaves of the same call', () => {
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
    // Figures of a machine that was busy when the cheapest statement was timed: 441 µs a call, 3.55 ms the statement.
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
  it('blames the network for what handshakes take', () => {
    const shown = onlyShown(roundTripBound, run(timed(5, 5.6), 5.1));
    expect(shown.advice).toContain('closer');
    // A millisecond of the handshake may be the first use of its code: 4.6 of 5.12 ms are left.
    expect(shown.claim).toContain(`At least 89.8${nbsp}% is the network’s`);
  });
  it('cannot tell the network from a handshake that is longer for another reason', () => {
    for (const shortestMs of [0.65, 2.5]) {
      const shown = onlyShown(roundTripBound, run(timed(0.2, shortestMs), 0.22));
      expect(shown.claim).toContain('cannot be told');
      expect(shown.advice).not.toContain('closer');
      expect(shown.advice).not.toContain('shorter network');
    }
  });
  it('says so where handshakes could not be seen', () => {
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
  it('takes what a network emulator added for the network', () => {
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

describe('commitBound', () => {
  const sampled = (log: number, cpu: number, fewer: number | null = null): MadeRun => ({
    factors: fewer === null ? {} : { callsPerCommit: [1, 100] },
    targets: [
      {
        name: 'server',
        probeInfo: {
          'wait:IO:WalSync': { unit: 'count', label: 'WAL sync', class: 'log' },
          'wait:cpu': { unit: 'count', label: 'running', class: 'cpu' },
        },
      },
    ],
    trial: ({ settings }) =>
      settings.callsPerCommit === 1
        ? { gauges: { 'wait:IO:WalSync': log, 'wait:cpu': cpu } }
        : { rate: 1_000 * fewer!, gauges: { 'wait:IO:WalSync': 0, 'wait:cpu': 4 } },
  });
  it('is likely by the server’s waits alone, certain with a variant that commits less often', () => {
    expect(onlyShown(commitBound, sampled(3, 1)).confidence).toBe('likely');
    const both = onlyShown(commitBound, sampled(3, 1, 10));
    expect(both.confidence).toBe('certain');
    expect(both.claim).toContain(`75.0${nbsp}%`);
    expect(both.evidence.map(({ label }) => label)).toContain('IO:WalSync, sessions × time');
  });
  it('is silent where the log is less than half and fewer commits bring nothing', () => {
    expect(outcomesOf(commitBound, sampled(1, 3, 1)).map(({ status }) => status)).toEqual(['notShown', 'notShown']);
  });
  it('is only possible where fewer commits brought nothing', () => {
    expect(onlyShown(commitBound, sampled(3, 1, 1)).confidence).toBe('possible');
  });
  it('cannot tell where the server does not, and is silent for reads', () => {
    expect(outcomesOf(commitBound, {})[0]).toMatchObject({
      status: 'cannotTell',
      why: 'This server does not report what its time goes into. No other variant commits less often.',
    });
    expect(outcomesOf(commitBound, { ...sampled(3, 1), trial: () => ({}) })[0]).toMatchObject({
      status: 'cannotTell',
      why: expect.stringContaining('a longer measured phase has some') as string,
    });
    expect(outcomesOf(commitBound, { workload: { operation: 'readByKey' } })[0]!.status).toBe('notShown');
  });
});

describe('hardParsing', () => {
  const parsing = (perExecution: number | null, gain: number | null, method: MethodName = 'literal'): MadeRun => ({
    factors: gain === null ? {} : { method: ['literal', 'bind'] },
    workload: gain === null ? { method } : {},
    targets: [
      {
        name: 'server',
        probeInfo: {
          hard: { unit: 'count', label: 'Plans made', role: 'hardParses' },
          runs: { unit: 'count', label: 'Executions', role: 'executions' },
        },
      },
    ],
    trial: ({ settings }) => ({
      rate: settings.method === 'bind' ? 1_000 * (gain ?? 1) : 1_000,
      result: {
        probeDelta:
          perExecution === null
            ? {}
            : { runs: 10_000, hard: settings.method === 'literal' ? 10_000 * perExecution : 5 },
      },
    }),
  });
  it('is certain where plans were counted and binding is faster', () => {
    const shown = onlyShown(hardParsing, parsing(1, 2));
    expect(shown.confidence).toBe('certain');
    expect(shown.explains).toBeCloseTo(0.5, 1);
  });
  it('is likely without the server’s count, and possible without the comparison', () => {
    expect(onlyShown(hardParsing, parsing(null, 2)).confidence).toBe('likely');
    expect(onlyShown(hardParsing, parsing(1, null)).confidence).toBe('possible');
  });
  it('is silent where binding brings nothing, where the server knows its statements, and for bound values', () => {
    expect(outcomesOf(hardParsing, parsing(1, 1)).map(({ status }) => status)).toEqual(['notShown', 'notShown']);
    expect(outcomesOf(hardParsing, parsing(0.1, null))[0]!.status).toBe('notShown');
    expect(outcomesOf(hardParsing, parsing(0.001, null, 'bind'))[0]!.status).toBe('notShown');
    expect(outcomesOf(hardParsing, parsing(null, null))[0]!.status).toBe('cannotTell');
  });

  it('leaves open what the repeats leave open', () => {
    const noisy = parsing(null, 1);
    const [literal] = outcomesOf(hardParsing, {
      ...noisy,
      trial: ({ repeat }) => ({ rate: 1_000 * (1 + 0.4 * (repeat % 2 === 0 ? 1 : -1)) }),
    });
    expect(literal).toMatchObject({ status: 'cannotTell', why: expect.stringContaining('leaves it open') });
  });
});

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

describe('gcInTail', () => {
  /** Ten seconds, 10,000 calls, a fiftieth of them slow; a second of pauses, which the process met in three of work. */
  const tail = (
    delayedByPauses: number,
    { slowMs = 10, pauses = 40, noProcessorMs = 30, gcMs = 1_000 }: Partial<Record<string, number | null>> = {},
  ): MadeRun => ({
    trial: () => ({
      latencyMs: (call) => (call % 50 === 0 ? slowMs! : 1),
      health: {
        gcMs: gcMs!,
        processTime: processTime({ otherMs: 2_000 }),
        pauses: { gcPauses: 200, gcLongestMs: 8, loopLongestMs: 9, noProcessorMs },
        slowest: { calls: 100, ms: 1_000, pausedMs: 700, delayedByPauses, pauses: pauses! },
      },
    }),
  });
  const statusOf = (run: MadeRun) => outcomesOf(gcInTail, run)[0]!.status;
  it('is certain where most of the slowest calls spent most of their time in pauses', () => {
    const shown = onlyShown(gcInTail, tail(90));
    expect(shown.confidence).toBe('certain');
    expect(shown.claim).toContain('450 of the 500 slowest calls');
    expect(shown.evidence.map(({ value }) => value)).toEqual([
      500,
      450,
      200,
      0.7,
      expect.closeTo(0.1, 10),
      8,
      150,
      expect.closeTo(10, 1),
      expect.closeTo(1, 1),
    ]);
  });
  it('is likely where pauses may be as long for the lack of a processor, and possible by a pause or two', () => {
    expect(onlyShown(gcInTail, tail(90, { noProcessorMs: null })).confidence).toBe('likely');
    expect(onlyShown(gcInTail, tail(90, { noProcessorMs: 600 })).confidence).toBe('likely');
    expect(onlyShown(gcInTail, { ...tail(90, { pauses: 2 }), repeats: 1 }).confidence).toBe('possible');
  });
  it('is silent where fewer did, where pauses are so many that any calls do, and of a short tail', () => {
    for (const run of [tail(49), tail(60, { gcMs: 3_000 }), tail(90, { slowMs: 2 })])
      expect(statusOf(run)).toBe('notShown');
  });
  it('cannot tell where whatever the processes did took as long for the lack of a processor, and where no call was looked at', () => {
    // Pauses are a third of their work: waiting for a processor meets them as often.
    expect(statusOf(tail(60, { gcMs: 1_900, noProcessorMs: 5_000 }))).toBe('cannotTell');
    expect(statusOf({ trial: () => ({ latencyMs: (call) => (call % 50 === 0 ? 10 : 1) }) })).toBe('cannotTell');
  });
});

describe('errorsHideThroughput', () => {
  it('says what share of the time came to nothing', () => {
    const shown = onlyShown(errorsHideThroughput, {
      workload: { operation: 'update', connections: 4, keyDistribution: 'hotspot' },
      trial: () => ({ totals: { errors: { deadlock: 900 }, retries: 900, gaveUp: 0, lostMs: 10_000 } }),
    });
    expect(shown).toMatchObject({ confidence: 'certain', explains: 0.25 });
    expect(shown.confirm?.edits).toContainEqual({
      path: ['factors'],
      value: { keyDistribution: ['hotspot', 'uniform'] },
    });
  });
  it('is silent without errors, and cannot tell without a trial', () => {
    expect(outcomesOf(errorsHideThroughput, {})[0]).toMatchObject({ status: 'notShown', why: 'No call failed.' });
    const failed: MadeRun = { trial: () => ({ result: { status: 'failed' } }) };
    expect(outcomesOf(errorsHideThroughput, failed)[0]!.status).toBe('cannotTell');
  });
});

describe('highVariability', () => {
  const scatter = (by: number, repeats = 5): MadeRun => ({
    repeats,
    trial: ({ repeat }) => ({ rate: 1_000 * (1 + by * (repeat % 2 === 0 ? 1 : -1)) }),
  });
  it('says how many repeats would do, and makes them', () => {
    const shown = onlyShown(highVariability, scatter(0.2));
    expect(shown.confidence).toBe('certain');
    expect(shown.claim).toContain('about 84 repeats');
    expect(shown.confirm?.edits.slice(-2)).toMatchObject([
      { path: ['measure', 'repeats'], value: { min: 5 } },
      { path: ['measure', 'until', 'precision'], value: 0.05 },
    ]);
  });
  it('names no more digits of the repeats than an estimate has', () => {
    expect(onlyShown(highVariability, scatter(0.8)).claim).toMatch(/about \d,\d00 repeats/);
  });
  it('names the processor where repeats go with its speed, and else does not', () => {
    const on = (calculationUs: (repeat: number) => number, more: Partial<TrialResult> = {}): MadeRun => ({
      repeats: 8,
      trial: ({ repeat }) => ({
        rate: repeat % 2 === 0 ? 1_500 : 1_000,
        result: { machine: machineUseOf({ calculationUs: calculationUs(repeat) }), ...more },
      }),
    });
    const slowed = (repeat: number) => (repeat % 2 === 0 ? 200 : 320) + repeat;
    const shown = onlyShown(highVariability, on(slowed));
    expect(shown.claim).toMatch(
      /faster while the processor was: \d\d\.\d\s% of their scatter .*took 202\sµs to 327\sµs/,
    );
    expect(shown.advice).toContain('no other virtual machine shares');
    expect(shown.evidence.map(({ label }) => label)).toContain('Fixed calculation, longest');
    for (const other of [
      on(() => 200),
      on((repeat) => 200 + 50 * Math.floor(repeat / 4)),
      on((repeat) => 500 - slowed(repeat)),
      on(slowed, { loadHosts: [] }),
      scatter(0.2, 8),
    ])
      expect(onlyShown(highVariability, other).claim).not.toContain('processor');
  });
  it('is silent below 10 %, and cannot tell of two repeats', () => {
    expect(outcomesOf(highVariability, scatter(0.05))[0]!.status).toBe('notShown');
    expect(outcomesOf(highVariability, scatter(0.2, 2))[0]!.status).toBe('cannotTell');
  });
});

describe('notSteady', () => {
  const random = new Sfc32(1, 2);
  const timeline = (to: number, length = 40): MadeRun => ({
    measure: { until: { seconds: length }, warmupSeconds: 1 } as never,
    trial: () => ({
      seconds: Array.from({ length }, (_, i) => 1_000 * (1 + ((to - 1) * i) / length) + 20 * random.unit()),
    }),
  });
  it('is certain where every trial drifts the same way', () => {
    const shown = onlyShown(notSteady, timeline(0.5));
    expect(shown.confidence).toBe('certain');
    expect(shown.confirm?.edits).toContainEqual({ path: ['measure', 'until', 'seconds'], value: 120 });
  });
  it('is silent where trials are steady, and cannot tell of short ones', () => {
    expect(outcomesOf(notSteady, timeline(1))[0]!.status).toBe('notShown');
    expect(outcomesOf(notSteady, timeline(0.5, 10))[0]!.status).toBe('cannotTell');
  });
});

describe('settingsDiffer', () => {
  const fingerprint = (durability: Readonly<Record<string, string>>) =>
    fingerprintOf({ product: 'Server', durability });
  const pair = (a: string, b: string, address = '127.0.0.1:1/x'): MadeRun => ({
    targets: [
      { name: 'a', fingerprint: fingerprint({ synchronous_commit: a }) },
      { name: 'b', address, fingerprint: fingerprint({ synchronous_commit: b }) },
    ],
  });
  it('names what differs', () => {
    const shown = onlyShown(settingsDiffer, pair('on', 'off'));
    expect(shown).toMatchObject({ confidence: 'certain', cell: null });
    expect(shown.claim).toContain('synchronous_commit (a on; b off)');
    expect(onlyShown(settingsDiffer, pair('on', 'on', 'db.example.com:1/x')).claim).toContain('loopback');
  });
  /** A server that begins without isolation, and has some for who asks; beside it one that reads what is committed. */
  const isolated = (isolation: Isolation): MadeRun => ({
    workload: { isolation },
    targets: [
      {
        name: 'a',
        descriptor: {
          id: 'family',
          isolations: { readCommitted: 'CS', repeatableRead: 'RS' },
        },
        fingerprint: fingerprint({ 'default isolation': 'NONE: a rollback undoes nothing' }),
      },
      {
        name: 'b',
        descriptor: {
          isolations: {
            readCommitted: 'READ COMMITTED',
            repeatableRead: 'REPEATABLE READ',
            snapshot: 'REPEATABLE READ',
          },
        },
        fingerprint: fingerprint({ transaction_isolation: 'READ-COMMITTED' }),
      },
    ],
  });
  it('quotes the isolation that the variants asked for, not what sessions begin with', () => {
    expect(onlyShown(settingsDiffer, isolated('default')).claim).toContain(
      'isolation (a NONE: a rollback undoes nothing; b READ-COMMITTED)',
    );
    expect(onlyShown(settingsDiffer, isolated('repeatableRead')).claim).toContain(
      'isolation (a repeatable read (RS); b snapshot (REPEATABLE READ))',
    );
    expect(outcomesOf(settingsDiffer, isolated('readCommitted')).map(({ status }) => status)).not.toContain('shown');
    const both = { ...isolated('default'), factors: { isolation: ['default', 'readCommitted'] } };
    expect(onlyShown(settingsDiffer, both).claim).toContain(
      'a NONE: a rollback undoes nothing; by variants read committed (CS); b READ-COMMITTED; by variants read committed',
    );
  });
  it('is silent for targets that are alike, and for one alone', () => {
    expect(outcomesOf(settingsDiffer, pair('on', 'on'))[0]!.status).toBe('notShown');
    expect(outcomesOf(settingsDiffer, {})[0]!.status).toBe('notShown');
  });
});
