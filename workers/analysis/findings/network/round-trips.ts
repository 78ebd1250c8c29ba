import type { CallTime } from '#protocol/measurement.ts';

/** Time at the sockets. */
export const spentMs = (times: readonly CallTime[]): number =>
  times.reduce((sum, { sendMs, waitMs, receiveMs }) => sum + sendMs + waitMs + receiveMs, 0);

/** Share (0…1) of it that so many round trips of that length take. */
export function shareOfTrips(times: readonly CallTime[], trips: number, roundTripMs: number): number {
  const spent = spentMs(times);
  // Nobody can have waited for the network longer than they waited.
  return spent > 0 ? Math.min(trips * roundTripMs, waitedMs(times)) / spent : 0;
}

/** Whether so many round trips of that length take all the time that the calls waited, or more. */
export const takeAllWaiting = (times: readonly CallTime[], trips: number, roundTripMs: number): boolean =>
  trips * roundTripMs >= waitedMs(times);

const waitedMs = (times: readonly CallTime[]): number => times.reduce((sum, { waitMs }) => sum + waitMs, 0);

/** The cheapest statement differs by so much from one second to the next; beyond, something else is wrong. */
const mostBeyond = 1.25;

/**
 * Whether so many round trips of the cheapest statement would take longer than the calls took: it was not as long when
 * they ran, and says nothing about them.
 */
export const isBeyond = (times: readonly CallTime[], trips: number, roundTripMs: number): boolean =>
  trips * roundTripMs > spentMs(times) * mostBeyond;
