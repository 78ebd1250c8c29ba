import { environmentSettings } from '#model/settings/environment-settings.ts';
import { loadSettings } from '#model/settings/load-settings.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { CallTime } from '#protocol/measurement.ts';
import { fasterWhenBound } from '../server/hard-parsing.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';

/** Time at the sockets. */
const spentMs = (times: readonly CallTime[]): number =>
  times.reduce((sum, { sendMs, waitMs, receiveMs }) => sum + sendMs + waitMs + receiveMs, 0);

/** Share (0…1) of the time at the sockets that these round trips take. */
export function shareOfTrips(times: readonly CallTime[], trips: number, roundTripMs: number): number {
  const spent = spentMs(times);
  // The estimate cannot exceed the time for which calls waited.
  return spent > 0 ? Math.min(trips * roundTripMs, waitedMs(times)) / spent : 0;
}

/** True if this many round trips of this length take all of the waiting time of the calls, or more. */
export const takeAllWaiting = (times: readonly CallTime[], trips: number, roundTripMs: number): boolean =>
  trips * roundTripMs >= waitedMs(times);

/** Share (0…1) of the time at the sockets in which the calls waited for the other side. */
export const waitedShare = (times: readonly CallTime[]): number => waitedMs(times) / spentMs(times);

const waitedMs = (times: readonly CallTime[]): number => times.reduce((sum, { waitMs }) => sum + waitMs, 0);

/** The cheapest statement varies by this factor from one second to the next; a larger deviation has another cause. */
const mostBeyond = 1.25;

/**
 * True if this many round trips of the cheapest statement would take longer than the calls took. Then round trips were
 * shorter during the calls, and the cheapest statement does not describe them.
 */
const isBeyond = (times: readonly CallTime[], trips: number, roundTripMs: number): boolean =>
  trips * roundTripMs > spentMs(times) * mostBeyond;

/**
 * The total time of the cell's calls at the sockets, including calls that begin and end transactions; null if unknown.
 */
export function callsOf({ callTime, transactionTime, calls }: CellFacts): CallsAtSockets | null {
  if (callTime === null || callTime.calls === 0 || calls === 0) return null;
  const times = [callTime, ...(transactionTime === null ? [] : [transactionTime])];
  const trips = times.reduce((sum, { roundTrips }) => sum + roundTrips, 0);
  return { times, trips, tripsPerCall: trips / callTime.calls, callMs: spentMs(times) / callTime.calls };
}

interface CallsAtSockets {
  readonly times: readonly CallTime[];
  readonly trips: number;
  readonly tripsPerCall: number;
  readonly callMs: number;
}

/** A cell whose whole call takes less than the estimated round trips of another cell. */
interface Shorter {
  readonly cell: CellFacts;
  readonly callMs: number;
}

interface RoundTripTime {
  /** The upper bound of a round trip. */
  readonly ms: number;
  /** The cell whose shorter calls gave the bound; null: none did. */
  readonly shorter: Shorter | null;
  /** True if the cheapest statement was faster during the calls, and so does not describe them. */
  readonly isBeyond: boolean;
}

/**
 * The length of a round trip of the cell: the time of the cheapest statement, limited so that all round trips of a call
 * take no longer than a whole call of another cell with as many round trips at the same load.
 */
export function roundTripTime(
  facts: RunFacts,
  cell: CellFacts,
  { times, trips, tripsPerCall, callMs }: CallsAtSockets,
  cheapestMs: number,
): RoundTripTime {
  const bound = fasterWhenBound(cell);
  const others = facts.measured.flatMap((other): readonly Shorter[] => {
    const calls = other.target.name === cell.target.name && isLoadedAlike(other, cell) ? callsOf(other) : null;
    return calls !== null && calls.tripsPerCall >= tripsPerCall / asMany ? [{ cell: other, callMs: calls.callMs }] : [];
  });
  // If their time is unknown, the throughput of the same calls with bound values counts as well.
  if (bound !== null) others.push({ cell: bound.cell, callMs: callMs / bound.comparison.ratio.value });
  const [least] = others.toSorted((a, b) => a.callMs - b.callMs);
  const isShorter = least !== undefined && least.callMs < tripsPerCall * cheapestMs && least.callMs < callMs;
  return {
    ms: isShorter ? least.callMs / tripsPerCall : cheapestMs,
    shorter: isShorter ? least : null,
    isBeyond:
      isBeyond(times, trips, cheapestMs) || (isShorter && tripsPerCall * cheapestMs > least.callMs * mostBeyond),
  };
}

/** Counts of round trips are estimated from samples. */
const asMany = 1.05;

/**
 * True if the calls of both cells use the same path from the same number of connections at the same times, so that only
 * their work differs.
 */
const isLoadedAlike = (a: CellFacts, b: CellFacts): boolean =>
  sameWay.every((name) => a.settings[name] === b.settings[name]) &&
  JSON.stringify(a.settings.options) === JSON.stringify(b.settings.options);

const sameWay = [...Object.keys(loadSettings), ...Object.keys(environmentSettings)] as readonly (keyof Settings)[];
