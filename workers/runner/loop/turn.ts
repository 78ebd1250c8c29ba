import type { TimeSplit } from '../timing/time-split.ts';
import type { Phase } from './phase.ts';

/**
 * After this many ms without a turn of the event loop, connections yield to it, because messages and timers wait for
 * it.
 */
const turnMs = 10;

/** True if connections have to yield to the event loop now. */
export const needsTurn = (phase: Phase, nowMs: number): boolean => nowMs - phase.lastTurnMs > turnMs;

/** Resolves after a turn of the event loop. */
export async function turn(split: TimeSplit): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  split.ends(performance.now());
}
