import type { CallTime } from '#protocol/measurement.ts';

/** Times the calls of one lane, one after another. All times are performance.now() ms. */
export interface CallTimer {
  readonly listener: CallListener;
  /** `standsFor`: how many calls this one stands for, 1 ÷ the chance that it is timed; 0: it is not timed. */
  began(startMs: number, standsFor: number): void;
  /** run() has returned a promise; only for calls that are timed. `wrote`: the socket has the request by now. */
  returned(nowMs: number, wrote: boolean): void;
  /** `counted`: whether the call is one of those that count. */
  ended(endMs: number, counted: boolean): void;
}

/** Is told what happens at the socket. */
export interface CallListener {
  /** True if the timer needs the time of the next write outside of run(), and of the next read. */
  readonly wantsSent: boolean;
  readonly wantsReceived: boolean;
  /** True if the timer must be told of each read, even without the time. */
  readonly countsReads: boolean;
  sent(nowMs: number): void;
  received(nowMs: number): void;
  /** Something is written, by run() or later: always called, and without the time. */
  noteWrite(): void;
  /** Something has arrived; called at least where it is {@link countsReads counted} or wanted. */
  noteRead(): void;
}

/** Sums over the calls that were timed one by one, ms, each multiplied by the number of calls that it stands for. */
export class CallSums {
  seen = 0;
  /** The number of calls that the timed calls stand for. */
  weight = 0;
  sendMs = 0;
  waitMs = 0;
  receiveMs = 0;
  gapMs = 0;
  roundTrips = 0;
  /** Timed calls that were answered although none of their bytes passed the socket. */
  unseen = 0;

  add(weight: number, sendMs: number, waitMs: number, receiveMs: number, gapMs: number, roundTrips: number): void {
    this.seen++;
    this.weight += weight;
    this.roundTrips += weight * roundTrips;
    this.sendMs += weight * sendMs;
    this.waitMs += weight * waitMs;
    this.receiveMs += weight * receiveMs;
    this.gapMs += weight * gapMs;
  }
}

/** Running totals over the observed sessions, and the number of all calls. */
export interface CallTimes extends CallTime {
  readonly weight: number;
  readonly unseen: number;
}

/** The largest share of calls without bytes on the socket: drivers answer some calls from what they read ahead. */
const mostUnseen = 0.01;

/**
 * The call time between two readings; null where too little of it was observed. Its parts are shares of weighted sums,
 * scaled to `totalMs`, the exact time of all calls from the histograms, so that only the division into parts is sampled
 * (Deville & Särndal 1992). If `totalMs` is null, each part is the ratio of two weighted sums times the number of all
 * calls (Hájek 1971), like the round trips.
 */
export function callTimeBetween(from: CallTimes, to: CallTimes, totalMs: number | null): CallTime | null {
  const calls = to.calls - from.calls;
  const seen = to.seen - from.seen;
  const unseen = to.unseen - from.unseen;
  if (unseen > mostUnseen * (seen + unseen) || (seen === 0 && calls > 0)) return null;
  const each = seen === 0 ? 0 : calls / (to.weight - from.weight);
  const sampledMs = to.sendMs - from.sendMs + to.waitMs - from.waitMs + to.receiveMs - from.receiveMs;
  const scale = totalMs === null || sampledMs <= 0 ? each : totalMs / sampledMs;
  return {
    calls,
    seen,
    sendMs: (to.sendMs - from.sendMs) * scale,
    waitMs: (to.waitMs - from.waitMs) * scale,
    receiveMs: (to.receiveMs - from.receiveMs) * scale,
    gapMs: (to.gapMs - from.gapMs) * scale,
    roundTrips: (to.roundTrips - from.roundTrips) * each,
  };
}

const sums = ['seen', 'weight', 'sendMs', 'waitMs', 'receiveMs', 'gapMs', 'roundTrips', 'unseen'] as const;

export function sumOf(all: readonly CallSums[], calls: number): CallTimes {
  const total = { calls, seen: 0, weight: 0, sendMs: 0, waitMs: 0, receiveMs: 0, gapMs: 0, roundTrips: 0, unseen: 0 };
  for (const one of all) for (const name of sums) total[name] += one[name];
  return total;
}
