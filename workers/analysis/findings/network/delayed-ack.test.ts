import { expect, test } from 'vitest';
import { callTime } from '../shared/findings.fixture.ts';
import { judged, mistakesOf, type SmallCell, type SmallRun } from '../shared/small-run.fixture.ts';
import { delayedAck } from './delayed-ack.ts';

const noDelay = { name: 'noDelay', label: 'TCP_NODELAY', help: '', defaultValue: true };
const packetSize = { name: 'packetSize', label: 'Packet size', help: '', min: 512, max: 32_767, defaultValue: 4_096 };

/**
 * Made-up times of a driver without TCP_NODELAY: most calls take 0.6 ms, calls of two packets 41 ms.
 * integration/findings/findings-of-the-network.alone.test.ts has real times.
 */
const stalled: readonly (readonly [number, number])[] = [
  [0.6, 600],
  [40.6, 30],
  [41.2, 80],
  [43, 20],
  [52, 3],
];
const cell = (
  service: typeof stalled,
  levels: SmallCell['levels'] = {},
  sentPerCall: number | null = null,
): SmallCell => ({
  levels,
  trials: [{ perSecond: [733], service, health: { wireSentBytes: sentPerCall === null ? null : sentPerCall * 733 } }],
});
const run = (cells: readonly SmallCell[], more: Partial<SmallRun> = {}) =>
  judged(delayedAck, { cells, descriptor: { options: [noDelay, packetSize] }, ...more });

test('a mode at 40 ms: possible; likely where a request is larger than a packet of a driver without TCP_NODELAY', () => {
  expect(run([cell(stalled)]).outcomes[0]).toMatchObject({ status: 'shown', confidence: 'possible' });
  expect(run([cell(stalled, {}, 1_200)]).outcomes[0]).toMatchObject({ confidence: 'possible' });
  expect(run([cell(stalled, {}, 9_600)]).outcomes[0]).toMatchObject({ confidence: 'possible' });
  const { facts, outcomes } = run([cell(stalled, { 'server.noDelay': false }, 9_600)]);
  expect(outcomes[0]).toMatchObject({
    confidence: 'likely',
    claim: expect.stringMatching(/more than one packet of 4\.00\sKiB/) as string,
  });
  expect(mistakesOf(facts, outcomes[0])).toEqual([]);
});

test('likely where the same with TCP_NODELAY has none', () => {
  const { outcomes } = run([
    cell(stalled, { 'server.noDelay': false }),
    cell([[0.6, 733]], { 'server.noDelay': true }),
  ]);
  expect(outcomes.map((one) => one.status)).toEqual(['shown', 'notShown']);
  expect(outcomes[0]).toMatchObject({ confidence: 'likely' });
});

test('cannot tell of a statement that takes 41 ms in most of its calls, and fits in a packet', () => {
  const honest: typeof stalled = [
    [38, 20],
    [41, 700],
    [44, 60],
  ];
  expect(run([cell(honest, {}, 34)]).outcomes[0]?.status).toBe('cannotTell');
  // Only a driver without TCP_NODELAY holds back a request that is larger than a packet.
  expect(run([cell(honest, {}, 9_600)]).outcomes[0]?.status).toBe('cannotTell');
  expect(run([cell(honest, { 'server.noDelay': false }, 9_600)]).outcomes[0]).toMatchObject({ confidence: 'likely' });
});

/** Nearly all calls wait for an acknowledgement. */
const allStalled: typeof stalled = [
  [0.6, 20],
  [41, 80],
];
/** Seconds of 100 calls, each with a session that works or waits for its client. */
const second = (
  service: typeof stalled,
  seen: 'idle' | 'at work' | 'not told',
  each: Parameters<typeof callTime>[1],
) => ({
  levels: {},
  trials: [
    {
      perSecond: [24, 24, 24, 24, 24, 24],
      service: service.map(([ms, calls]) => [ms, Math.round(calls * 1.44)] as const),
      health: { callTime: callTime(144, each) },
      ...(seen !== 'not told' && {
        samples: Array.from({ length: 7 }, () => ({
          gauges: { 'wait:Client:ClientRead': seen === 'idle' ? 1 : 0, running: seen === 'idle' ? 0 : 1 },
        })),
      }),
    },
  ],
});
const sampled = {
  probeInfo: {
    'wait:Client:*': { label: 'Waiting', unit: 'count', class: 'client' },
    running: { label: 'Running', unit: 'count', class: 'cpu' },
  },
} as const;

test('answers that begin and pause: possible; likely where the server was idle meanwhile', () => {
  const pausing = { waitMs: 0.5, receiveMs: 33, gapMs: 32.8 };
  const { facts, outcomes } = run([second(allStalled, 'not told', pausing)]);
  expect(outcomes[0]).toMatchObject({
    status: 'shown',
    confidence: 'possible',
    claim: expect.stringMatching(/Answers begin and then pause: nothing arrives for 32\.8\sms/) as string,
    advice: expect.stringContaining('proxy') as string,
  });
  expect(mistakesOf(facts, outcomes[0])).toEqual([]);
  expect(run([second(allStalled, 'idle', pausing)], sampled).outcomes[0]).toMatchObject({ confidence: 'likely' });
});

test('on a busy machine calls of the mode come later: shown where answers pause', () => {
  const late: typeof stalled = [
    [0.6, 20],
    [43, 60],
    [56, 20],
  ];
  expect(run([second(late, 'idle', { waitMs: 0.5, receiveMs: 35, gapMs: 34 })], sampled).outcomes[0]?.status).toBe(
    'shown',
  );
  expect(run([second(late, 'idle', { waitMs: 35 })], sampled).outcomes[0]?.status).toBe('notShown');
});

test('cannot tell by few samples whether the server was at work during the pause', () => {
  const one = second(allStalled, 'idle', { waitMs: 0.5, receiveMs: 33, gapMs: 32.8 });
  const few = { ...one, trials: one.trials.map((trial) => ({ ...trial, samples: trial.samples?.slice(0, 3) ?? [] })) };
  expect(run([few], sampled).outcomes[0]?.status).toBe('cannotTell');
});

test('silent about statements of 41 ms: without a pause in the answer, and where the server was at work', () => {
  const honest: typeof stalled = [[41, 100]];
  expect(run([second(honest, 'not told', { waitMs: 41 })]).outcomes[0]?.status).toBe('cannotTell');
  const inTwoPieces = { waitMs: 0.5, receiveMs: 40.5, gapMs: 40 };
  expect(run([second(honest, 'at work', inTwoPieces)], sampled).outcomes[0]?.status).toBe('notShown');
  expect(run([second(honest, 'at work', { waitMs: 41 })], sampled).outcomes[0]?.status).toBe('notShown');
});

test('Windows withholds for 200 ms', () => {
  const windows = stalled.map(([ms, calls]) => [ms > 30 ? ms + 160 : ms, calls] as const);
  expect(run([cell(windows)]).outcomes[0]).toMatchObject({ claim: expect.stringContaining('Windows') as string });
});

test('silent about latencies that are broad, far away, or few', () => {
  const status = (service: typeof stalled, more?: Partial<SmallRun>) => run([cell(service)], more).outcomes[0]?.status;
  const broad = Array.from({ length: 100 }, (_, i) => [1 + i, 10] as const);
  expect(status(broad)).toBe('notShown');
  expect(status([[0.6, 733]])).toBe('notShown');
  expect(status([...stalled.slice(0, 1), [41, 5]])).toBe('notShown');
  expect(status(stalled, { roundTripMs: 39 })).toBe('notShown');
  expect(run([{ trials: [{ perSecond: [40], service: [[41, 40]] }] }]).outcomes[0]?.status).toBe('cannotTell');
  expect(status(stalled, { descriptor: { inProcess: true } })).toBe('notShown');
});
