import { performance } from 'node:perf_hooks';
import { Sampler } from './sampler.ts';

/**
 * Where the time of this process goes while calls run, as far as the loop itself does not know: running totals, ms.
 *
 * Everything happens between moments that are known: a call starts, run() returns, bytes are written, bytes arrive, a call is answered. What
 * the event loop does from one of them to the next belongs to the part that the first one opened; what it rested meanwhile is taken off (libuv's
 * idle time), so that promises which a driver resolves after its handler has returned are still its decoding. Of frequent moments only
 * some are looked at (see Sampler), each for several.
 */
export class TimeSplit {
  /** Building requests and handing them to sockets. */
  encodeMs = 0;
  /** From bytes that arrive to what they lead to. */
  decodeMs = 0;
  /** Inside calls of an engine in this process. */
  engineMs = 0;

  readonly #calls = new Sampler(1);
  readonly #reads = new Sampler(2);
  readonly #writes = new Sampler(3);
  /** The call whose run() has not returned yet: whether it is looked at, and has written. */
  #running = false;
  #taken = false;
  #wrote = false;
  #startMs = 0;
  #writeWeight = 0;

  #open: 'encode' | 'decode' | null = null;
  #sinceMs = 0;
  /** The loop's idle time when the part was opened. */
  #idleMs = 0;
  #weight = 1;

  /** Calls of an engine in this process that are under way; when something was last heard of one. */
  #inProcess = 0;
  #heardMs = 0;
  /** Theirs, with what the loop rested meanwhile; and the idle time since when. */
  #enteredMs = 0;
  #enteredIdleMs = 0;

  #working = 0;
  #restMs = 0;
  #restSinceMs = idleMs();

  /** run() is called; whether this call is looked at. */
  starts(nowMs: number): boolean {
    if (this.#open !== null) this.#close(nowMs);
    this.#running = true;
    this.#wrote = false;
    this.#taken = this.#calls.next();
    if (this.#taken) {
      this.#calls.take(nowMs);
      this.#startMs = nowMs;
    }
    return this.#taken;
  }

  /** run() has returned a promise: when, where the call is looked at. If nothing was written, the driver builds its request only now. */
  returns(): number | null {
    this.#running = false;
    if (!this.#taken) return null;
    const nowMs = performance.now();
    const { weight } = this.#calls;
    this.encodeMs += (nowMs - this.#startMs) * weight;
    if (!this.#wrote) this.#begin('encode', nowMs, idleMs(), weight);
    return nowMs;
  }

  /** Whether run() has written anything. */
  get wrote(): boolean {
    return this.#wrote;
  }

  /** Something is about to be written: when, where this or the caller (`wanted`) wants to know, for {@link writesEnd}. What run() writes is part of it. */
  writes(wanted: boolean): number | null {
    if (this.#running) {
      this.#wrote = true;
      return null;
    }
    const taken = this.#writes.next();
    if (!taken && !wanted && this.#open === null) return null;
    const nowMs = performance.now();
    if (this.#open !== null) this.#close(nowMs);
    if (taken) this.#writes.take(nowMs);
    this.#writeWeight = taken ? this.#writes.weight : 0;
    return nowMs;
  }

  /** It was written. */
  writesEnd(fromMs: number, toMs: number): void {
    this.encodeMs += (toMs - fromMs) * this.#writeWeight;
  }

  /** Bytes have arrived: when, where this or the caller (`wanted`) wants to know. */
  reads(wanted: boolean): number | null {
    const taken = this.#reads.next();
    if (!taken && !wanted && this.#open === null) return null;
    const nowMs = performance.now();
    const idle = taken || this.#open !== null ? idleMs() : 0;
    if (this.#open !== null) this.#close(nowMs, idle);
    if (taken) {
      this.#reads.take(nowMs);
      this.#begin('decode', nowMs, idle, this.#reads.weight);
    }
    return nowMs;
  }

  /** A call has been answered, or something else than an answer has woken a connection. */
  ends(nowMs: number): void {
    this.#running = false;
    if (this.#open !== null) this.#close(nowMs);
  }

  /** A connection (or one lane of its pipeline) has something to do from now on. */
  works(): void {
    this.ends(performance.now());
    if (this.#working++ > 0) return;
    const idle = idleMs();
    this.#restMs += idle - this.#restSinceMs;
    this.#enteredIdleMs = idle;
  }

  /** It pauses, or is done. */
  rests(): void {
    if (--this.#working > 0) return;
    const idle = idleMs();
    this.#restSinceMs = idle;
    this.#takeEntered(idle);
  }

  /** A call was answered before run() returned, by a driver that had the answer. */
  atOnce(startMs: number, endMs: number): void {
    this.encodeMs += endMs - startMs;
  }

  /** A call of an engine in this process begins. */
  enters(startMs: number): void {
    this.#inProcess++;
    this.#heardMs = startMs;
  }

  /** It has ended, at once or later: what the process did since anything was heard of another call was its work. */
  leaves(endMs: number): void {
    this.#inProcess--;
    this.#enteredMs += endMs - this.#heardMs;
    this.#heardMs = endMs;
  }

  /** Idle time of the event loop, ms: all of it, and that during which no connection had anything to do. */
  idle(): { readonly idleMs: number; readonly restMs: number } {
    const now = idleMs();
    return { idleMs: now, restMs: this.#restMs + (this.#working === 0 ? now - this.#restSinceMs : 0) };
  }

  /** Counts what is open up to now. */
  settle(nowMs: number): void {
    const idle = idleMs();
    if (this.#inProcess > 0) {
      this.#enteredMs += nowMs - this.#heardMs;
      this.#heardMs = nowMs;
    }
    if (this.#working > 0) this.#takeEntered(idle);
    const open = this.#open;
    if (open === null) return;
    this.#close(nowMs, idle);
    this.#begin(open, nowMs, idle, this.#weight);
  }

  /** Whatever the loop rested while connections had something to do, it rested while calls were under way. */
  #takeEntered(idle: number): void {
    this.engineMs += Math.max(0, this.#enteredMs - (idle - this.#enteredIdleMs));
    this.#enteredMs = 0;
    this.#enteredIdleMs = idle;
  }

  #begin(part: 'encode' | 'decode', nowMs: number, idle: number, weight: number): void {
    this.#open = part;
    this.#sinceMs = nowMs;
    this.#idleMs = idle;
    this.#weight = weight;
  }

  #close(nowMs: number, idle = idleMs()): void {
    // Two clocks that are not read at the same instant: never less than nothing.
    const ms = Math.max(0, nowMs - this.#sinceMs - (idle - this.#idleMs)) * this.#weight;
    if (this.#open === 'decode') this.decodeMs += ms;
    else this.encodeMs += ms;
    this.#open = null;
  }
}

/** What the event loop has spent on waiting for events (uv_metrics_idle_time), ms. */
const idleMs = (): number => performance.nodeTiming.idleTime;
