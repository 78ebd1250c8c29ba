import type { CallListener, CallSums, CallTimer } from './call-times.ts';

/** Times calls one at a time. A write after an answer has begun begins another round trip of the call. */
export class SingleTimer implements CallTimer, CallListener {
  readonly listener = this;
  readonly #sums: CallSums;
  /** The time up to which the call is counted. */
  #countedMs = 0;
  /** When the socket had the request of this round trip; 0: it has not. */
  #sentMs = 0;
  /** The call is timed, and has not ended. */
  #underWay = false;
  #receiving = false;
  #sendMs = 0;
  #waitMs = 0;
  #receiveMs = 0;
  #roundTrips = 0;

  constructor(sums: CallSums) {
    this.#sums = sums;
  }

  get wantsSent(): boolean {
    return this.#underWay;
  }

  get wantsReceived(): boolean {
    // Bytes that nobody asked for are no answer, and the rest of an answer is not the first byte of another one.
    return this.#underWay && !this.#receiving && this.#sentMs > 0;
  }

  began(startMs: number, taken: boolean): void {
    this.#underWay = taken;
    if (!taken) return;
    this.#countedMs = startMs;
    this.#receiving = false;
    this.#sentMs = this.#sendMs = this.#waitMs = this.#receiveMs = this.#roundTrips = 0;
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
    this.#await(nowMs);
    this.#receiving = true;
    this.#roundTrips++;
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
    if (counted) this.#sums.add(this.#sendMs, this.#waitMs, this.#receiveMs, this.#roundTrips);
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
