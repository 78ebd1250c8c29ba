import type { CallTime } from '#protocol/measurement.ts';

/** Times the calls of one lane, one after another. All times are performance.now() ms. */
export interface CallTimer {
  readonly listener: CallListener;
  /** `taken`: this call is timed. */
  began(startMs: number, taken: boolean): void;
  /** run() has returned a promise; only for calls that are timed. `wrote`: the socket has the request by now. */
  returned(nowMs: number, wrote: boolean): void;
  /** `counted`: whether the call is one of those that count. */
  ended(endMs: number, counted: boolean): void;
}

/** Is told what happens at the socket. */
export interface CallListener {
  /** Whether it needs the time of the next write outside of run(), and of the next read. */
  readonly wantsSent: boolean;
  readonly wantsReceived: boolean;
  sent(nowMs: number): void;
  received(nowMs: number): void;
  /** Something is written, by run() or later; something has arrived. Both are always called, and without the time. */
  noteWrite(): void;
  noteRead(): void;
}

/** Sums over the calls that were timed one by one, ms. */
export class CallSums {
  seen = 0;
  sendMs = 0;
  waitMs = 0;
  receiveMs = 0;
  roundTrips = 0;
  /** Calls that were answered without any of their bytes on the socket. */
  unseen = 0;

  add(sendMs: number, waitMs: number, receiveMs: number, roundTrips: number): void {
    this.seen++;
    this.roundTrips += roundTrips;
    this.sendMs += sendMs;
    this.waitMs += waitMs;
    this.receiveMs += receiveMs;
  }
}

/** Running totals over the sessions that are observed, and how many calls there were in all. */
export interface CallTimes extends CallTime {
  readonly unseen: number;
}

/** The largest share of calls without bytes on the socket: drivers answer some calls from what they read ahead. */
const mostUnseen = 0.01;

/** The call time between two readings; null where too little of it was observed. */
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

const sums = ['seen', 'sendMs', 'waitMs', 'receiveMs', 'roundTrips', 'unseen'] as const;

export function sumOf(all: readonly CallSums[], calls: number): CallTimes {
  const total = { calls, seen: 0, sendMs: 0, waitMs: 0, receiveMs: 0, roundTrips: 0, unseen: 0 };
  for (const one of all) for (const name of sums) total[name] += one[name];
  return total;
}
