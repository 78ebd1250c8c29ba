import { type ErrorData, isWriteConflict } from '#model/error.ts';
import { Sfc32 } from '#stats/random/random.ts';
import type { Phase } from './phase.ts';

/** A unit of work, once tried: a call that commits by itself, or a transaction. */
export interface Try {
  /** Counted from 1. */
  readonly number: number;
  readonly startMs: number;
  readonly endMs: number;
  /** The part of its connection's time that it takes: calls of a pipeline share it. */
  readonly share: number;
}

/** Timers have no shorter ones. */
const shortestMs = 1;
const longestMs = 50;

/** Decides if and when a connection retries work that a write conflict has undone, and counts the cost. */
export class Retries {
  readonly #maxAttempts: number;
  readonly #random: Sfc32;

  /** `maxAttempts` 0: conflicts are errors like others. `lane`: one for each connection of a worker. */
  constructor(maxAttempts: number, seed: number, lane: number) {
    this.#maxAttempts = maxAttempts;
    this.#random = new Sfc32(seed, lane);
  }

  /** Nothing of the unit that met this error is there, and it may be tried again. */
  isConflict(error: ErrorData): boolean {
    return this.#maxAttempts > 0 && isWriteConflict(error);
  }

  /** After a try that a conflict has undone: whether there is to be another one. The pause before that is over then. */
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
   * A random part of 2^tries ms, within 1 … 50 ms, so that those who got into each other's way do not meet again ("full
   * jitter": M. Brooker, "Exponential Backoff And Jitter", 2015).
   */
  #pauseAfter(tries: number): number {
    return Math.max(shortestMs, this.#random.unit() * Math.min(longestMs, 2 ** tries));
  }
}
