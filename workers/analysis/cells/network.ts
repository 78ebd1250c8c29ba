import type { EmulatedNetwork, TrialResult } from '#protocol/measurement.ts';
import { mergeEncoded, percentileMs } from '#stats/histogram/percentiles.ts';
import { median } from '#stats/intervals/summary.ts';
import type { NetworkSummary, RoundTripSummary } from '../run-model/run-model.ts';

/** Summarises the network emulator of a cell over its repeats; null if there was none. */
export function networkSummary(all: readonly (EmulatedNetwork | undefined)[]): NetworkSummary | null {
  const networks = all.filter((one) => one !== undefined);
  const intended = mergeEncoded(networks.map((one) => one.intended));
  const added = mergeEncoded(networks.map((one) => one.added));
  if (!intended || !added) return null;
  const seen = added.count > 0;
  return {
    roundTrips: added.count,
    intendedMs: seen ? intended.mean / 1e6 : null,
    addedMs: seen ? added.mean / 1e6 : null,
    p50Ms: percentileMs(added, 50),
    p99Ms: percentileMs(added, 99),
    utilisation: Math.max(...networks.map((one) => one.utilisation)),
  };
}

/** The round trip to the server beside these trials; null if it was not timed. */
export function roundTripSummary(
  trials: readonly Pick<TrialResult, 'roundTrip' | 'network'>[],
): RoundTripSummary | null {
  const timed = trials.flatMap(({ roundTrip }) => roundTrip ?? []);
  if (timed.length === 0) return null;
  const cheapest = median(timed.map(({ cheapestMs }) => cheapestMs));
  const tunnel = timed.find((one) => one.tunnel !== undefined)?.tunnel ?? null;
  const emulated = networkSummary(trials.map(({ network }) => network));
  // The cheapest statement goes directly to the server, but the sessions' handshakes end at the network emulator.
  if (emulated !== null) {
    const addedMs = emulated.addedMs ?? emulated.intendedMs;
    // A tunnel adds a network whose round trip is unknown; the time of the statement contains it.
    const mostMs = (addedMs ?? 0) + (tunnel === null ? 0 : cheapest);
    const network = addedMs === null ? null : { leastMs: addedMs, mostMs };
    return { cheapestMs: cheapest + (addedMs ?? 0), network, sameMachine: false, tunnel };
  }
  const seen = timed.flatMap(({ handshakes }) => handshakes ?? []);
  const sameMachine = seen.length > 0 && seen.every((one) => one.sameMachine);
  const times = seen.flatMap(({ shortestMs }) => shortestMs ?? []);
  const network = sameMachine
    ? { leastMs: 0, mostMs: 0 }
    : times.length === 0
      ? null
      : networkRange(Math.min(...times), cheapest);
  return { cheapestMs: cheapest, network, sameMachine, tunnel };
}

/**
 * In a fresh process a handshake includes the first use of code and of the event loop: 0.6 to 0.7 ms on loopback, where
 * the network takes 0.02 ms. This much of a handshake may not be network time.
 */
const coldMs = 1;

/**
 * Null if a handshake took longer than the first use of code explains: then conditions differed between the two
 * measurements.
 */
function networkRange(shortestMs: number, cheapestMs: number): RoundTripSummary['network'] {
  const leastMs = Math.max(0, shortestMs - coldMs);
  return leastMs > cheapestMs ? null : { leastMs, mostMs: Math.min(shortestMs, cheapestMs) };
}

/** The deviation must exceed both limits: a busy machine multiplies short delays and hardly changes long ones. */
const farOff = 0.1;

const farOffMs = 0.25;

export const isOff = ({ intendedMs, addedMs }: NetworkSummary): boolean =>
  intendedMs !== null && addedMs !== null && addedMs - intendedMs > Math.max(farOffMs, farOff * intendedMs);
