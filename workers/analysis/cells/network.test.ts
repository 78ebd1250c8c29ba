import { expect, test } from 'vitest';
import { defaultSettings } from '#model/settings/settings.ts';
import { networkText } from '#presentation/tables/client/network-table.ts';
import { networkCaveat } from '../caveats/network-caveats.ts';
import { timesOf } from '../run-model/journal-parts.fixture.ts';
import { networkSummary, roundTripSummary } from './network.ts';

const encoded = (ms: number, times = 2_000) => timesOf([ms, times]);
const network = (intendedMs: number, addedMs: number, utilisation = 0.1) => ({
  intended: encoded(intendedMs),
  added: encoded(addedMs),
  sentBytes: 1,
  receivedBytes: 1,
  utilisation,
});

test('repeats are added up; without a network emulator there is nothing', () => {
  expect(networkSummary([])).toBeNull();
  expect(networkSummary([undefined])).toBeNull();
  const summary = networkSummary([network(5, 5.2, 0.3), network(5, 5.6)])!;
  expect(summary).toMatchObject({ roundTrips: 4_000, utilisation: 0.3 });
  expect(summary.intendedMs).toBeCloseTo(5, 2);
  expect(summary.addedMs).toBeCloseTo(5.4, 2);
  expect(summary.p99Ms).toBeCloseTo(5.6, 2);
});

test('a network emulator that saw no answer has no times', () => {
  const none = { ...network(5, 5), intended: encoded(5, 0), added: encoded(5, 0) };
  expect(networkSummary([none])).toMatchObject({ roundTrips: 0, intendedMs: null, addedMs: null, p50Ms: null });
});

test('behind an SSH tunnel the network is not told from handshakes, and is more than what an emulator added', () => {
  const roundTrip = { cheapestMs: 3, handshakes: null, tunnel: 'ssh' } as const;
  expect(roundTripSummary([{ roundTrip }])).toEqual({
    cheapestMs: 3,
    network: null,
    sameMachine: false,
    tunnel: 'ssh',
  });
  const emulated = roundTripSummary([{ roundTrip, network: network(5, 5) }]);
  expect(emulated).toMatchObject({ sameMachine: false, tunnel: 'ssh' });
  expect(emulated?.network?.leastMs).toBeCloseTo(5, 2);
  expect(emulated?.network?.mostMs).toBeCloseTo(8, 2);
});

test('the network in words', () => {
  const words = (settings: Partial<typeof defaultSettings>) => networkText({ ...defaultSettings, ...settings });
  expect(words({ networkRoundTripMs: 50 })).toBe('50.0\u00a0ms');
  expect(words({ networkRoundTripMs: 5, networkJitterMs: 2, networkMbit: 100 })).toBe(
    '5.00\u00a0ms + 0…2.00\u00a0ms, 100\u00a0Mbit/s',
  );
});

test.each([
  [network(50, 52), null],
  [network(50, 56), 'The network was slower than set'],
  [network(0.1, 0.3), null],
  [network(0.1, 0.4), 'The network was slower than set'],
  [network(5, 5, 0.8), 'Measures the network emulator'],
])('a network emulator that could not keep the time, or was the limit, is a caveat: %#', (one, title) => {
  const cell = { variant: 'v', target: 't', network: networkSummary([one]) };
  expect(networkCaveat(cell)?.title ?? null).toBe(title);
});
