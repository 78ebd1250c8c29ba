import { expect, test } from 'vitest';
import { judged, mistakesOf, type SmallCell, type SmallRun } from '../shared/small-run.fixture.ts';
import { delayedAck } from './delayed-ack.ts';

const noDelay = { name: 'noDelay', label: 'TCP_NODELAY', help: '', defaultValue: true };
const packetSize = { name: 'packetSize', label: 'Packet size', help: '', min: 512, max: 32_767, defaultValue: 4_096 };

/**
 * Made up, of a driver without TCP_NODELAY: most calls 0.6 ms, those of two packets 41 ms. Real ones:
 * integration/findings/findings-of-the-network.test.ts.
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

test('a mode at 40 ms: possible; likely where a request is larger than a packet', () => {
  expect(run([cell(stalled)]).outcomes[0]).toMatchObject({ status: 'shown', confidence: 'possible' });
  expect(run([cell(stalled, {}, 1_200)]).outcomes[0]).toMatchObject({ confidence: 'possible' });
  const { facts, outcomes } = run([cell(stalled, {}, 9_600)]);
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
