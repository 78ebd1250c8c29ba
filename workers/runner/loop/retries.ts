import { type ErrorData, isWriteConflict } from '#model/error.ts';
import { Sfc32 } from '#stats/random/random.ts';
import type { Phase } from './phase.ts';

/** An attempted unit of work: a call that commits by itself, or a transaction. */
export interface Try {
  /** Number of the attempt, from 1. */
  readonly number: number;
  readonly startMs: number;
  readonly endMs: number;
  /** The share of its connection's time that it takes; calls of a pipeline share the connection. */
  readonly share: number;
}

/** This is the shortest interval of timers. */
const shortestMs = 1;
const longestMs = 50;

/** Decides if and when a connection retries work that a write conflict has undone, and counts the cost. */
export class Retries {
  readonly #maxAttempts: number;
  readonly #random: Sfc32;

  /** With `maxAttempts` 0, conflicts are ordinary errors. Each connection of a worker has its own `lane`. */
  constructor(maxAttempts: number, seed: number, lane: number) {
    this.#maxAttempts = maxAttempts;
    this.#random = new Sfc32(seed, lane);
  }

  /** True if the server has undone the whole unit after this error, so it may be repeated. */
  isConflict(error: ErrorData): boolean {
    return this.#maxAttempts > 0 && isWriteConflict(error);
  }

  /**
   * Decides after an attempt that a conflict has undone whether there is another attempt, and waits for the pause
   * before it.
   */
  async another(phase: Phase, conflict: ErrorData, { number, startMs, endMs, share }: Try): Promise<boolean> {
    const { counts } = phase;
    const late = endMs > phase.deadlineMs;
    if (late || number >= this.#maxAttempts) {
      phase.lose(startMs, endMs, share);
      if (late) return false;
      counts.gaveUp++;
      phase.noteError(conflict, endMs);
      return false;
    }
    const pauseMs = Math.min(this.#pauseAfter(number), phase.deadlineMs - endMs);
    await new Promise<void>((resolve) => setTimeout(resolve, pauseMs));
    const pausedMs = performance.now();
    phase.lose(startMs, pausedMs, share);
    counts.pauseMs += Math.min(pausedMs, phase.deadlineMs) - endMs;
    if (phase.stopped) return false;
    counts.retries++;
    return true;
  }

  /**
   * Returns a random part of 2^tries ms, within 1 … 50 ms, so that conflicting sessions do not collide again ("full
   * jitter": M. Brooker, "Exponential Backoff And Jitter", 2015).
   */
  #pauseAfter(tries: number): number {
    return Math.max(shortestMs, this.#random.unit() * Math.min(longestMs, 2 ** tries));
  }
}
