import type { CallTime } from '#protocol/measurement.ts';

/** Time at the sockets. */
export const spentMs = (times: readonly CallTime[]): number =>
  times.reduce((sum, { sendMs, waitMs, receiveMs }) => sum + sendMs + waitMs + receiveMs, 0);

/** Share (0…1) of it that so many round trips take, each as long as the cheapest statement's. */
export function shareOfTrips(times: readonly CallTime[], trips: number, roundTripMs: number): number {
  const spent = spentMs(times);
  // Nobody can have waited for the network longer than they waited.
  const waited = times.reduce((sum, { waitMs }) => sum + waitMs, 0);
  return spent > 0 ? Math.min(trips * roundTripMs, waited) / spent : 0;
}
