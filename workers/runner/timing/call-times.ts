import type { CallTime } from '#contract/measurement.ts';

/** Sums of calls that were taken apart; ms. */
export class CallSums {
  seen = 0;
  sendMs = 0;
  waitMs = 0;
  receiveMs = 0;
  roundTrips = 0;
  /** Answered without anything of it on the socket. */
  unseen = 0;

  add(sendMs: number, waitMs: number, receiveMs: number, roundTrips: number): void {
    this.seen++;
    this.roundTrips += roundTrips;
    this.sendMs += sendMs;
    this.waitMs += waitMs;
    this.receiveMs += receiveMs;
  }
}

/** Running totals over the sessions that are seen, and how many calls there were in all. */
export interface CallTimes extends CallTime {
  readonly unseen: number;
}

/** Drivers answer some calls out of what they have read ahead; of the others something must be seen. */
const mostUnseen = 0.01;

/** Of what lies between two readings, where enough of it was seen. */
export function callTimeBetween(from: CallTimes, to: CallTimes): CallTime | null {
  const calls = to.calls - from.calls;
  const seen = to.seen - from.seen;
  const unseen = to.unseen - from.unseen;
  if (unseen > mostUnseen * (seen + unseen) || (seen === 0 && calls > 0)) return null;
  const each = seen === 0 ? 0 : calls / seen;
  return {
    calls,
    seen,
    sendMs: (to.sendMs - from.sendMs) * each,
    waitMs: (to.waitMs - from.waitMs) * each,
    receiveMs: (to.receiveMs - from.receiveMs) * each,
    roundTrips: (to.roundTrips - from.roundTrips) * each,
  };
}

export function sumOf(all: readonly CallSums[], calls: number): CallTimes {
  const total = { calls, seen: 0, sendMs: 0, waitMs: 0, receiveMs: 0, roundTrips: 0, unseen: 0 };
  for (const one of all) {
    total.seen += one.seen;
    total.sendMs += one.sendMs;
    total.waitMs += one.waitMs;
    total.receiveMs += one.receiveMs;
    total.roundTrips += one.roundTrips;
    total.unseen += one.unseen;
  }
  return total;
}
