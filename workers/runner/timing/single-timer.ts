import type { CallListener, CallSums, CallTimer } from './call-times.ts';

/** Times calls one at a time. A write after an answer has begun begins another round trip of the call. */
export class SingleTimer implements CallTimer, CallListener {
  readonly listener = this;
  readonly countsReads = false;
  readonly #sums: CallSums;
  /** The time up to which the call is counted. */
  #countedMs = 0;
  /** The time at which the socket had the request of this round trip; 0: it has not. */
  #sentMs = 0;
  /** The number of calls that this one stands for. */
  #standsFor = 0;
  /** The call is timed, and has not ended. */
  #underWay = false;
  #receiving = false;
  #sendMs = 0;
  #waitMs = 0;
  #receiveMs = 0;
  /** The time at which bytes of the answer last arrived, and the longest time between two arrivals. */
  #readMs = 0;
  #gapMs = 0;
  #roundTrips = 0;

  constructor(sums: CallSums) {
    this.#sums = sums;
  }

  get wantsSent(): boolean {
    return this.#underWay;
  }

  get wantsReceived(): boolean {
    // Bytes that nobody asked for are no answer.
    return this.#underWay && (this.#receiving || this.#sentMs > 0);
  }

  began(startMs: number, standsFor: number): void {
    this.#underWay = standsFor > 0;
    if (!this.#underWay) return;
    this.#standsFor = standsFor;
    this.#countedMs = startMs;
    this.#receiving = false;
    this.#sentMs = this.#sendMs = this.#waitMs = this.#receiveMs = this.#gapMs = this.#roundTrips = 0;
  }

  returned(nowMs: number, wrote: boolean): void {
    if (wrote) this.sent(nowMs);
  }

  sent(nowMs: number): void {
    if (!this.#underWay) return;
    if (this.#receiving) {
      this.#receiveMs += nowMs - this.#countedMs;
      this.#countedMs = nowMs;
      this.#receiving = false;
    }
    this.#sentMs = nowMs;
  }

  received(nowMs: number): void {
    if (!this.wantsReceived) return;
    // The rest of an answer is not the first byte of another one.
    if (this.#receiving) this.#gapMs = Math.max(this.#gapMs, nowMs - this.#readMs);
    else {
      this.#await(nowMs);
      this.#receiving = true;
      this.#roundTrips++;
    }
    this.#readMs = nowMs;
  }

  ended(endMs: number, counted: boolean): void {
    if (!this.#underWay) return;
    this.#underWay = false;
    if (this.#receiving) this.#receiveMs += endMs - this.#countedMs;
    // The call ended without an answer: it was cancelled, or the connection is gone.
    else if (this.#sentMs > 0) this.#await(endMs);
    else {
      if (counted) this.#sums.unseen++;
      return;
    }
    if (!counted) return;
    this.#sums.add(this.#standsFor, this.#sendMs, this.#waitMs, this.#receiveMs, this.#gapMs, this.#roundTrips);
  }

  noteWrite(): void {}
  noteRead(): void {}

  #await(untilMs: number): void {
    this.#sendMs += this.#sentMs - this.#countedMs;
    this.#waitMs += untilMs - this.#sentMs;
    this.#countedMs = untilMs;
    this.#sentMs = 0;
  }
}
