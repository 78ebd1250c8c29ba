import type { CallListener, CallSums, CallTimer } from './call-times.ts';

/**
 * Times calls that are in flight together on one session and are answered in the order in which they were sent. The
 * answer to the oldest one begins with the first bytes after the previous answer, or with those that brought the
 * previous answer where both came together.
 */
export class PipelineTimer implements CallListener {
  readonly countsReads = true;
  readonly #sums: CallSums;
  /** Timed calls in flight, and those whose request the socket does not have yet (drivers may send several at once). */
  #underWay = 0;
  readonly #unsent: PipelinedCall[] = [];
  #lastReadMs = 0;
  /** The first read since a call ended; 0: there was none. */
  #firstReadMs = 0;
  /** Something was written since bytes were last read. */
  #asked = false;
  /** Since a call was last counted: round trips, and calls that ended, timed or not. */
  #roundTrips = 0;
  #ended = 0;

  constructor(sums: CallSums) {
    this.#sums = sums;
  }

  lane(): CallTimer {
    return new PipelinedCall(this);
  }

  get wantsSent(): boolean {
    return this.#unsent.length > 0;
  }

  get wantsReceived(): boolean {
    return this.#underWay > 0;
  }

  began(): void {
    this.#underWay++;
  }

  sent(nowMs: number): void {
    for (const call of this.#unsent) call.sentMs = nowMs;
    this.#unsent.length = 0;
  }

  received(nowMs: number): void {
    this.#lastReadMs = nowMs;
    if (this.#firstReadMs === 0) this.#firstReadMs = nowMs;
  }

  noteWrite(): void {
    this.#asked = true;
  }

  noteRead(): void {
    if (this.#asked) this.#roundTrips++;
    this.#asked = false;
  }

  returned(call: PipelinedCall, nowMs: number, wrote: boolean): void {
    this.#unsent.push(call);
    if (wrote) this.sent(nowMs);
  }

  ended(call: PipelinedCall, endMs: number, counted: boolean): void {
    const readMs = this.#firstReadMs || this.#lastReadMs;
    this.#firstReadMs = 0;
    this.#ended++;
    const { standsFor, startMs, sentMs } = call;
    if (standsFor === 0) return;
    this.#underWay--;
    if (sentMs === 0) this.#forget(call);
    if (!counted) return;
    if (sentMs === 0) {
      this.#sums.unseen++;
      return;
    }
    // A call without an answer waited until its end.
    const answerMs = readMs > sentMs ? readMs : endMs;
    const roundTrips = this.#roundTrips / this.#ended;
    this.#sums.add(standsFor, sentMs - startMs, answerMs - sentMs, endMs - answerMs, 0, roundTrips);
    this.#roundTrips = this.#ended = 0;
  }

  /** Drops a call that ended before it was sent. */
  #forget(call: PipelinedCall): void {
    const at = this.#unsent.indexOf(call);
    if (at !== -1) this.#unsent.splice(at, 1);
  }
}

class PipelinedCall implements CallTimer {
  standsFor = 0;
  startMs = 0;
  sentMs = 0;
  readonly listener: PipelineTimer;

  constructor(pipeline: PipelineTimer) {
    this.listener = pipeline;
  }

  began(startMs: number, standsFor: number): void {
    this.standsFor = standsFor;
    if (standsFor === 0) return;
    this.startMs = startMs;
    this.sentMs = 0;
    this.listener.began();
  }

  returned(nowMs: number, wrote: boolean): void {
    this.listener.returned(this, nowMs, wrote);
  }

  ended(endMs: number, counted: boolean): void {
    this.listener.ended(this, endMs, counted);
  }
}
