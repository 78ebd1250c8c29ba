import { performance } from 'node:perf_hooks';
import { Sampler } from './sampler.ts';

/**
 * Divides the time of this process into activities while calls run, as running totals in ms, for the activities that
 * the loop does not measure itself. Known moments divide the time: a call starts, run() returns, bytes are written,
 * bytes arrive, a call is answered. The time between two moments belongs to the activity that the first one started,
 * without the event loop's idle time (libuv's), so promises that a driver resolves after its handler has returned still
 * count as decoding. Frequent moments are sampled (see Sampler).
 */
export class TimeSplit {
  /** Building requests and handing them to sockets. */
  encodeMs = 0;
  /** The time from arriving bytes to the decoded answers. */
  decodeMs = 0;
  /** Inside calls of an engine in this process. */
  engineMs = 0;

  readonly #calls = new Sampler(1);
  readonly #reads = new Sampler(2);
  readonly #writes = new Sampler(3);
  /** State of the call whose run() has not returned yet: if it is sampled, and if it has written. */
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

  /** Calls of an engine in this process that are under way; and when the last of them began or ended. */
  #inProcess = 0;
  #heardMs = 0;
  /** The time of calls of an engine in this process, including idle time; and the idle time when this time began. */
  #enteredMs = 0;
  #enteredIdleMs = 0;

  #working = 0;
  #restMs = 0;
  #restSinceMs = idleMs();

  /** Called before run(). Returns the number of calls that this one represents if it is sampled, otherwise 0. */
  starts(nowMs: number): number {
    if (this.#open !== null) this.#close(nowMs);
    this.#running = true;
    this.#wrote = false;
    this.#taken = this.#calls.next(nowMs);
    if (this.#taken) {
      this.#calls.take(nowMs);
      this.#startMs = nowMs;
    }
    return this.#taken ? this.#calls.inverseChance : 0;
  }

  /**
   * Called after run() has returned a promise. Returns the time if sampled. If nothing was written, the driver now
   * builds the request.
   */
  returns(): number | null {
    this.#running = false;
    if (!this.#taken) return null;
    const nowMs = performance.now();
    const { weight } = this.#calls;
    this.encodeMs += (nowMs - this.#startMs) * weight;
    if (!this.#wrote) this.#begin('encode', nowMs, idleMs(), weight);
    return nowMs;
  }

  /** True if run() has written anything. */
  get wrote(): boolean {
    return this.#wrote;
  }

  /**
   * Called before bytes are written. Returns the time if sampled or `wanted`; null inside run(), which includes the
   * write.
   */
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

  /** Called after the bytes were written. */
  writesEnd(fromMs: number, toMs: number): void {
    this.encodeMs += (toMs - fromMs) * this.#writeWeight;
  }

  /** Called after bytes have arrived. Returns the time if sampled or `wanted`. */
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

  /** Called after a call has been answered, or another event has woken a connection. */
  ends(nowMs: number): void {
    this.#running = false;
    if (this.#open !== null) this.#close(nowMs);
  }

  /** Called when a connection (or a lane of its pipeline) gets work. */
  works(): void {
    this.ends(performance.now());
    if (this.#working++ > 0) return;
    const idle = idleMs();
    this.#restMs += idle - this.#restSinceMs;
    this.#enteredIdleMs = idle;
  }

  /** Called when the connection (or lane) pauses or has no work left. */
  rests(): void {
    if (--this.#working > 0) return;
    const idle = idleMs();
    this.#restSinceMs = idle;
    this.#takeEntered(idle);
  }

  /** Called if a driver that already had the answer answered a call before run() returned. */
  atOnce(startMs: number, endMs: number): void {
    this.encodeMs += endMs - startMs;
  }

  /** Called when a call of an engine in this process begins. */
  enters(startMs: number): void {
    this.#inProcess++;
    this.#heardMs = startMs;
  }

  /**
   * Called when the call has ended. The process time since the last beginning or end of a call was the engine's work.
   */
  leaves(endMs: number): void {
    this.#inProcess--;
    this.#enteredMs += endMs - this.#heardMs;
    this.#heardMs = endMs;
  }

  /** Idle time of the event loop in ms: in total, and while no connection had work. */
  idle(): { readonly idleMs: number; readonly restMs: number } {
    const now = idleMs();
    return { idleMs: now, restMs: this.#restMs + (this.#working === 0 ? now - this.#restSinceMs : 0) };
  }

  /** Counts unfinished parts up to now. */
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

  /**
   * Takes the time inside the engine so far, without the event loop's idle time: while connections have something to
   * do, the loop is idle only while calls are under way.
   */
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
    // The two clocks are not read at the same instant, so the difference may be negative.
    const ms = Math.max(0, nowMs - this.#sinceMs - (idle - this.#idleMs)) * this.#weight;
    if (this.#open === 'decode') this.decodeMs += ms;
    else this.encodeMs += ms;
    this.#open = null;
  }
}

/** The time for which the event loop has waited for events (uv_metrics_idle_time), ms. */
const idleMs = (): number => performance.nodeTiming.idleTime;
